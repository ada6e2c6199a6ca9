// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.flex;

import dev.lockstep.codec.CleanJson;
import dev.lockstep.codec.JsonCursor;
import dev.lockstep.codec.JsonCursor.Stop;
import dev.lockstep.codec.JsonWindow;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Diagnostics.Weight;
import dev.lockstep.model.RecordedText;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceBuilder;
import dev.lockstep.model.TraceFormat;
import dev.lockstep.read.ReadDeviations;
import dev.lockstep.read.TraceInput;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads a document of events. An event that cannot be read costs itself alone; a cut file gives what stands before the
 * cut.
 */
final class FlexDocument implements EventOutline.Content {
    private static final int LARGEST_METADATA = 1 << 20;

    private final TraceInput input;
    private final JsonWindow window;
    private final Diagnostics packing;
    private final TraceBuilder builder;
    private final FlexFields fields;
    private final DeviceRows rows = new DeviceRows();
    private final FlexSink sink;
    private final @Nullable RecordedText texts;
    private final Map<String, String> metadata = new TreeMap<>();

    FlexDocument(TraceInput input, JsonWindow window, Diagnostics packing, boolean everything) {
        this.input = input;
        this.window = window;
        this.packing = packing;
        builder = new TraceBuilder(1 << 12, everything);
        texts = everything ? new RecordedText() : null;
        fields = new FlexFields(builder.strings(), texts);
        sink = new FlexSink(builder, rows, texts);
    }

    List<Trace> read() throws IOException {
        if (window.peek() == 0) {
            throw unusable("the file is empty, expected a list of events");
        }
        try {
            outline();
        } catch (Stop stop) {
            if (stop == Stop.INCOMPLETE) {
                damaged("truncated", "the file ends within the trace; it was cut", window.position());
            } else {
                damaged("syntax", "expected " + window.expected() + "; the rest was not read", window.failure());
            }
        }
        if (sink.events() == 0) {
            throw unusable("expected a list of events, found none");
        }
        sink.finish();
        builder.diagnostics().addAll(packing);
        return new FlexTraces(builder, rows, sink, metadata).build(input);
    }

    private TraceFormatException unusable(String problem) {
        return new TraceFormatException(
                ErrorCode.FORMAT_CORRUPT, input.name(), window.position(), problem, TraceFormat.FLEX.hint());
    }

    private void outline() throws IOException, Stop {
        if (window.peek() == 0xEF - 256) {
            window.seek("{", "[");
        }
        new EventOutline(window, this).read();
        if (window.peek() != 0) {
            builder.diagnostics()
                    .add(Weight.REPAIRED, "trailing_data", "there is more text behind the trace", window.position());
        }
    }

    @Override
    public void list() {
        // several lists count as one
    }

    @Override
    public void member(String key, JsonCursor c) throws Stop {
        c.notes = 0;
        int from = c.skip();
        if (c.pos - from <= LARGEST_METADATA) {
            metadata.put(key, CleanJson.taken(c, from, c.pos));
        }
    }

    @Override
    public void event(JsonCursor c) throws Stop {
        c.notes = 0;
        fields.read(c);
    }

    @Override
    public void taken(long position) {
        JsonCursor cursor = window.cursor();
        if (cursor.notes != 0) {
            ReadDeviations.count(cursor, window.position() - cursor.pos, builder.diagnostics());
            if (texts != null) {
                byte[] arguments = CleanJson.clean(texts.arguments(), cursor.notes);
                texts.replace(arguments, CleanJson.clean(texts.fields(), cursor.notes), -1, -1);
            }
        }
        sink.accept(fields, position, (int) (window.position() - position));
    }

    @Override
    public void other(long position) {
        builder.diagnostics().add(Weight.REPAIRED, "not_an_event", "an entry of the events is no object", position);
    }

    @Override
    public boolean survives() {
        damaged(
                "syntax",
                "expected " + window.expected() + "; what lies up to the next event was skipped",
                window.failure());
        return true;
    }

    private void damaged(String code, String message, long position) {
        builder.diagnostics().add(Weight.LOSS, code, message, position);
    }
}
