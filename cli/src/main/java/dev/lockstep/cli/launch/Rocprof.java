// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * rocprofv3 around the trainer.
 *
 * @param stats whether to ask for its statistics; not with an input, which says that itself
 * @param input its own configuration, or null to trace kernels
 */
public record Rocprof(boolean stats, @Nullable Path input) {
    /** Where its files go, below the run's folder. */
    static final String FOLDER = "rocprof_traces";

    List<String> around(List<String> command, String output) {
        List<String> line = new ArrayList<>();
        line.add("rocprofv3");
        if (input != null) {
            line.addAll(List.of("-i", input.toString()));
        } else {
            line.add("--kernel-trace");
            if (stats) {
                line.add("--stats");
            }
        }
        line.addAll(List.of("-d", output + "/" + FOLDER, "--"));
        line.addAll(command);
        return line;
    }
}
