// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.replay.plan.PlannedOperator.Recorded;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What came of running a plan.
 *
 * @param facts what it ran on
 * @param runs one for each operator of the plan
 * @param inOrder what came of running them in recorded order; null when that was not asked for
 */
public record ReplayResult(
        ReplayPlan plan,
        Map<String, String> facts,
        List<OperatorRun> runs,
        @Nullable SequenceRun inOrder) {
    private static final String FORMAT = "lockstep-replay-result";

    public ReplayResult {
        facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
        runs = List.copyOf(runs);
    }

    /**
     * Sums over the operators that ran, in ns, for the whole recording.
     *
     * @param replayed median times calls
     * @param recordedCpu what the same calls took on the host when recorded, 0 when that was not recorded
     * @param recordedDevice what they took on the device, 0 when that was not recorded
     * @param inOrder median times calls when run in recorded order, or by themselves where they were not; -1 without
     *     such a run
     */
    public record Sums(long replayed, long recordedCpu, long recordedDevice, long inOrder) {}

    /**
     * Runs all operators of a plan.
     *
     * @param progress gets the number of operators that are done
     */
    public static ReplayResult of(ReplayPlan plan, ReplayExecutor executor, IntConsumer progress) {
        List<OperatorRun> runs = new ArrayList<>();
        @Nullable String ended = null;
        for (PlannedOperator operator : plan.operators()) {
            ReplayGap gap = operator.gap();
            if (gap != null) {
                runs.add(OperatorRun.failed(gap, null));
            } else if (ended != null) {
                runs.add(OperatorRun.failed(ReplayGap.NOT_RUN, ended));
            } else {
                try {
                    runs.add(executor.run(operator));
                } catch (IOException e) {
                    ended = String.valueOf(e.getMessage());
                    runs.add(OperatorRun.failed(ReplayGap.NOT_RUN, ended));
                }
            }
            progress.accept(runs.size());
        }
        return new ReplayResult(plan, executor.facts(), runs, null);
    }

    /** The same with what came of running in recorded order. */
    public ReplayResult with(SequenceRun run) {
        return new ReplayResult(plan, facts, runs, run);
    }

    /** How much of the recording ran. */
    public ReplayCoverage coverage() {
        return ReplayCoverage.of(plan, operator -> runs.get(operator.id()).gap());
    }

    /** The sums. */
    public Sums sums() {
        long replayed = 0;
        long cpu = 0;
        long device = 0;
        long ordered = 0;
        for (PlannedOperator operator : plan.operators()) {
            Timing timing = runs.get(operator.id()).timing();
            if (timing != null) {
                Recorded recorded = operator.recorded();
                replayed += timing.median() * operator.counts().calls();
                ordered +=
                        inOrder(operator, timing).median() * operator.counts().calls();
                cpu += Math.max(0, recorded.cpuNs());
                device += Math.max(0, recorded.deviceNs());
            }
        }
        return new Sums(replayed, cpu, device, hasOrder() ? ordered : -1);
    }

    private boolean hasOrder() {
        return inOrder != null && inOrder.failure() == null;
    }

    /** The time in recorded order, or else alone. */
    private Timing inOrder(PlannedOperator operator, Timing alone) {
        return inOrder == null ? alone : inOrder.operators().getOrDefault(operator.id(), alone);
    }

    /** Writes the result as JSON, one line for each operator. */
    public void write(Path file) throws IOException {
        try (Writer text = NamedFiles.writer(file)) {
            text.write("{\"format\": \"" + FORMAT + "\", \"version\": " + ReplayPlan.VERSION + ",\n");
            text.write("\"environment\": " + PlanFile.line(this::writeFacts) + ",\n");
            text.write("\"steps\": " + plan.steps().count() + ",\n");
            text.write("\"steps_source\": \"" + plan.steps().source() + "\",\n");
            text.write("\"coverage\": " + PlanFile.line(coverage()::write) + ",\n");
            text.write("\"sums\": " + PlanFile.line(this::writeSums) + ",\n");
            if (inOrder != null) {
                text.write("\"in_order\": " + PlanFile.line(this::writeOrder) + ",\n");
            }
            text.write("\"operators\": ");
            PlanFile.lines(text, plan.operators(), this::write);
            text.write("}\n");
        }
    }

    private void writeFacts(JsonGenerator out) throws IOException {
        out.writeStartObject();
        for (Map.Entry<String, String> fact : facts.entrySet()) {
            out.writeStringField(fact.getKey(), fact.getValue());
        }
        out.writeEndObject();
    }

    private void writeSums(JsonGenerator out) throws IOException {
        Sums sums = sums();
        out.writeStartObject();
        out.writeNumberField("replayed_ns", sums.replayed());
        out.writeNumberField("recorded_cpu_ns", sums.recordedCpu());
        out.writeNumberField("recorded_device_ns", sums.recordedDevice());
        if (sums.inOrder() >= 0) {
            out.writeNumberField("in_order_ns", sums.inOrder());
        }
        out.writeEndObject();
    }

    private void writeOrder(JsonGenerator out) throws IOException {
        out.writeStartObject();
        out.writeNumberField("calls", plan.order().size());
        if (inOrder != null) {
            inOrder.writeFields(out);
        }
        out.writeEndObject();
    }

    private void write(JsonGenerator out, PlannedOperator operator) throws IOException {
        OperatorRun run = runs.get(operator.id());
        out.writeStartObject();
        out.writeNumberField("id", operator.id());
        out.writeStringField("name", operator.call().name());
        ArgumentJson.writeInputs(out, operator.call().arguments());
        run.writeFields(out);
        if (inOrder != null) {
            Timing.write(out, "in_order", inOrder.operators().get(operator.id()));
        }
        out.writeNumberField("calls", operator.counts().calls());
        if (plan.steps().count() > 0) {
            out.writeNumberField(
                    "calls_per_step",
                    (double) operator.counts().inSteps() / plan.steps().count());
        }
        Timing timing = run.timing();
        if (timing != null) {
            out.writeNumberField("total_ns", timing.median() * operator.counts().calls());
        }
        if (operator.recorded().cpuNs() >= 0) {
            out.writeNumberField("recorded_cpu_ns", operator.recorded().cpuNs());
        }
        if (operator.recorded().deviceNs() >= 0) {
            out.writeNumberField("recorded_device_ns", operator.recorded().deviceNs());
        }
        out.writeEndObject();
    }
}
