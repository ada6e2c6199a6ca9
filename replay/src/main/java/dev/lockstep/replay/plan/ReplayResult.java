// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import dev.lockstep.codec.JsonObject;
import dev.lockstep.codec.JsonOut;
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
            text.write("\"environment\": " + JsonOut.line(facts) + ",\n");
            text.write("\"steps\": " + plan.steps().count() + ",\n");
            text.write("\"steps_source\": \"" + plan.steps().source() + "\",\n");
            text.write("\"coverage\": " + coverage().json() + ",\n");
            text.write("\"sums\": " + jsonOfSums() + ",\n");
            if (inOrder != null) {
                JsonObject order = new JsonObject().with("calls", plan.order().size());
                text.write("\"in_order\": " + inOrder.into(order) + ",\n");
            }
            text.write("\"operators\": ");
            PlanFile.lines(text, plan.operators(), this::json);
            text.write("}\n");
        }
    }

    private JsonObject jsonOfSums() {
        Sums sums = sums();
        return new JsonObject()
                .with("replayed_ns", sums.replayed())
                .with("recorded_cpu_ns", sums.recordedCpu())
                .with("recorded_device_ns", sums.recordedDevice())
                .withKnown("in_order_ns", sums.inOrder());
    }

    private JsonObject json(PlannedOperator operator) {
        OperatorRun run = runs.get(operator.id());
        JsonObject json = new JsonObject()
                .with("id", operator.id())
                .with("name", operator.call().name());
        ArgumentJson.inputs(json, operator.call().arguments());
        run.into(json);
        if (inOrder != null) {
            json.withKnown("in_order", Timing.jsonOf(inOrder.operators().get(operator.id())));
        }
        json.with("calls", operator.counts().calls());
        if (plan.steps().count() > 0) {
            json.with(
                    "calls_per_step",
                    (double) operator.counts().inSteps() / plan.steps().count());
        }
        Timing timing = run.timing();
        return json.withKnown(
                        "total_ns",
                        timing == null
                                ? null
                                : timing.median() * operator.counts().calls())
                .withKnown("recorded_cpu_ns", operator.recorded().cpuNs())
                .withKnown("recorded_device_ns", operator.recorded().deviceNs());
    }
}
