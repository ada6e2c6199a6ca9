// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import static dev.lockstep.table.ColumnSpec.count;
import static dev.lockstep.table.ColumnSpec.id;
import static dev.lockstep.table.ColumnSpec.micros;
import static dev.lockstep.table.ColumnSpec.percent;
import static dev.lockstep.table.ColumnSpec.text;

import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.comm.PipelineStep;
import dev.lockstep.analyze.comm.PipelineStep.Gap;
import dev.lockstep.analyze.comm.PipelineStep.Kind;
import dev.lockstep.analyze.comm.PipelineStep.Pass;
import dev.lockstep.analyze.comm.Pipelines;
import dev.lockstep.path.PipelineCauses.Cause;
import dev.lockstep.report.Chart.Timeline;
import dev.lockstep.report.Chart.TimelineHead;
import dev.lockstep.report.Chart.TimelineRow;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Tables and the picture of the pipelines of a run. */
public final class PipelineSheets {
    private static final double HUNDRED = 100;
    private static final int MOST_ROWS = 64;
    private static final List<String> CLASSES = List.of("forward", "backward", "weights");

    private final Pipelines pipelines;
    private final Map<Integer, List<PipelineStep>> bySteps = new HashMap<>();
    private final List<CauseRow> causes = new ArrayList<>();

    /** The tables of these pipelines. */
    public PipelineSheets(Pipelines pipelines) {
        this.pipelines = pipelines;
        for (PipelineStep pipeline : pipelines.all()) {
            bySteps.computeIfAbsent(pipeline.step(), step -> new ArrayList<>()).add(pipeline);
        }
        for (PipelineStep pipeline : pipelines.all()) {
            PipelineCauses.causes(pipeline, alike(pipeline))
                    .forEach((cause, time) -> causes.add(new CauseRow(pipeline, cause, time)));
        }
    }

    private record StageRow(PipelineStep pipeline, int stage) {
        long sum(ToLongFunction<Gap> part) {
            return pipeline.stages().get(stage).passes().stream()
                    .mapToLong(pass -> part.applyAsLong(pass.gap()))
                    .sum();
        }

        PipelineStep.Stage of() {
            return pipeline.stages().get(stage);
        }

        /** From the last pass to the end of the last stage. */
        long drained() {
            return pipeline.bubble(stage) - sum(Gap::total);
        }
    }

    private static @Nullable Long stepOf(PipelineStep pipeline) {
        return pipeline.step() < 0 ? null : (long) pipeline.step();
    }

    private static double share(long part, long whole) {
        return whole == 0 ? 0 : HUNDRED * part / whole;
    }

    /** What each stage of each pipeline did in each step. */
    public Table stages() {
        List<StageRow> rows = new ArrayList<>();
        for (PipelineStep pipeline : pipelines.all()) {
            for (int stage = 0; stage < pipeline.stages().size(); stage++) {
                rows.add(new StageRow(pipeline, stage));
            }
        }
        return new Fields<StageRow>()
                .add(count("step", "Index of the step; missing where none are marked."), r -> stepOf(r.pipeline))
                .add(
                        text("pipeline", "Name of the process group."),
                        r -> r.pipeline.group().isEmpty() ? null : r.pipeline.group())
                .add(id("stage", "Place of the rank in the pipeline, from 0."), r -> (long) r.stage)
                .add(id("rank", "The rank."), r -> (long) r.pipeline.ranks().get(r.stage))
                .add(count("micro-batches", "Micro-batches that went through."), r -> (long) r.pipeline.microBatches())
                .add(count("chunks", "Parts of the model on the stage."), r -> (long) r.pipeline.chunks())
                .add(
                        micros("span us", "From the first pass of any stage to the end of the last one."),
                        r -> r.pipeline.span())
                .add(micros("passes us", "Time in passes."), r -> r.of().computing())
                .add(
                        percent("imbalance %", "How much longer than those of a stage of this pipeline on average."),
                        r -> HUNDRED * (r.of().computing() / r.pipeline.meanComputing() - 1))
                .add(micros("bubble us", "The rest of the span."), r -> r.pipeline.bubble(r.stage))
                .add(
                        percent("bubble %", "Its share of the span."),
                        r -> share(r.pipeline.bubble(r.stage), r.pipeline.span()))
                .add(
                        percent(
                                "formula %",
                                "Share that equal stages without transfers have: (stages - 1) / (chunks ·"
                                        + " micro-batches + stages - 1); where gradients of weights W are put off behind"
                                        + " those of inputs B, (stages - 1) (F + B - W) / (micro-batches (F + B + W) +"
                                        + " (stages - 1) (F + B - W))."),
                        r -> HUNDRED * r.pipeline.expectedShare())
                .add(
                        micros("waiting us", "Part of the bubble: another stage had not sent yet what is needed next."),
                        r -> r.sum(Gap::waiting))
                .add(
                        micros(
                                "transfer us",
                                "Part of the bubble: the message was on its way, both sides being there."),
                        r -> r.sum(Gap::transferring))
                .add(
                        micros("launch us", "Part of the bubble: the host had not asked for it, or not launched yet."),
                        r -> r.sum(Gap::launching))
                .add(
                        micros("drained us", "Part of the bubble: behind the last pass, while other stages go on."),
                        StageRow::drained)
                .add(micros("unresolved us", "Part of the bubble that nothing explains."), r -> r.sum(Gap::unresolved))
                .add(
                        micros(
                                "idle in passes us",
                                "Time in passes in which no compute kernel ran; no part of the bubble."),
                        r -> r.of().passes().stream()
                                .mapToLong(pass -> pass.duration() - pass.busy())
                                .sum())
                .table("pp_stages", "Stages of the pipeline", rows);
    }

    private record PassRow(PipelineStep pipeline, int stage, Pass pass) {}

    /** Each pass of each micro-batch. */
    public Table microBatches() {
        List<PassRow> rows = new ArrayList<>();
        for (PipelineStep pipeline : pipelines.all()) {
            for (int stage = 0; stage < pipeline.stages().size(); stage++) {
                for (Pass pass : pipeline.stages().get(stage).passes()) {
                    rows.add(new PassRow(pipeline, stage, pass));
                }
            }
        }
        return new Fields<PassRow>()
                .add(count("step", "Index of the step; missing where none are marked."), r -> stepOf(r.pipeline))
                .add(id("rank", "The rank."), r -> (long) r.pipeline.ranks().get(r.stage))
                .add(id("stage", "Its place in the pipeline, from 0."), r -> (long) r.stage)
                .add(
                        text("pass", "forward, backward, or weights: their gradients where they are put off."),
                        r -> word(r.pass.kind()))
                .add(
                        id("chunk", "Part of the stage's model; missing for weights."),
                        r -> r.pass.chunk() < 0 ? null : (long) r.pass.chunk())
                .add(
                        id("micro-batch", "From 0, in the order of the schedule; missing for weights."),
                        r -> r.pass.microBatch() < 0 ? null : (long) r.pass.microBatch())
                .add(
                        micros(ColumnNames.START_US, "Where its first kernel starts, on the common clock."),
                        r -> r.pass.start())
                .add(micros("duration us", "To the end of its last kernel."), r -> r.pass.duration())
                .add(micros("busy us", "How long compute kernels ran in it."), r -> r.pass.busy())
                .add(
                        micros("wait us", "Time without a pass before it."),
                        r -> r.pass.gap().total())
                .add(
                        id("waited for stage", "The stage that had not sent yet; missing for none."),
                        r -> r.pass.gap().waitedFor() < 0
                                ? null
                                : (long) r.pass.gap().waitedFor())
                .table("pp_microbatches", "Passes of micro-batches", rows);
    }

    private static String word(Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    private record CauseRow(PipelineStep pipeline, Cause cause, long time) {}

    /** Where the time goes in which stages stand still. */
    public Table bubbles() {
        return new Fields<CauseRow>()
                .add(count("step", "Index of the step; missing where none are marked."), r -> stepOf(r.pipeline))
                .add(
                        text("pipeline", "Name of the process group."),
                        r -> r.pipeline.group().isEmpty() ? null : r.pipeline.group())
                .add(id("first rank", "The rank of its first stage."), r ->
                        (long) r.pipeline.ranks().getFirst())
                .add(
                        text(
                                "cause",
                                "What makes the pipeline take longer than a stage computes on average:"
                                        + " warm_up_and_drain with equal stages and no transfers; on top of it imbalance"
                                        + " of stages; straggler: this pipeline's stages are slower than the same stages"
                                        + " of others; variation from micro-batch to micro-batch; transfer;"
                                        + " host_and_rest."),
                        r -> r.cause.spelling())
                .add(
                        micros(
                                ColumnNames.TIME_US,
                                "What the cause adds; the rows of a pipeline and step add up to its mean bubble."),
                        CauseRow::time)
                .add(percent("% of span", "The same as a share of the span."), r -> share(r.time, r.pipeline.span()))
                .table("pp_bubbles", "Bubbles of the pipeline by cause", causes);
    }

    /** What the pipelines lose, in one sentence with numbers; empty where there are none. */
    public String summary() {
        if (pipelines.all().isEmpty()) {
            return "";
        }
        PipelineStep one = pipelines.all().getFirst();
        long span = 0;
        long bubble = 0;
        long[] byCause = new long[Cause.values().length];
        for (PipelineStep pipeline : pipelines.all()) {
            for (int stage = 0; stage < pipeline.stages().size(); stage++) {
                span += pipeline.span();
                bubble += pipeline.bubble(stage);
            }
        }
        long spans = pipelines.all().stream().mapToLong(PipelineStep::span).sum();
        for (CauseRow row : causes) {
            byCause[row.cause.ordinal()] += row.time;
        }
        List<String> parts = new ArrayList<>();
        for (Cause cause : Cause.values()) {
            double part = share(byCause[cause.ordinal()], spans);
            if (part >= 1) {
                parts.add(words(cause) + String.format(Locale.ROOT, " %.1f %%", part) + whose(cause));
            }
        }
        return String.format(
                Locale.ROOT,
                "Pipeline stages run no pass for %.1f %% of the time (%d stages, %d micro-batches%s). Equal stages"
                        + " without transfers would run none for %.1f %%.%s",
                share(bubble, span),
                one.stages().size(),
                one.microBatches(),
                one.chunks() > 1 ? ", " + one.chunks() + " chunks each" : "",
                HUNDRED * one.expectedShare(),
                (parts.isEmpty() ? "" : " By cause: " + String.join(", ", parts) + ".")
                        + (pipelines.leftOut() == 0
                                ? ""
                                : " " + Words.count(pipelines.leftOut(), "step is", "steps are")
                                        + " left out, as passes do not fit together."));
    }

    /** Which stage or rank computes longest, where that is the cause. */
    private String whose(Cause cause) {
        Map<Long, List<Double>> excess = new TreeMap<>();
        for (PipelineStep pipeline : pipelines.all()) {
            List<PipelineStep> alike = cause == Cause.STRAGGLER ? alike(pipeline) : List.of(pipeline);
            for (int stage = 0; stage < pipeline.stages().size(); stage++) {
                int one = stage;
                double usual = cause == Cause.STRAGGLER
                        ? alike.stream()
                                .mapToLong(p -> p.stages().get(one).computing())
                                .average()
                                .orElse(0)
                        : pipeline.meanComputing();
                long of = cause == Cause.STRAGGLER ? pipeline.ranks().get(stage) : stage;
                excess.computeIfAbsent(of, key -> new ArrayList<>())
                        .add(pipeline.stages().get(stage).computing() / usual - 1);
            }
        }
        Map.Entry<Long, Double> most = excess.entrySet().stream()
                .map(e -> Map.entry(
                        e.getKey(),
                        e.getValue().stream().mapToDouble(d -> d).average().orElse(0)))
                .max(Map.Entry.comparingByValue())
                .orElseThrow();
        String how = String.format(Locale.ROOT, "%.1f %% longer than", HUNDRED * most.getValue());
        return switch (cause) {
            case IMBALANCE -> " (stage " + most.getKey() + " computes " + how + " the mean stage)";
            case STRAGGLER -> " (rank " + most.getKey() + " computes " + how + " the mean rank of its stage)";
            default -> "";
        };
    }

    private List<PipelineStep> alike(PipelineStep pipeline) {
        return PipelineCauses.alike(pipeline, bySteps.getOrDefault(pipeline.step(), List.of()));
    }

    private static String words(Cause cause) {
        return switch (cause) {
            case WARM_UP_AND_DRAIN -> "filling and draining";
            case IMBALANCE -> "stages of different length";
            case STRAGGLER -> "slow ranks";
            case VARIATION -> "micro-batches of different length";
            case TRANSFER -> "transfers";
            case HOST_AND_REST -> "the CPU and the rest";
        };
    }

    /** The stages over time, in the first step of which all is known; null where there is none. */
    public @Nullable Timeline chart() {
        if (pipelines.all().isEmpty()) {
            return null;
        }
        int step = pipelines.all().getFirst().step();
        List<PipelineStep> shown =
                pipelines.all().stream().filter(p -> p.step() == step).toList();
        long start = shown.stream().mapToLong(PipelineStep::start).min().orElse(0);
        long end = shown.stream().mapToLong(PipelineStep::end).max().orElse(start);
        boolean putsOff =
                shown.stream().flatMap(p -> p.stages().stream()).anyMatch(stage -> stage.count(Kind.WEIGHTS) > 0);
        List<String> names = new ArrayList<>();
        List<TimelineRow> rows = new ArrayList<>();
        for (PipelineStep pipeline : shown) {
            for (int stage = 0; stage < pipeline.stages().size() && rows.size() < MOST_ROWS; stage++) {
                rows.add(row(pipeline, stage, start, names));
            }
        }
        return new Timeline(
                "Stages of the pipeline",
                "Passes of micro-batches by stage"
                        + (step < 0 ? "" : " in step " + step)
                        + "; where a row is empty, the stage runs none. F forward, B backward, W weights, with the"
                        + " number of the micro-batch and, behind a dot, of the chunk.",
                start,
                end,
                CLASSES.subList(0, putsOff ? CLASSES.size() : 2),
                names,
                rows);
    }

    private static TimelineRow row(PipelineStep pipeline, int stage, long origin, List<String> names) {
        List<Pass> passes = pipeline.stages().get(stage).passes();
        int n = passes.size();
        long[] start = new long[n];
        long[] duration = new long[n];
        int[] kind = new int[n];
        int[] name = new int[n];
        for (int i = 0; i < n; i++) {
            Pass pass = passes.get(i);
            start[i] = pass.start() - origin;
            duration[i] = pass.duration();
            kind[i] = pass.kind().ordinal();
            name[i] = names.size();
            names.add(word(pass.kind()).substring(0, 1).toUpperCase(Locale.ROOT)
                    + (pass.microBatch() < 0 ? "" : pass.microBatch())
                    + (pipeline.chunks() > 1 && pass.chunk() >= 0 ? "." + pass.chunk() : ""));
        }
        String label = "stage " + stage + " · rank " + pipeline.ranks().get(stage);
        return new TimelineRow(new TimelineHead(label, "", false), start, duration, kind, name, null, null);
    }
}
