// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.ranks;

import dev.lockstep.analyze.comm.FleetSteps;
import dev.lockstep.analyze.comm.SlowRanks;
import dev.lockstep.analyze.comm.SlowRanks.Slow;
import dev.lockstep.analyze.comm.StepsByRank.HostTimes;
import dev.lockstep.analyze.comm.StepsByRank.Step;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * In which stage of a step the host of a slow rank takes longer: that in which it is most above the median of its peers, over the steps in
 * which the rank is slow, where that is half of what the rank takes longer, at least.
 */
final class LateStage {
    private static final double LEAST = 0.5;

    private final int steps;
    private final Map<Integer, HostTimes[]> times = new TreeMap<>(); // null where a rank lacks a step

    /** @param stepsOf the steps of the slow rank and of all that do the same work, by number of the rank */
    LateStage(FleetSteps steps, Map<Integer, List<Step>> stepsOf) {
        this.steps = steps.steps().length;
        stepsOf.forEach((rank, own) -> {
            HostTimes[] byPlace = new HostTimes[this.steps];
            for (Step step : own) {
                int place = step.host() == null ? -1 : steps.step(step);
                if (place >= 0 && byPlace[place] == null) {
                    byPlace[place] = step.host();
                }
            }
            times.put(rank, byPlace);
        });
    }

    /** {@return the stage; null where it is not the host that is late, or none stands out} */
    HostTimes.@Nullable Stage of(Slow one) {
        if (one.where() != SlowRanks.Where.HOST) {
            return null;
        }
        HostTimes.Stage latest = null;
        double most = LEAST * one.excessNs();
        for (HostTimes.Stage stage : HostTimes.Stage.values()) {
            double excess = excess(one, stage);
            if (excess >= most) {
                latest = stage;
                most = excess;
            }
        }
        return latest;
    }

    /** The mean over the steps in which the rank is slow; NaN where none can be compared. */
    private double excess(Slow one, HostTimes.Stage stage) {
        return IntStream.range(one.since(), steps)
                .filter(step -> one.in().isEmpty() || one.in().contains(step))
                .mapToDouble(step -> {
                    double peers = FleetSteps.median(times.keySet().stream()
                            .filter(rank -> rank != one.rank())
                            .mapToDouble(rank -> time(rank, step, stage)));
                    return time(one.rank(), step, stage) - peers;
                })
                .filter(excess -> !Double.isNaN(excess))
                .average()
                .orElse(Double.NaN);
    }

    private double time(int rank, int step, HostTimes.Stage stage) {
        HostTimes[] own = times.get(rank);
        HostTimes host = own == null ? null : own[step];
        return host == null ? Double.NaN : host.of(stage);
    }
}
