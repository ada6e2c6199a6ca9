// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A process that is started for a run.
 *
 * @param rank that it is, or -1 if it starts the ranks
 * @param settings variables that the trainer sees, beyond those it inherits
 * @param environment variables that the process itself is given; where a container is told the settings, only those
 *     that a command line must not show
 * @param command all words
 * @param container the name of the container that the command makes, or null
 */
public record ProcessPlan(
        int rank,
        Map<String, String> settings,
        Map<String, String> environment,
        List<String> command,
        @Nullable String container) {}
