// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The two kinds of launches: what their files are called, and what all runs of one have in common. */
public enum Pipeline {
    CONFIG(
            "config",
            "RCCL Warp Speed Configuration Comparison",
            "rccl_warp_speed",
            "rccl_warp_speed_comparison",
            "rccl_warp_speed_summary"),
    SWEEP("sweep", "NCCL Channel & Thread Sweep", "sweep", "nccl_thread_sweep", "nccl_thread_sweep_summary");

    /** The folder in which folders of launches are put. */
    static final Path EXPERIMENTS = Path.of("experiments");

    private final String command;
    private final String title;
    private final String folder;
    private final String log;
    private final String summary;

    Pipeline(String command, String title, String folder, String log, String summary) {
        this.command = command;
        this.title = title;
        this.folder = folder;
        this.log = log;
        this.summary = summary;
    }

    /** The command's first word. */
    String command() {
        return command;
    }

    String title() {
        return title;
    }

    /** What names of folders of this kind begin with. */
    String folderPrefix() {
        return folder + "_";
    }

    /** Where a launch goes that is given no folder. */
    public Path folder(String stamp) {
        return EXPERIMENTS.resolve(folderPrefix() + stamp);
    }

    String logName(String stamp) {
        return log + "_" + stamp + ".log";
    }

    String summaryName(String stamp) {
        return summary + "_" + stamp + ".txt";
    }

    /** What is set besides the setting. */
    Map<String, String> environment(Variant variant) {
        Map<String, String> set = new LinkedHashMap<>();
        boolean last = this == CONFIG && variant == Variant.LATEST;
        set.put("HSA_ENABLE_SDMA", "0");
        set.put("PYTORCH_ROCM_PROFILER_ENABLE_TRACING", last ? "0" : "1");
        if (last) {
            set.put("NCCL_TIMEOUT", "60");
            set.put("HSA_ENABLE_COREDUMP", "0");
        }
        return set;
    }

    /** Whether the trainer may not leave core dumps behind. */
    boolean forbidsCoreDumps(Variant variant) {
        return this == CONFIG && variant == Variant.LATEST;
    }

    /** What of the trainer's configuration is overridden if the user says nothing else. */
    List<String> overrides(Variant variant) {
        return this == SWEEP && variant == Variant.LATEST
                ? List.of("profiling.tensorboard=false")
                : List.of("training.max_steps=100", "profiling.tensorboard=false");
    }
}
