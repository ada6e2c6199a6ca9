// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import dev.lockstep.table.Quantiles;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes the traces of a run over gloo and {@code truth.json} beside them. */
public final class GlooRun {
    private GlooRun() {}

    /**
     * The truth about a run.
     *
     * @param runNanos how long it lasts
     * @param withoutSlowNanos how long it would last if nobody were slow
     * @param latenessNanos by rank and step: how much later than the median rank it was there for the first exchange
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Truth(long runNanos, long withoutSlowNanos, long[][] latenessNanos) {}

    /** Writes the run; earlier files of the same names are replaced. On failure nothing of it appears. */
    public static Truth write(Path directory, GlooRecipe recipe, Layout layout) throws IOException {
        GlooJob job = new GlooJob(recipe);
        Truth truth = truth(recipe, job);
        try (Output output = new Output()) {
            List<Object> files = new ArrayList<>();
            for (GlooRank rank : job.ranks()) {
                if (layout.writes(rank.rank())) {
                    String path = layout.path(rank.rank());
                    try (OutputStream file = OutputFile.create(output, directory, path)) {
                        file.write(rank.events().bytes(path));
                    }
                    Map<String, Object> one = new LinkedHashMap<>();
                    one.put("rank", rank.rank());
                    one.put("path", path);
                    one.put("clock_offset_ns", rank.events().offset());
                    one.put(
                            "lateness_ns_by_step",
                            Arrays.stream(truth.latenessNanos[rank.rank()])
                                    .boxed()
                                    .toList());
                    files.add(one);
                }
            }
            TruthJson.write(output, directory, json(recipe, truth, files));
            output.commit();
        }
        return truth;
    }

    /** One rank's trace in memory. */
    public static byte[] bytes(GlooRecipe recipe, int rank) {
        GlooJob job = new GlooJob(recipe);
        job.play();
        return job.ranks().get(rank).events().bytes(Layout.flat().path(rank));
    }

    /** The truth about a run without its traces. */
    public static Truth truth(GlooRecipe recipe) {
        return truth(recipe, new GlooJob(recipe));
    }

    private static Truth truth(GlooRecipe recipe, GlooJob job) {
        long run = job.play();
        long without = new GlooJob(recipe.withSlow(List.of())).play();
        int buckets = GlooJob.buckets(recipe);
        long[][] late = new long[recipe.ranks()][recipe.steps()];
        for (int step = 0; step < recipe.steps(); step++) {
            int first = step * buckets;
            long[] arrivals = job.ranks().stream()
                    .mapToLong(rank -> rank.arrivals().get(first))
                    .sorted()
                    .toArray();
            for (int rank = 0; rank < late.length; rank++) {
                late[rank][step] = job.ranks().get(rank).arrivals().get(first) - Quantiles.lowerMedian(arrivals);
            }
        }
        return new Truth(run, without, late);
    }

    private static Map<String, Object> json(GlooRecipe recipe, Truth truth, List<Object> ranks) {
        Map<String, Object> json = new LinkedHashMap<>();
        Map<String, Object> made = new LinkedHashMap<>();
        made.put("seed", recipe.seed());
        made.put("backend", "gloo");
        made.put("on_devices", recipe.onDevices());
        made.put("ranks", recipe.ranks());
        made.put("layers", recipe.layers());
        made.put("hidden", recipe.hidden());
        made.put("max_clock_offset_ns", recipe.maxClockOffsetNanos());
        json.put("recipe", made);
        json.put("steps", recipe.steps());
        json.put("run_ns", truth.runNanos);
        json.put("run_without_slow_ns", truth.withoutSlowNanos);
        json.put(
                "slow",
                recipe.slow().stream()
                        .map(one -> {
                            Map<String, Object> slow = new LinkedHashMap<>();
                            slow.put("rank", one.rank());
                            slow.put("stage", one.stage().spelling());
                            slow.put("ns", one.nanos());
                            slow.put("from", one.from());
                            return slow;
                        })
                        .toList());
        json.put("ranks", ranks);
        Map<String, Object> collective = new LinkedHashMap<>();
        collective.put("name", "gloo:all_reduce");
        collective.put("count_per_rank", (long) recipe.steps() * GlooJob.buckets(recipe));
        long bytes = 0;
        for (int bucket = 0; bucket < GlooJob.buckets(recipe); bucket++) {
            bytes += GlooJob.bytes(recipe, bucket);
        }
        collective.put("bytes_per_rank", bytes * recipe.steps());
        json.put("collectives", List.of(collective));
        return json;
    }
}
