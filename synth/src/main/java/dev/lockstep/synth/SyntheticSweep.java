// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import dev.lockstep.synth.TraceRecipe.Communication;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes the runs of a sweep, each in its directory with its truth, and the truth about the sweep above them. */
public final class SyntheticSweep {
    private SyntheticSweep() {}

    /** Writes with the calling thread alone, traces being named {@code trace_step<N>.json} as trainers name them. */
    public static SweepTruth write(Path directory, SweepRecipe recipe) throws IOException {
        int steps = SyntheticRun.steps(recipe.base());
        return write(directory, recipe, Layout.torchProfiler("trace_step" + steps + ".json"), Workers.none());
    }

    public static SweepTruth write(Path directory, SweepRecipe recipe, Layout layout, Workers workers)
            throws IOException {
        List<SweepTruth.Entry> runs = new ArrayList<>();
        for (Communication setting : recipe.settings()) {
            String name = recipe.style().directory(setting);
            RunTruth truth = SyntheticRun.write(directory.resolve(name), recipe.recipe(setting), layout, workers);
            runs.add(new SweepTruth.Entry(name, setting, truth));
        }
        SweepTruth truth = new SweepTruth(runs);
        try (Output output = new Output()) {
            TruthJson.write(output, directory, json(recipe, truth));
            output.commit();
        }
        return truth;
    }

    private static Map<String, Object> json(SweepRecipe recipe, SweepTruth truth) {
        List<SweepTruth.Entry> ranking = truth.ranking();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("recipe", TruthJson.recipe(recipe.base()));
        json.put(
                "configurations",
                truth.runs().stream()
                        .map(entry -> {
                            Map<String, Object> one = new LinkedHashMap<>();
                            one.put("directory", entry.directory());
                            one.put("threads", entry.setting().threads());
                            one.put("channels", entry.setting().channels());
                            one.put("mean_step_ns", entry.truth().meanStepNanos());
                            one.put("place", ranking.indexOf(entry) + 1);
                            return one;
                        })
                        .toList());
        json.put("ranking", ranking.stream().map(SweepTruth.Entry::directory).toList());
        return json;
    }
}
