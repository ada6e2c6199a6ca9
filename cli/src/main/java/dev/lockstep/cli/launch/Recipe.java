// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How every run of a plan is started.
 *
 * @param pipeline whose environment, overrides and names hold
 * @param variant of these
 * @param config the trainer's configuration
 * @param launcher starts the ranks
 * @param nodes that take part, and the ranks on each
 * @param words what the user wrote behind {@code --}
 * @param overrides as the user wrote them
 * @param environment that the user adds
 * @param serializeKernels whether kernels shall run one after the other
 * @param rocprof around the trainer, or null
 * @param container to run in, or null
 */
public record Recipe(
        Pipeline pipeline,
        Variant variant,
        TrainerConfig config,
        Launcher launcher,
        LaunchNodes nodes,
        List<String> words,
        List<String> overrides,
        Map<String, String> environment,
        boolean serializeKernels,
        @Nullable Rocprof rocprof,
        @Nullable Container container) {

    /** RCCL's own build, which the last state of the launchers puts first. */
    public static final Path RCCL_BUILD = Path.of("/opt/rccl/build/release");

    public Recipe {
        words = List.copyOf(words);
        overrides = List.copyOf(overrides);
        environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
    }

    /** Ranks on this node. */
    int processes() {
        return nodes.processes();
    }

    TrainerCommand command() {
        return new TrainerCommand(launcher, nodes, words);
    }
}
