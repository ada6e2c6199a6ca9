// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.codec.JsonObject;
import dev.lockstep.codec.JsonOut;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.straggler.GroupSlowdown;
import dev.lockstep.straggler.StragglerFigures;
import dev.lockstep.straggler.StragglerFigures.Groups;
import dev.lockstep.straggler.StragglerFigures.Share;
import dev.lockstep.straggler.StragglerFigures.Workers;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What stragglers cost, for programs: the fields of the study's results; see {@code docs/reference/cli.md}. Times are seconds. */
final class StragglerJson {
    /** What the study's results say about a job that a table does not show. */
    static final List<String> META = List.of("trial_name", "run_id", "tp_size", "dsp_size", "vpp_size", "world_size");

    private final JsonObject json = new JsonObject();
    private final StragglerFigures figures;

    private StragglerJson(StragglerFigures figures) {
        this.figures = figures;
    }

    /** @param meta what the caller says about the job; others are null */
    static void write(Path file, StragglerFigures figures, Map<String, Object> meta) throws IOException {
        try (Writer out = NamedFiles.writer(file)) {
            JsonOut.pretty(new StragglerJson(figures).all(meta), out);
        }
    }

    private JsonObject all(Map<String, Object> meta) {
        JsonObject job = new JsonObject()
                .with("dp_size", figures.job().dataParallel())
                .with("pp_size", figures.job().stages());
        META.forEach(name -> job.with(name, meta.get(name) instanceof Number number ? number : text(meta.get(name))));
        json.with("job_meta", job);
        json.with("ideal", figures.job().idealOf().name().toLowerCase(Locale.ROOT));
        byStep("step_t_base", s -> seconds(figures.recorded()[s]));
        byStep("step_t_nodelay", s -> seconds(figures.replayed()[s]));
        byStep("step_t_noblk", s -> seconds(figures.ideal()[s]));
        json.with("launch_slowdown", figures.unexplained());
        json.with("blocking_slowdown", figures.slowdown());
        double[] above = figures.above();
        byStep("launch_step_slowdown", s -> figures.recorded()[s] / figures.replayedSteps()[s]);
        byStep("blocking_step_slowdown", s -> above[s] / figures.idealSteps()[s]);
        groups("blocking", figures.kept(), figures.idealSteps());
        groups("launch", figures.delayed(), figures.replayedSteps());
        share("mw", "Mw", figures.worst());
        share("ms", "Ms", figures.lastStage());
        return json.with("workers", workers(figures.workers()));
    }

    private static @Nullable String text(@Nullable Object value) {
        return value == null ? null : value.toString();
    }

    private double seconds(double time) {
        return time / figures.second();
    }

    private void byStep(String name, IntToDoubleFunction value) {
        JsonObject steps = new JsonObject();
        for (int s : slowestFirst(value)) {
            steps.with(Long.toString(figures.steps()[s]), value.applyAsDouble(s));
        }
        json.with(name, steps);
    }

    private int[] slowestFirst(IntToDoubleFunction value) {
        return IntStream.range(0, figures.steps().length)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer s) -> -value.applyAsDouble(s)))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private void groups(String kind, @Nullable Groups groups, double[] without) {
        group(kind + "_decompose_by_optype", groups == null ? null : groups.types(), without);
        group(kind + "_decompose_by_dp_rank", groups == null ? null : groups.dataParallelRanks(), without);
        group(kind + "_decompose_by_stage", groups == null ? null : groups.stages(), without);
    }

    private void group(String name, @Nullable List<GroupSlowdown> slowdowns, double[] without) {
        if (slowdowns == null) {
            json.with(name, null).with(name + "_per_step", null);
            return;
        }
        JsonObject prices = new JsonObject();
        slowdowns.forEach(one -> prices.with(one.label(), one.price()));
        JsonObject steps = new JsonObject();
        double[] above = figures.above();
        for (int s : slowestFirst(i -> above[i] / figures.idealSteps()[i])) {
            JsonObject step = new JsonObject();
            slowdowns.stream()
                    .sorted(Comparator.comparingDouble((GroupSlowdown one) -> -one.times()[s]))
                    .forEach(one -> step.with(one.label(), one.times()[s] / without[s]));
            steps.with(Long.toString(figures.steps()[s]), step);
        }
        json.with(name, prices).with(name + "_per_step", steps);
    }

    /** Where typical durations gain nothing there is no share: null. */
    private void share(String name, String field, @Nullable Share share) {
        json.with(
                name,
                share == null
                        ? null
                        : new JsonObject()
                                .with("trem", seconds(share.removed()))
                                .with("tadd", seconds(share.added()))
                                .with("tori", seconds(share.original()))
                                .with("tideal", seconds(share.ideal()))
                                .with("rem", share.gone())
                                .with("add", share.there())
                                .with(field, share.gone()));
    }

    private @Nullable List<JsonObject> workers(@Nullable Workers workers) {
        if (workers == null) {
            return null;
        }
        int stages = figures.job().stages();
        return IntStream.range(0, workers.ranks().length)
                .mapToObj(w -> new JsonObject()
                        .with("rank", workers.ranks()[w])
                        .with("dp_rank", w / stages)
                        .with("stage", w % stages)
                        .with("slowdown", workers.scores()[w])
                        .with("chosen", Arrays.stream(workers.chosen()).anyMatch(chosen -> chosen == w)))
                .toList();
    }
}
