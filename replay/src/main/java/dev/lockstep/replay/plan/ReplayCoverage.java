// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import dev.lockstep.codec.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How much of a recording was replayed. Counted are all recorded leaf operators, and operators that do work of their own
 * beside what they call; what only calls others is left out. What runs inside an operator that was replayed was replayed
 * with it, and its time is a part of that operator's.
 *
 * @param calls recorded calls that count: those of the plan's operators, and {@code callsInside}
 * @param callsInside of these, recorded leaf operators inside the plan's operators, which run again with them
 * @param callsCovered of these, the replayed ones
 * @param ns recorded time of these calls, by the plan's basis; 0 when there is none
 * @param nsCovered of this, the replayed share
 * @param gaps what is missing, most calls first
 */
public record ReplayCoverage(
        long calls, long callsInside, long callsCovered, long ns, long nsCovered, List<Missing> gaps) {
    public ReplayCoverage {
        gaps = List.copyOf(gaps);
    }

    /**
     * Operators that were not replayed for one reason.
     *
     * @param calls as they count for coverage
     * @param operators names and calls of the plan's operators, without what is inside them, in order of names
     */
    public record Missing(ReplayGap gap, long calls, long ns, Map<String, Long> operators) {}

    /** What a plan expects to replay. */
    public static ReplayCoverage planned(ReplayPlan plan) {
        return of(plan, PlannedOperator::gap);
    }

    /**
     * What was replayed.
     *
     * @param gap why an operator of the plan was not replayed; null if it was
     */
    public static ReplayCoverage of(ReplayPlan plan, Function<PlannedOperator, @Nullable ReplayGap> gap) {
        long calls = 0;
        long inside = 0;
        long callsCovered = 0;
        long ns = 0;
        long nsCovered = 0;
        Map<ReplayGap, List<PlannedOperator>> missing = new EnumMap<>(ReplayGap.class);
        for (PlannedOperator operator : plan.operators()) {
            long weight = operator.counts().calls() + operator.counts().inside();
            long time = plan.source().basis().of(operator.recorded());
            calls += weight;
            inside += operator.counts().inside();
            ns += time;
            ReplayGap reason = gap.apply(operator);
            if (reason == null) {
                callsCovered += weight;
                nsCovered += time;
            } else {
                missing.computeIfAbsent(reason, r -> new ArrayList<>()).add(operator);
            }
        }
        List<Missing> gaps = new ArrayList<>();
        missing.forEach((reason, operators) -> gaps.add(missing(reason, operators, plan)));
        gaps.sort(Comparator.comparingLong(Missing::calls).reversed().thenComparing(Missing::gap));
        return new ReplayCoverage(calls, inside, callsCovered, ns, nsCovered, gaps);
    }

    private static Missing missing(ReplayGap gap, List<PlannedOperator> operators, ReplayPlan plan) {
        Map<String, Long> names = new TreeMap<>();
        long calls = 0;
        long ns = 0;
        for (PlannedOperator operator : operators) {
            names.merge(operator.call().name(), operator.counts().calls(), Long::sum);
            calls += operator.counts().calls() + operator.counts().inside();
            ns += plan.source().basis().of(operator.recorded());
        }
        return new Missing(gap, calls, ns, names);
    }

    /** Calls of the plan's operators, which are those that run one by one. */
    public long operatorCalls() {
        return calls - callsInside;
    }

    /** Replayed calls of a hundred; NaN when there are none. */
    public double callsPercent() {
        return calls == 0 ? Double.NaN : 100.0 * callsCovered / calls;
    }

    /** Replayed time of a hundred; NaN when no time was recorded. */
    public double timePercent() {
        return ns == 0 ? Double.NaN : 100.0 * nsCovered / ns;
    }

    JsonObject json() {
        return new JsonObject()
                .with("calls_percent", callsPercent())
                .with("time_percent", timePercent())
                .with("calls", calls)
                .with("calls_inside", callsInside)
                .with("calls_covered", callsCovered)
                .with("time_ns", ns)
                .with("time_covered_ns", nsCovered)
                .with(
                        "gaps",
                        gaps.stream()
                                .map(missing -> new JsonObject()
                                        .with("reason", missing.gap.code())
                                        .with("meaning", missing.gap.words())
                                        .with("calls", missing.calls)
                                        .with("time_ns", missing.ns)
                                        .with("operators", missing.operators))
                                .toList());
    }
}
