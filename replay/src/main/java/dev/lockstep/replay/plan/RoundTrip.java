// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import dev.lockstep.codec.JsonObject;
import dev.lockstep.error.NamedFiles;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/**
 * The times of a recording on the host against those of its replay, all in ns for the whole recording. The recording is
 * the sum of all calls as the profiler saw them; from there to the replay, each cause has its share:
 *
 * <pre>
 * recorded = waited + profiler + surroundings + unexplained + replayed
 * </pre>
 *
 * @param coverage what was replayed
 * @param recorded host time of the calls that were replayed
 * @param waited of this, the time in which other programs had the processor: measured for the recorded steps, taken to
 *     be spread evenly
 * @param profiler what recording these calls and those inside them cost: calls times the cost of one, which was measured
 * @param surroundings what the operators take longer in recorded order than by themselves, measured by running them so:
 *     caches and memory as their neighbours leave them; 0 when they were not run so
 * @param replayed median times calls
 * @param calls recorded calls, those inside among them
 * @param operators operators that ran
 */
public record RoundTrip(
        ReplayCoverage coverage,
        long recorded,
        long waited,
        long profiler,
        long surroundings,
        long replayed,
        long calls,
        List<Operator> operators) {
    private static final double PERCENT = 100;

    public RoundTrip {
        operators = List.copyOf(operators);
    }

    /**
     * One operator.
     *
     * @param planned what it is
     * @param recorded host time of all calls, without the time of waiting
     * @param inOrder median in recorded order times calls, -1 if it was not run so
     * @param replayed median alone times calls
     */
    public record Operator(PlannedOperator planned, long calls, long recorded, long inOrder, long replayed) {
        /** Its name. */
        public String name() {
            return planned.call().name();
        }

        /** How far the two are apart. */
        public long gap() {
            return Math.abs(recorded - replayed);
        }
    }

    /**
     * The comparison of a result with its own plan.
     *
     * @param costPerCall what recording a call costs
     * @param running share of the recorded time in which the program had a processor, up to 1
     */
    public static RoundTrip of(ReplayResult result, long costPerCall, double running) {
        ReplayResult.Sums sums = result.sums();
        long calls = result.coverage().callsCovered();
        return new RoundTrip(
                result.coverage(),
                sums.recordedCpu(),
                sums.recordedCpu() - (long) (sums.recordedCpu() * Math.min(1, running)),
                calls * costPerCall,
                sums.inOrder() < 0 ? 0 : sums.inOrder() - sums.replayed(),
                sums.replayed(),
                calls,
                operators(result, Math.min(1, running)));
    }

    private static List<Operator> operators(ReplayResult result, double running) {
        return result.plan().operators().stream()
                .filter(operator -> result.runs().get(operator.id()).timing() != null)
                .map(operator -> operator(result, operator, running))
                .sorted(Comparator.comparingLong(Operator::gap).reversed())
                .toList();
    }

    private static Operator operator(ReplayResult result, PlannedOperator operator, double running) {
        long calls = operator.counts().calls();
        Timing alone = result.runs().get(operator.id()).timing();
        SequenceRun run = result.inOrder();
        Timing inOrder = run == null ? null : run.operators().get(operator.id());
        return new Operator(
                operator,
                calls,
                (long) (Math.max(0, operator.recorded().cpuNs()) * running),
                inOrder == null ? -1 : inOrder.median() * calls,
                alone == null ? 0 : alone.median() * calls);
    }

    /** Recorded time in which the program had a processor. */
    public long onProcessor() {
        return recorded - waited;
    }

    /** How far the replay is from the recorded time on a processor, in percent of it; negative when it is faster. */
    public double differencePercent() {
        return onProcessor() == 0 ? Double.NaN : PERCENT * (replayed - onProcessor()) / onProcessor();
    }

    /** What none of the measured causes explains; negative when they explain too much. */
    public long unexplained() {
        return recorded - waited - profiler - surroundings - replayed;
    }

    /** Writes it as JSON. */
    public void write(Path file) throws IOException {
        try (Writer text = NamedFiles.writer(file)) {
            String sums = jsonOfSums().toString();
            text.write(sums, 0, sums.length() - 1); // the object goes on
            text.write(",\n\"operators\": ");
            PlanFile.lines(text, operators, RoundTrip::json);
            text.write("}\n");
        }
    }

    private JsonObject jsonOfSums() {
        return new JsonObject()
                .with("recorded_ns", recorded)
                .with("waited_ns", waited)
                .with("profiler_ns", profiler)
                .with("surroundings_ns", surroundings)
                .with("unexplained_ns", unexplained())
                .with("replayed_ns", replayed)
                .with("difference_percent", differencePercent());
    }

    private static JsonObject json(Operator operator) {
        JsonObject json = new JsonObject().with("id", operator.planned.id()).with("name", operator.name());
        ArgumentJson.inputs(json, operator.planned.call().arguments());
        return json.with("calls", operator.calls)
                .with("recorded_ns", operator.recorded)
                .with("in_order_ns", operator.inOrder)
                .with("replayed_ns", operator.replayed);
    }
}
