// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.straggler;

import dev.lockstep.analyze.Confidence;
import dev.lockstep.analyze.LongRunMeans;
import java.util.Arrays;
import java.util.List;

/** Whether some workers cost more than the others beyond chance: one of several is always the worst, and in few steps it may stay the same. */
final class StandingOut {
    private StandingOut() {}

    /**
     * Compares the mean of the chosen with that of all others, step by step, in the knowledge that any others might have been chosen.
     *
     * @param series of every worker: what the job takes in each step with it alone as recorded
     * @param chosen places of the worst of them
     */
    static boolean isSure(List<double[]> series, int[] chosen) {
        int steps = series.getFirst().length;
        double[] own = new double[steps];
        double[] others = new double[steps];
        for (int worker = 0; worker < series.size(); worker++) {
            int place = worker;
            boolean among = Arrays.stream(chosen).anyMatch(c -> c == place);
            double[] into = among ? own : others;
            int count = among ? chosen.length : series.size() - chosen.length;
            for (int step = 0; step < steps; step++) {
                into[step] += series.get(worker)[step] / count;
            }
        }
        Confidence more = LongRunMeans.of(List.of(own, others)).difference(0, 1, series.size());
        return more.isKnown() && more.low() > 0;
    }
}
