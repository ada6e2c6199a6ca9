// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.runs;

import java.nio.file.Path;

/**
 * Where the reports lie that are about a whole sweep.
 *
 * @param analysis the folder of all analyses
 * @param names what the files in it are called
 */
public record SweepReports(Path analysis, ReportNames names) {
    /** The finished reports in a folder, whichever names they have; where there are none, these. */
    public static SweepReports existing(Path analysis, ReportNames names) {
        return new SweepReports(analysis, names.usedIn(analysis));
    }

    /** A rank's report compared across thread counts; {@code column} is the configuration's: {@code 28ch}. */
    public Path acrossThreads(String column, int rank) {
        return analysis.resolve("comparisons").resolve("compare_" + column + "_rank" + rank + "_across_threads.xlsx");
    }

    /** The page about the whole sweep. */
    public Path page() {
        return analysis.resolve("sweep.html");
    }

    /** The timelines of all configurations. */
    public Path timelines(boolean geometric) {
        return analysis.resolve("gpu_timeline_all_configs_" + (geometric ? "geomean" : "mean") + ".xlsx");
    }

    /** The collectives of all configurations; {@code ending} is {@code .xlsx} or {@code .csv}. */
    public Path collectives(String ending) {
        return analysis.resolve("nccl_master_all_configs" + ending);
    }

    /** The GEMMs whose time varies most. */
    public Path variance() {
        return analysis.resolve(names.variance() + ".csv");
    }

    /** The same with the times of their shortest and longest instances. */
    public Path varianceWithTimes() {
        return analysis.resolve(names.variance() + "_with_timestamps.csv");
    }

    /** The same with the collectives that overlapped the longest instance. */
    public Path varianceWithOverlap() {
        return analysis.resolve(names.variance() + "_with_collective_overlap.csv");
    }

    /** The folder of pictures. */
    public Path plots() {
        return analysis.resolve("plots");
    }

    /** A configuration's ranks in one trace; beside the folder of analyses. */
    public Path merged(Configuration configuration) {
        return home().resolve("merged_traces").resolve(configuration.label() + "_merged.json");
    }

    /** The folder that the folder of analyses lies in. */
    public Path home() {
        Path sweep = analysis.toAbsolutePath().normalize().getParent();
        return sweep == null ? analysis : sweep;
    }
}
