// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.analyze.TableNames;
import dev.lockstep.report.Section.Link;
import java.io.File;
import java.nio.file.Path;
import java.util.List;

/** Links from the page of a sweep to the files beside it. */
final class SweepLinks {
    private SweepLinks() {}

    static List<Link> of(Path page, List<Path> files) {
        Path home = page.toAbsolutePath().normalize().getParent();
        return files.stream()
                .distinct()
                .map(file ->
                        link(home == null ? page : home, file.toAbsolutePath().normalize()))
                .toList();
    }

    private static Link link(Path home, Path file) {
        String path = home.relativize(file).toString().replace(File.separatorChar, '/');
        return new Link(path.startsWith("../") ? path.substring("../".length()) : path, path, meaning(path));
    }

    private static String meaning(String path) {
        if (path.contains("individual_reports/")) {
            return path.endsWith(".html") ? "page of one rank" : "report of one rank";
        }
        if (path.contains("collective_reports/")) {
            return "collectives of one configuration across its ranks";
        }
        if (path.contains("comparisons/")) {
            return "one rank under all thread counts";
        }
        if (path.contains("merged_traces/")) {
            return "all ranks on one timeline; lockstep view opens it";
        }
        if (path.contains("plots/")) {
            return "how much GEMMs vary";
        }
        if (path.contains("_with_collective_overlap")) {
            return "the same with the collectives meanwhile, and what they do";
        }
        if (path.contains("_with_timestamps")) {
            return "the same with the times of shortest and longest kernels";
        }
        if (path.contains(TableNames.GEMM_VARIANCE) || path.contains("time_variance")) {
            return "GEMMs that lose most time by varying";
        }
        if (path.contains("gpu_timeline_all_configs")) {
            return "timelines of all configurations";
        }
        if (path.contains("nccl_master")) {
            return "collectives of all configurations";
        }
        return path.contains("coverage") ? "what was expected and found" : "";
    }
}
