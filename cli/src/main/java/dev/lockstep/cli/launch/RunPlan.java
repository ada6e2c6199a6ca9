// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import dev.lockstep.cli.HiddenValues;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One run of a plan.
 *
 * @param setting what sets it apart
 * @param directory its folder
 * @param stamp of the launch it belongs to
 * @param recipe how it is started
 */
public record RunPlan(Setting setting, Path directory, String stamp, Recipe recipe) {
    /** Set by shells; called as passwords are, and no secrets. */
    private static final Set<String> CURRENT_FOLDER = Set.of("PWD", "OLDPWD");

    private static final String ANY_OUTPUT = "{output}";

    /** What all ranks are given. */
    public Map<String, String> environment() {
        Map<String, String> set = new LinkedHashMap<>(setting.environment());
        set.putAll(recipe.pipeline().environment(recipe.variant()));
        if (recipe.serializeKernels()) {
            set.put("AMD_SERIALIZE_KERNEL", "3");
            set.put("HIP_LAUNCH_BLOCKING", "1");
        }
        set.putAll(recipe.environment());
        return set;
    }

    /** The words that start the trainer, without container. */
    List<String> command() {
        return command(directory.toString());
    }

    /** As {@link #command}, but the same wherever the run's folder is. */
    List<String> commandAnywhere() {
        return command(ANY_OUTPUT);
    }

    Overrides overrides() {
        return new Overrides(recipe.pipeline().overrides(recipe.variant()), recipe.overrides(), new Problems());
    }

    /** What is secret in what the trainer is given, and in what it inherits. */
    HiddenValues secrets() {
        Map<String, String> inherited = new HashMap<>(System.getenv());
        inherited.keySet().removeAll(CURRENT_FOLDER);
        return HiddenValues.in(command(), List.of(environment(), inherited));
    }

    /** The program that must be there. */
    String program() {
        return profiled(directory.toString()).getFirst();
    }

    private List<String> command(String output) {
        List<String> line = new ArrayList<>();
        if (recipe.pipeline().forbidsCoreDumps(recipe.variant())) {
            line.addAll(List.of("sh", "-c", "ulimit -c 0; exec \"$@\"", "sh"));
        }
        line.addAll(profiled(output));
        return List.copyOf(line);
    }

    private List<String> profiled(String output) {
        List<String> line = recipe.command().build(recipe.config().file(), output, overrides());
        return recipe.rocprof() == null ? line : recipe.rocprof().around(line, output);
    }

    /**
     * The processes to start.
     *
     * @param port at which ranks meet that are started one by one
     */
    public List<ProcessPlan> processes(int port) {
        List<ProcessPlan> plans = new ArrayList<>();
        for (int i = 0; i < recipe.command().started(); i++) {
            boolean direct = recipe.launcher() == Launcher.DIRECT;
            Map<String, String> settings = environment();
            if (direct) {
                settings.putAll(recipe.nodes().variables(i, port));
            } else if (recipe.launcher() == Launcher.COMMAND) {
                settings.putAll(recipe.nodes().variables());
            }
            plans.add(plan(direct ? recipe.nodes().rank() * recipe.processes() + i : -1, settings));
        }
        return plans;
    }

    private ProcessPlan plan(int rank, Map<String, String> settings) {
        Container container = recipe.container();
        if (container == null) {
            return new ProcessPlan(rank, settings, settings, command(), null);
        }
        String name = ("lockstep-" + stamp + "-" + setting.directory()).replaceAll("[^A-Za-z0-9_.-]", "-")
                + (rank < 0 ? "" : "-rank" + rank);
        return new ProcessPlan(
                rank, settings, Container.secrets(settings), container.around(command(), settings, name), name);
    }
}
