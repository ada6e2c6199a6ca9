// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import java.nio.file.Path;
import java.util.List;

/**
 * What a launch starts.
 *
 * @param recipe how each run is started
 * @param base the folder of the launch
 * @param stamp names its log and its summary
 * @param runs in the order in which they are started
 */
public record SweepPlan(Recipe recipe, Path base, String stamp, List<RunPlan> runs) {
    /** One run for each setting, in their order. */
    public static SweepPlan of(Recipe recipe, Path base, String stamp, List<? extends Setting> settings) {
        List<RunPlan> runs = settings.stream()
                .map(setting -> new RunPlan(setting, base.resolve(setting.directory()), stamp, recipe))
                .toList();
        return new SweepPlan(recipe, base, stamp, runs);
    }

    /** Throws, with all that is wrong in what the user asked for. */
    public void check(Problems problems) {
        new Overrides(List.of(), recipe.overrides(), problems);
        recipe.command().check(recipe.overrides(), problems);
        if (recipe.container() != null) {
            demandBelowHere("--output", base, problems);
            demandBelowHere("--config", recipe.config().file(), problems);
        }
        problems.check();
    }

    /** A container sees the working directory and nothing around it. */
    private static void demandBelowHere(String option, Path path, Problems problems) {
        if (path.isAbsolute() || path.normalize().startsWith("..")) {
            problems.add(option + ": with --container, " + path + " must be relative and lie below this folder");
        }
    }
}
