// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.generate;

import dev.lockstep.error.NamedFiles;
import dev.lockstep.goal.recording.Gpu;
import dev.lockstep.goal.recording.RecordedRun;
import dev.lockstep.write.Unicode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Which GPU each rank of a schedule is, as a table. */
public final class RankTable {
    /** The name of the file. */
    public static final String NAME = "ranks.tsv";

    private RankTable() {}

    /** Writes a line for each rank: rank, node, process, device. */
    public static void write(RecordedRun recording, Path file) throws IOException {
        StringBuilder table = new StringBuilder("rank\tnode\tpid\tdevice\n");
        List<Gpu> gpus = recording.gpus();
        for (int rank = 0; rank < gpus.size(); rank++) {
            Gpu gpu = gpus.get(rank);
            table.append(rank)
                    .append('\t')
                    .append(Unicode.cell(gpu.node()))
                    .append('\t')
                    .append(gpu.pid())
                    .append('\t');
            table.append(gpu.device() < 0 ? "" : Integer.toString(gpu.device())).append('\n');
        }
        NamedFiles.write(file, table);
    }
}
