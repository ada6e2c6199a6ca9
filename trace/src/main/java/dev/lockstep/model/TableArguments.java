// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the tables of a trace know about its slices and counters, as the arguments by which PyTorch's profiler states it. */
final class TableArguments {
    /** What tables hold is as long and deep as the trace made it. */
    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private final Trace trace;
    private final RecordedText text = new RecordedText();

    private TableArguments(Trace trace) {
        this.trace = trace;
    }

    /** By slice. */
    static RecordedTexts of(Trace trace) {
        int slices = trace.slices().size();
        Recorder recorder = new Recorder(slices);
        TableArguments arguments = new TableArguments(trace);
        for (int slice = 0; slice < slices; slice++) {
            arguments.collect(slice);
            if (!arguments.text.isEmpty()) {
                recorder.slice(slice, arguments.text);
            }
        }
        return recorder.slices(slices);
    }

    /** By mark: the values of counters. */
    static RecordedTexts ofMarks(Trace trace) {
        CounterValues counters = trace.view(CounterValues.KEY);
        Recorder recorder = new Recorder(16);
        RecordedText text = new RecordedText();
        int next = 0;
        for (int mark = 0; mark < trace.marks().size(); mark++) {
            text.clear();
            if (counters != null && next < counters.size() && counters.mark(next) == mark) {
                values(trace.strings().orNull(counters.values(next++)), text);
            }
            recorder.mark(text, -1);
        }
        return recorder.marks();
    }

    private static void values(@Nullable String json, RecordedText text) {
        if (json == null) {
            return;
        }
        try (JsonParser in = JSON.createParser(json)) {
            in.nextToken();
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                String name = in.currentName();
                if (in.nextToken().isNumeric()) {
                    text.argument(quoted(name).substring(1, quoted(name).length() - 1), in.getText());
                } else {
                    in.skipChildren();
                }
            }
        } catch (IOException e) {
            text.clear(); // what is no object has no values
        }
    }

    private void collect(int slice) {
        text.clear();
        long correlation = trace.slices().correlation(slice);
        if (correlation >= 0) {
            text.argument(KnownArgument.CORRELATION.spelling(), Long.toString(correlation));
            text.wasCorrelation();
        }
        long external = trace.slices().externalId(slice);
        if (external >= 0) {
            text.argument(KnownArgument.EXTERNAL_ID.spelling(), Long.toString(external));
            text.wasExternalId();
        }
        Map<TableKey<?>, DetailTable> tables = trace.tables();
        for (KnownArgument argument : KnownArgument.OF_TABLES) {
            DetailTable table = tables.get(argument.table());
            int row = table == null ? -1 : table.of(slice);
            if (table != null && row >= 0) {
                add(argument, table, row);
            }
        }
    }

    private void add(KnownArgument argument, DetailTable table, int row) {
        if (argument.isNumber() || argument.isReal()) {
            long number = table.number(argument.column(), row);
            if (number != -1) {
                boolean real = argument.isReal();
                text.argument(
                        argument.spelling(),
                        real ? Double.toString(Double.longBitsToDouble(number)) : Long.toString(number));
            }
            return;
        }
        String value = trace.strings().orNull(table.text(argument.column(), row));
        if (value != null) {
            text.argument(argument.spelling(), argument.isStructure() ? value : quoted(value));
        }
    }

    private static String quoted(String value) {
        return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(value)) + '"';
    }
}
