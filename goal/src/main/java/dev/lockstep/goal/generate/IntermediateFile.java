// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.generate;

import dev.lockstep.error.NamedFiles;
import dev.lockstep.goal.recording.Gpu;
import dev.lockstep.goal.recording.RecordedOperation;
import dev.lockstep.goal.recording.RecordedRun;
import dev.lockstep.write.Unicode;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Schedules whose operations are whole collectives, for people: for each rank its streams, each with what was done and the
 * time between, the first measured from when profiling began. No simulator reads this.
 */
public final class IntermediateFile {
    /** The name of the file. */
    public static final String NAME = "Events_Dependency.goal";

    private final BufferedWriter out;
    private int next;

    private IntermediateFile(BufferedWriter out) {
        this.out = out;
    }

    /** Writes all ranks. */
    public static void write(RecordedRun recording, Path file) throws IOException {
        try (BufferedWriter out = NamedFiles.writer(file)) {
            IntermediateFile writer = new IntermediateFile(out);
            out.write("num_ranks " + recording.gpus().size() + "\n");
            for (int rank = 0; rank < recording.gpus().size(); rank++) {
                writer.rank(rank, recording.gpus().get(rank));
            }
        }
    }

    private void rank(int rank, Gpu gpu) throws IOException {
        out.write("rank " + rank + " {\n");
        next = 1;
        Map<String, List<RecordedOperation>> streams = new LinkedHashMap<>();
        gpu.operations().stream()
                .sorted(Comparator.comparingLong(RecordedOperation::start))
                .forEach(o -> streams.computeIfAbsent(o.stream(), s -> new ArrayList<>())
                        .add(o));
        int cpu = 0;
        for (Map.Entry<String, List<RecordedOperation>> stream : streams.entrySet()) {
            stream(rank, gpu.windowStart(), stream.getKey(), stream.getValue(), cpu++);
        }
        out.write("}\n");
    }

    private void stream(int rank, long begin, String name, List<RecordedOperation> operations, int cpu)
            throws IOException {
        long end = begin;
        int last = 0;
        for (RecordedOperation o : operations) {
            int gap = next++;
            out.write("l" + gap + ": calc " + Math.max(0, o.start() - end) + " cpu " + cpu + "\n");
            requires(gap, last);
            int label = next++;
            out.write("l" + label + ": " + o.kind().word() + " " + o.bytes() + " bytes comm " + o.communicator()
                    + " gpu " + rank + " stream " + Unicode.cell(name) + " seq " + o.sequence() + " end\n");
            requires(label, gap);
            last = label;
            end = Math.max(end, o.end());
        }
    }

    private void requires(int later, int earlier) throws IOException {
        if (earlier > 0) {
            out.write("l" + later + " requires l" + earlier + "\n");
        }
    }
}
