// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.input;

import dev.lockstep.codec.ByteSource;
import dev.lockstep.model.Flows;
import dev.lockstep.model.Marks;
import dev.lockstep.model.Recorded;
import dev.lockstep.model.RecordedTexts;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.model.Track;
import dev.lockstep.read.WithheldMetadata;
import dev.lockstep.write.JsonTexts;
import dev.lockstep.write.Numbers;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * A trace of any format as the JSON in which the pipeline reads its events, spelled piece by piece as it is asked for.
 * Slices come by time, before arrows, counters and instants.
 */
final class TraceText implements ByteSource {
    private static final long NS = 1000;
    private static final int PIECE = 1 << 16;

    /** Categories that readers of FLEX gave to events that had none. */
    private static final String OWN_CATEGORY = "aiu_";

    private final Trace trace;
    private final Recorded recorded;
    private final RecordedTexts.Cursor ofSlices;
    private final RecordedTexts.Cursor ofFlows;
    private final RecordedTexts.Cursor ofMarks;
    private final RecordedTexts.Cursor ofMetadata;
    private final ByteArrayOutputStream piece = new ByteArrayOutputStream(2 * PIECE);
    private final int events;
    private byte[] ready = new byte[0];
    private int at;
    private int next = -1;
    private boolean any;

    TraceText(Trace trace) {
        this.trace = trace.withRecorded();
        Recorded all = this.trace.recorded();
        recorded = all == null ? Recorded.nothing(trace) : all;
        ofSlices = recorded.slices().cursor();
        ofFlows = recorded.flows().cursor();
        ofMarks = recorded.marks().cursor();
        ofMetadata = recorded.metadata().cursor();
        boolean isTorch = trace.info().metadata().containsKey("deviceProperties");
        events = trace.slices().size()
                + trace.flows().size()
                + trace.marks().size()
                + (isTorch ? recorded.metadataCount() : 0);
    }

    @Override
    public int read(byte[] into, int offset, int length) {
        if (at == ready.length && !spell()) {
            return -1;
        }
        int n = Math.min(length, ready.length - at);
        System.arraycopy(ready, at, into, offset, n);
        at += n;
        return n;
    }

    @Override
    public void close() {
        // holds nothing open
    }

    /** Spells a further piece; whether there was any. */
    private boolean spell() {
        if (next > events) {
            return false;
        }
        piece.reset();
        if (next < 0) {
            head();
            next = 0;
        }
        for (; next < events && piece.size() < PIECE; next++) {
            event(next);
        }
        if (next == events) {
            text("]}");
            next++;
        }
        ready = piece.toByteArray();
        at = 0;
        return true;
    }

    private void head() {
        text("{");
        for (Map.Entry<String, String> member : trace.info().metadata().entrySet()) {
            text(JsonTexts.quoted(member.getKey()) + ":" + member.getValue() + ",");
        }
        text("\"traceEvents\":[");
    }

    private void event(int number) {
        Slices slices = trace.slices();
        Flows flows = trace.flows();
        Marks marks = trace.marks();
        int row = number;
        if (row < slices.size()) {
            String dur = Numbers.plain(slices.dur(row), NS);
            begin('X', trace.name(row), slices.category(row), slices.track(row), slices.ts(row));
            text(",\"dur\":" + dur);
            end(ofSlices, row);
            return;
        }
        row -= slices.size();
        if (row < flows.size()) {
            String name = trace.strings().orNull(recorded.flowName(row));
            begin(flows.phase(row), name == null ? "" : name, flows.category(row), flows.track(row), flows.ts(row));
            text(",\"id\":" + flows.id(row));
            end(ofFlows, row);
            return;
        }
        row -= flows.size();
        if (row < marks.size()) {
            String name = trace.strings().get(marks.name(row));
            begin(marks.phase(row), name, marks.category(row), marks.track(row), marks.ts(row));
            end(ofMarks, row);
            return;
        }
        metadata(row - marks.size());
    }

    private void metadata(int row) {
        if (ofMetadata.move(row)
                && WithheldMetadata.values(trace.strings().get(recorded.metadataName(row)), ofMetadata) > 0) {
            return;
        }
        String process = trace.strings().orNull(recorded.metadataProcess(row));
        String thread = trace.strings().orNull(recorded.metadataThread(row));
        long first = trace.slices().size() == 0 ? 0 : trace.slices().ts(0);
        String name = trace.strings().get(recorded.metadataName(row));
        begin('M', name, -1, first);
        place("pid", process == null ? "" : process);
        place("tid", thread == null ? "" : thread);
        end(ofMetadata, row);
    }

    private void begin(char phase, String name, int category, int track, long ts) {
        begin(phase, name, category, ts);
        Track place = trace.tracks().get(track);
        place("pid", place.process());
        place("tid", place.thread());
    }

    private void begin(char phase, String name, int category, long ts) {
        text(any ? ",\n{\"ph\":\"" : "{\"ph\":\"");
        any = true;
        text(phase + "\",\"name\":" + JsonTexts.quoted(name) + ",\"ts\":" + Numbers.plain(ts, NS));
        String stated = category < 0 ? "" : trace.strings().get(category);
        if (!stated.isEmpty() && !stated.startsWith(OWN_CATEGORY)) {
            text(",\"cat\":" + JsonTexts.quoted(stated));
        }
    }

    private void place(String key, String text) {
        if (!text.isEmpty()) {
            text(",\"" + key + "\":" + (text.matches("-?(0|[1-9]\\d{0,19})") ? text : JsonTexts.quoted(text)));
        }
    }

    private void end(RecordedTexts.Cursor texts, int row) {
        if (texts.move(row)) {
            if (texts.fields < texts.fieldsEnd) {
                text(",");
                piece.write(texts.bytes, texts.fields, texts.fieldsEnd - texts.fields);
            }
            if (texts.hasArguments) {
                text(",\"args\":{");
                piece.write(texts.bytes, texts.arguments, texts.argumentsEnd - texts.arguments);
                text("}");
            }
        }
        text("}");
    }

    private void text(String text) {
        piece.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }
}
