// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep.summary;

import dev.lockstep.error.NamedFiles;
import dev.lockstep.report.Finding;
import dev.lockstep.runs.SweepReports;
import dev.lockstep.sweep.ConfigurationRun;
import dev.lockstep.sweep.Extract;
import dev.lockstep.sweep.gemm.GemmStage;
import dev.lockstep.sweep.gemm.Selection;
import dev.lockstep.table.Table;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Matrix multiplications of a whole sweep: three files, and what communication does to them. */
public final class SweepGemms {
    private static final int ROWS_OF_A_RANK = 5;

    private final GemmStage stage = new GemmStage(ROWS_OF_A_RANK, Selection.ALL);

    SweepGemms() {}

    Extract<?> extract() {
        return stage.extract();
    }

    void add(ConfigurationRun run) {
        stage.add(run);
    }

    boolean isEmpty() {
        return stage.size() == 0;
    }

    /** What communication does to them, in words. */
    public List<Finding> findings() {
        return stage.pooled().findings();
    }

    /** The same in numbers. */
    public List<Table> tables() {
        return stage.pooled().tables();
    }

    /** The three files, each with more columns than the one before; nothing when there are no matrix multiplications. */
    List<Path> write(SweepReports places, Output output) throws IOException {
        if (isEmpty()) {
            return List.of();
        }
        put(stage.variance(), places.variance(), output);
        put(stage.timestamps(), places.varianceWithTimes(), output);
        put(stage.overlap(), places.varianceWithOverlap(), output);
        return List.of(places.variance(), places.varianceWithTimes(), places.varianceWithOverlap());
    }

    private static void put(String text, Path target, Output output) throws IOException {
        NamedFiles.write(output.file(target), text);
    }
}
