// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.rocprof;

import dev.lockstep.codec.JsonCursor.Stop;
import dev.lockstep.codec.JsonWindow;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Diagnostics.Weight;
import dev.lockstep.model.Rank;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceBuilder;
import dev.lockstep.model.TraceFormat;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.read.RankNames;
import dev.lockstep.read.TraceInput;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/** One process of the file: its members in any order. */
final class ToolProcess {
    /** Where reading can go on behind damage. */
    static final String[] KNOWN = {
        "\"kernel_symbols\"",
        "\"buffer_records\"",
        "\"kernel_dispatch\"",
        "\"memory_copy\"",
        "\"hip_api\"",
        "\"hsa_api\"",
        "\"marker_api\"",
        "\"rccl_api\"",
        "\"strings\"",
        "\"agents\""
    };

    private final int place;
    private final TraceBuilder builder;
    private final NameTables names;
    private final RecordSink sink;
    private final RecordFields fields = new RecordFields();
    private final Map<String, String> metadata = new TreeMap<>();

    /**
     * @param place among the processes of the file
     * @param everything whether the trace shall keep what no column holds
     */
    ToolProcess(int place, boolean everything) {
        this.place = place;
        builder = new TraceBuilder(16, everything);
        names = new NameTables(builder.strings());
        sink = new RecordSink(builder, names);
    }

    Diagnostics diagnostics() {
        return builder.diagnostics();
    }

    boolean hasRecords() {
        return sink.records() > 0;
    }

    /** Takes the value of a member of the process. */
    void member(String key, JsonWindow window) throws IOException, Stop {
        switch (key) {
            case "metadata" -> metadata(window);
            case "agents" -> names.readAgents(window);
            case "strings" -> names.readStrings(window);
            case "kernel_symbols" -> names.readKernels(window);
            case "buffer_records" -> buffers(window);
            default -> {
                if (RecordSink.isKnown(key)) {
                    records(key, window);
                } else {
                    window.pass();
                }
            }
        }
    }

    /** @param alone whether the file holds no other process */
    Trace build(TraceInput input, boolean alone) {
        sink.finish(metadata.getOrDefault("pid", ""));
        Rank rank = RankNames.unstated(input.path(), place, alone, builder.diagnostics());
        return builder.build(new TraceInfo(
                input.name(), TraceFormat.ROCPROF.id(), rank, -1, names.agents().devices(), 0, metadata));
    }

    private void metadata(JsonWindow window) throws IOException, Stop {
        if (window.peek() != '{') {
            window.pass();
            return;
        }
        window.expect('{', "'{' of metadata");
        for (boolean first = true; window.more('}', first); first = false) {
            String key = window.key();
            if (key.equals("node") || key.equals("pid") || key.equals("init_time") || key.equals("fini_time")) {
                metadata.put(key, window.value());
            } else {
                window.pass();
            }
        }
    }

    private void buffers(JsonWindow window) throws IOException, Stop {
        if (window.peek() != '{') {
            window.pass();
            return;
        }
        window.expect('{', "'{' of the buffers");
        for (boolean first = true; window.more('}', first); first = false) {
            String list = window.key();
            if (RecordSink.isKnown(list)) {
                records(list, window);
            } else {
                window.pass();
            }
        }
    }

    private void records(String list, JsonWindow window) throws IOException, Stop {
        if (window.peek() != '[') {
            window.pass();
            return;
        }
        window.expect('[', "'[' of the records");
        window.elements(() -> record(list, window), () -> damaged(window));
    }

    private void record(String list, JsonWindow window) throws IOException, Stop {
        long position = window.position();
        if (window.peek() != '{') {
            window.pass();
            builder.diagnostics()
                    .add(Weight.REPAIRED, "not_an_event", "an entry of " + list + " is no object", position);
            return;
        }
        window.cursor().notes = 0;
        window.take(fields::read);
        sink.accept(list, fields, position, (int) (window.position() - position));
    }

    private void damaged(JsonWindow window) {
        builder.diagnostics()
                .add(
                        Weight.LOSS,
                        "syntax",
                        "expected " + window.expected() + " in a record; what lies up to the next record was skipped",
                        window.failure());
    }
}
