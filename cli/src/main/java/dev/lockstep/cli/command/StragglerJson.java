// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.lockstep.straggler.GroupSlowdown;
import dev.lockstep.straggler.StragglerFigures;
import dev.lockstep.straggler.StragglerFigures.Groups;
import dev.lockstep.straggler.StragglerFigures.Share;
import dev.lockstep.straggler.StragglerFigures.Workers;
import java.io.IOException;
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

    private final JsonGenerator json;
    private final StragglerFigures figures;

    private StragglerJson(JsonGenerator json, StragglerFigures figures) {
        this.json = json;
        this.figures = figures;
    }

    /** @param meta what the caller says about the job; others are null */
    static void write(Path file, StragglerFigures figures, Map<String, Object> meta) throws IOException {
        try (JsonGenerator json = new JsonFactory()
                .createGenerator(file.toFile(), JsonEncoding.UTF8)
                .useDefaultPrettyPrinter()) {
            new StragglerJson(json, figures).all(meta);
        }
    }

    private void all(Map<String, Object> meta) throws IOException {
        json.writeStartObject();
        job(meta);
        json.writeStringField("ideal", figures.job().idealOf().name().toLowerCase(Locale.ROOT));
        byStep("step_t_base", s -> seconds(figures.recorded()[s]));
        byStep("step_t_nodelay", s -> seconds(figures.replayed()[s]));
        byStep("step_t_noblk", s -> seconds(figures.ideal()[s]));
        json.writeNumberField("launch_slowdown", figures.unexplained());
        json.writeNumberField("blocking_slowdown", figures.slowdown());
        double[] above = figures.above();
        byStep("launch_step_slowdown", s -> figures.recorded()[s] / figures.replayedSteps()[s]);
        byStep("blocking_step_slowdown", s -> above[s] / figures.idealSteps()[s]);
        groups("blocking", figures.kept(), figures.idealSteps());
        groups("launch", figures.delayed(), figures.replayedSteps());
        share("mw", "Mw", figures.worst());
        share("ms", "Ms", figures.lastStage());
        workers(figures.workers());
        json.writeEndObject();
    }

    private void job(Map<String, Object> meta) throws IOException {
        json.writeObjectFieldStart("job_meta");
        json.writeNumberField("dp_size", figures.job().dataParallel());
        json.writeNumberField("pp_size", figures.job().stages());
        for (String name : META) {
            json.writeFieldName(name);
            switch (meta.get(name)) {
                case null -> json.writeNull();
                case Integer number -> json.writeNumber(number);
                case Long number -> json.writeNumber(number);
                case Object other -> json.writeString(other.toString());
            }
        }
        json.writeEndObject();
    }

    private double seconds(double time) {
        return time / figures.second();
    }

    private void byStep(String name, IntToDoubleFunction value) throws IOException {
        json.writeObjectFieldStart(name);
        for (int s : slowestFirst(value)) {
            json.writeNumberField(Long.toString(figures.steps()[s]), value.applyAsDouble(s));
        }
        json.writeEndObject();
    }

    private int[] slowestFirst(IntToDoubleFunction value) {
        return IntStream.range(0, figures.steps().length)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer s) -> -value.applyAsDouble(s)))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private void groups(String kind, @Nullable Groups groups, double[] without) throws IOException {
        group(kind + "_decompose_by_optype", groups == null ? null : groups.types(), without);
        group(kind + "_decompose_by_dp_rank", groups == null ? null : groups.dataParallelRanks(), without);
        group(kind + "_decompose_by_stage", groups == null ? null : groups.stages(), without);
    }

    private void group(String name, @Nullable List<GroupSlowdown> slowdowns, double[] without) throws IOException {
        if (slowdowns == null) {
            json.writeNullField(name);
            json.writeNullField(name + "_per_step");
            return;
        }
        json.writeObjectFieldStart(name);
        for (GroupSlowdown one : slowdowns) {
            json.writeNumberField(one.label(), one.price());
        }
        json.writeEndObject();
        json.writeObjectFieldStart(name + "_per_step");
        double[] above = figures.above();
        for (int s : slowestFirst(i -> above[i] / figures.idealSteps()[i])) {
            json.writeObjectFieldStart(Long.toString(figures.steps()[s]));
            List<GroupSlowdown> sorted = slowdowns.stream()
                    .sorted(Comparator.comparingDouble((GroupSlowdown one) -> -one.times()[s]))
                    .toList();
            for (GroupSlowdown one : sorted) {
                json.writeNumberField(one.label(), one.times()[s] / without[s]);
            }
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    /** Where typical durations gain nothing there is no share: null. */
    private void share(String name, String field, @Nullable Share share) throws IOException {
        if (share == null) {
            json.writeNullField(name);
            return;
        }
        json.writeObjectFieldStart(name);
        json.writeNumberField("trem", seconds(share.removed()));
        json.writeNumberField("tadd", seconds(share.added()));
        json.writeNumberField("tori", seconds(share.original()));
        json.writeNumberField("tideal", seconds(share.ideal()));
        number("rem", share.gone());
        number("add", share.there());
        number(field, share.gone());
        json.writeEndObject();
    }

    private void number(String name, double value) throws IOException {
        if (Double.isFinite(value)) {
            json.writeNumberField(name, value);
        } else {
            json.writeNullField(name);
        }
    }

    private void workers(@Nullable Workers workers) throws IOException {
        if (workers == null) {
            json.writeNullField("workers");
            return;
        }
        int stages = figures.job().stages();
        json.writeArrayFieldStart("workers");
        for (int w = 0; w < workers.ranks().length; w++) {
            int one = w;
            json.writeStartObject();
            json.writeNumberField("rank", workers.ranks()[w]);
            json.writeNumberField("dp_rank", w / stages);
            json.writeNumberField("stage", w % stages);
            json.writeNumberField("slowdown", workers.scores()[w]);
            json.writeBooleanField("chosen", Arrays.stream(workers.chosen()).anyMatch(chosen -> chosen == one));
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
