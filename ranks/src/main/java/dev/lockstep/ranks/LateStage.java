// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.ranks;

import dev.lockstep.analyze.comm.FleetSteps;
import dev.lockstep.analyze.comm.SlowRanks;
import dev.lockstep.analyze.comm.SlowRanks.Slow;
import dev.lockstep.analyze.comm.StepsByRank.HostTimes;
import dev.lockstep.analyze.comm.StepsByRank.Step;
import dev.lockstep.table.Quantiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * In which stage of a step the host of a slow rank takes longer: that in which it is most above the median of its peers, over the steps in
 * which the rank is slow, where that is half of what the rank takes longer, at least.
 */
final class LateStage {
    private static final double LEAST = 0.5;

    private final FleetSteps steps;
    private final Map<Integer, List<Step>> stepsOf;

    /** @param stepsOf the steps of the slow rank and of all that do the same work, by number of the rank */
    LateStage(FleetSteps steps, Map<Integer, List<Step>> stepsOf) {
        this.steps = steps;
        this.stepsOf = stepsOf;
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
        List<Double> excess = new ArrayList<>();
        for (int s = one.since(); s < steps.steps().length; s++) {
            if (!one.in().isEmpty() && !one.in().contains(s)) {
                continue;
            }
            double[] peers = new double[stepsOf.size() - 1];
            int known = 0;
            double own = Double.NaN;
            for (Map.Entry<Integer, List<Step>> rank : stepsOf.entrySet()) {
                double time = time(rank.getValue(), s, stage);
                if (rank.getKey() == one.rank()) {
                    own = time;
                } else if (!Double.isNaN(time)) {
                    peers[known++] = time;
                }
            }
            if (known > 0 && !Double.isNaN(own)) {
                excess.add(own - Quantiles.lowerMedian(Arrays.copyOf(peers, known), Double.NaN));
            }
        }
        return excess.stream().mapToDouble(d -> d).average().orElse(Double.NaN);
    }

    private double time(List<Step> of, int place, HostTimes.Stage stage) {
        for (Step step : of) {
            HostTimes host = step.host();
            if (host != null && steps.step(step) == place) {
                return host.of(stage);
            }
        }
        return Double.NaN;
    }
}
