// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The truth as JSON, two levels readable by eye. Values are maps, lists, strings, numbers and booleans. */
final class TruthJson {
    private TruthJson() {}

    static Map<String, Object> of(RunTruth truth) {
        TraceRecipe recipe = truth.recipe();
        int straggler = recipe.disturbance().stragglerRank();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("recipe", recipe(recipe));
        json.put("steps", truth.steps());
        json.put("mean_step_ns", truth.meanStepNanos());
        json.put("step_ns", truth.stepNanos());
        if (straggler != TraceRecipe.NO_STRAGGLER) {
            json.put("straggler", straggler(truth, straggler));
        }
        TraceRecipe.Disturbance disturbance = recipe.disturbance();
        if (!disturbance.stragglers().isEmpty()) {
            json.put(
                    "stragglers",
                    disturbance.stragglers().stream().map(TruthJson::straggler).toList());
        }
        if (!disturbance.delays().isEmpty()) {
            json.put(
                    "delays",
                    disturbance.delays().stream().map(TruthJson::delay).toList());
        }
        json.put("ranks", truth.ranks().stream().map(rank -> rank(recipe, rank)).toList());
        json.put(
                "collectives",
                truth.collectives().stream().map(TruthJson::collective).toList());
        return json;
    }

    static Map<String, Object> recipe(TraceRecipe recipe) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("seed", recipe.seed());
        json.put("vendor", recipe.vendor().name());
        json.put("ranks", recipe.cluster().ranks());
        json.put("gpus_per_node", recipe.cluster().gpusPerNode());
        json.put("shard_ranks", recipe.cluster().shardRanks());
        json.put("layers", recipe.model().layers());
        json.put("hidden", recipe.model().hidden());
        json.put("sequence_length", recipe.model().sequenceLength());
        json.put("batch", recipe.model().batch());
        json.put("threads", recipe.communication().threads());
        json.put("channels", recipe.communication().channels());
        json.put("straggler_rank", recipe.disturbance().stragglerRank());
        json.put("slowdown", recipe.disturbance().slowdown());
        json.put("max_clock_offset_ns", recipe.disturbance().maxClockOffsetNanos());
        json.put("max_drift_ppm", recipe.disturbance().maxDriftPpm());
        json.put("bytes_per_rank", recipe.recording().bytesPerRank());
        json.put("python_stacks", recipe.recording().pythonStacks());
        json.put(
                "omitted",
                recipe.recording().omitted().stream().map(Enum::name).sorted().toList());
        json.put("host_factor", recipe.hostFactor());
        furtherSettings(recipe, json);
        return json;
    }

    /** What is not as it always was. */
    private static void furtherSettings(TraceRecipe recipe, Map<String, Object> json) {
        Parallelism parallelism = recipe.cluster().parallelism();
        if (parallelism.spreads()) {
            json.put("pipeline", parallelism.pipeline());
            json.put("tensor", parallelism.tensor());
            json.put("micro_batches", parallelism.microBatches());
            json.put("chunks", parallelism.chunks());
            json.put("schedule", parallelism.schedule().spelling());
            json.put("stage_layers", parallelism.stageLayers());
        }
        if (recipe.disturbance().timing() != Regularity.VARIED) {
            json.put("timing", recipe.disturbance().timing().name().toLowerCase(Locale.ROOT));
        }
        if (recipe.model().graphs()) {
            json.put("graphs", true);
        }
        if (recipe.recording().syncEvents()) {
            json.put("sync_events", true);
        }
        MemoryPlan memory = recipe.recording().memory();
        if (memory != null) {
            json.put("leak_bytes", memory.leakBytes());
            json.put("fragmentation_bytes", memory.fragmentationBytes());
            json.put("peak_bytes", memory.peakBytes());
            json.put("peak_step", memory.peakStep());
        }
    }

    /** A rank that is slow, all ways in which it is. */
    private static Map<String, Object> straggler(Straggler straggler) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("rank", straggler.rank() == Straggler.ALL ? "all" : straggler.rank());
        json.put("kind", straggler.kind().spelling());
        json.put("amount", straggler.amount());
        if (straggler.from() > 1) {
            json.put("from_step", straggler.from());
        }
        return json;
    }

    private static Map<String, Object> delay(Delay delay) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("rank", delay.rank());
        json.put("correlation", delay.correlation());
        if (delay.node() > 0) {
            json.put("node", delay.node());
        }
        json.put("delay_ns", delay.nanos());
        return json;
    }

    private static Map<String, Object> pass(RankTruth.Pass pass) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("step", pass.step());
        json.put("pass", pass.pass());
        json.put("chunk", pass.chunk());
        json.put("micro_batch", pass.microBatch());
        json.put("start_ns", pass.startNanos());
        json.put("end_ns", pass.endNanos());
        return json;
    }

    private static void role(TraceRecipe recipe, int rank, Map<String, Object> json) {
        Parallelism parallelism = recipe.cluster().parallelism();
        if (parallelism.spreads()) {
            int ranks = recipe.cluster().ranks();
            json.put("dp", parallelism.dataOf(rank, ranks));
            json.put("pp", parallelism.stageOf(rank, ranks));
            json.put("tp", rank % parallelism.tensor());
        }
    }

    private static Map<String, Object> straggler(RunTruth truth, int rank) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("rank", rank);
        json.put("slowdown", truth.recipe().disturbance().slowdown());
        truth.ranks().stream()
                .filter(written -> written.rank() == rank)
                .findFirst()
                .ifPresent(written -> {
                    long total = written.excessNanosByStep().stream()
                            .mapToLong(Long::longValue)
                            .sum();
                    json.put("excess_ns_per_step", total / truth.steps());
                    json.put("excess_ns", total);
                });
        return json;
    }

    private static Map<String, Object> rank(TraceRecipe recipe, RankTruth rank) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("rank", rank.rank());
        json.put("path", rank.path());
        json.put("bytes", rank.bytes());
        json.put("clock_offset_ns", rank.clock().offsetNanos());
        json.put("clock_drift_ppb", rank.clock().driftPpb());
        Map<String, Object> totals = new LinkedHashMap<>();
        for (RankTruth.CategoryTotal total : rank.totals()) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("count", total.count());
            one.put("dur_ns", total.nanos());
            totals.put(total.category(), one);
        }
        json.put("categories", totals);
        json.put("compute_ns_by_step", rank.computeNanosByStep());
        json.put("excess_ns_by_step", rank.excessNanosByStep());
        if (!recipe.disturbance().stragglers().isEmpty()) {
            json.put("paused_ns_by_step", rank.pausedNanosByStep());
        }
        role(recipe, rank.rank(), json);
        if (!rank.passes().isEmpty()) {
            json.put("passes", rank.passes().stream().map(TruthJson::pass).toList());
        }
        MemoryTruth memory = rank.memory();
        if (memory != null) {
            json.put("memory", memory(memory));
        }
        return json;
    }

    private static Map<String, Object> memory(MemoryTruth memory) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("baseline_bytes", memory.baselineBytes());
        json.put("start_bytes", memory.startBytes());
        json.put("allocations", memory.allocations());
        json.put("frees", memory.frees());
        json.put("peak_bytes", memory.peak().bytes());
        json.put("peak_reserved_bytes", memory.peak().reservedBytes());
        json.put("peak_at_ns", memory.peak().atNanos());
        String leaks = memory.leakOwner();
        String peaks = memory.peakOwner();
        if (leaks != null) {
            json.put("leak_owner", leaks);
        }
        if (peaks != null) {
            json.put("peak_owner", peaks);
        }
        return json;
    }

    private static Map<String, Object> collective(RunTruth.CollectiveTotal total) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", total.name());
        json.put("group", total.group());
        json.put("group_size", total.groupSize());
        json.put("count_per_rank", total.countPerRank());
        json.put("bytes_per_rank", total.bytesPerRank());
        return json;
    }

    static void write(Output output, Path directory, Map<String, Object> truth) throws IOException {
        StringBuilder text = new StringBuilder();
        append(text, truth, 0);
        text.append('\n');
        try (OutputStream file = OutputFile.create(output, directory, SyntheticRun.TRUTH_FILE)) {
            file.write(text.toString().getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Strings are known not to need escapes: names and paths of our own making. */
    private static void append(StringBuilder text, Object value, int depth) {
        if (value instanceof Map<?, ?> map) {
            List<Object> members = new ArrayList<>(map.entrySet());
            appendAll(text, members, depth, '{', '}');
        } else if (value instanceof List<?> list) {
            appendAll(text, list, depth, '[', ']');
        } else if (value instanceof Map.Entry<?, ?> entry) {
            text.append('"').append(entry.getKey()).append("\": ");
            append(text, entry.getValue(), depth);
        } else if (value instanceof String) {
            text.append('"').append(value).append('"');
        } else {
            text.append(value);
        }
    }

    private static void appendAll(StringBuilder text, List<?> values, int depth, char first, char last) {
        boolean broken = depth < 2 && !values.isEmpty() && !(values.get(0) instanceof Number);
        text.append(first);
        for (int i = 0; i < values.size(); i++) {
            text.append(i == 0 ? "" : broken ? "," : ", ");
            if (broken) {
                text.append('\n').append("  ".repeat(depth + 1));
            }
            append(text, values.get(i), depth + 1);
        }
        text.append(broken ? "\n" + "  ".repeat(depth) : "").append(last);
    }
}
