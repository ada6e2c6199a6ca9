// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.straggler;

import dev.lockstep.straggler.StragglerRules.Ideal;
import dev.lockstep.table.Quantiles;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** What operations of a type typically take: the mean of computations, the median of transfers. */
final class TypicalWork {
    private final Recording recording;
    private final StragglerRules rules;
    private final Template template;

    TypicalWork(Recording recording, StragglerRules rules) {
        this.recording = recording;
        this.rules = rules;
        template = recording.template;
    }

    /** By cell: the typical work of its kind. */
    double[] of(Ideal ideal) {
        double[] found = new double[recording.work.length];
        Map<OperationType, Double> known = new HashMap<>();
        for (int stage = 0; stage < template.stages; stage++) {
            known.clear();
            for (int v = 0; v < template.size(); v++) {
                if (template.names.get(v).stage() == stage) {
                    OperationType type = template.names.get(v).type();
                    int own = stage;
                    double value = known.computeIfAbsent(
                            type,
                            t -> rules.typical(
                                    switch (ideal) {
                                        case ALL -> statistic(t, -1, -1);
                                        case ROLE -> statistic(t, own, -1);
                                        case FASTEST -> fastest(t, own);
                                    }));
                    for (int s = 0; s < recording.steps.length; s++) {
                        for (int d = 0; d < recording.dpRanks; d++) {
                            found[recording.cell(s, d, v)] = value;
                        }
                    }
                }
            }
        }
        return found;
    }

    private double fastest(OperationType type, int stage) {
        double least = Double.POSITIVE_INFINITY;
        for (int d = 0; d < recording.dpRanks; d++) {
            least = Math.min(least, statistic(type, stage, d));
        }
        return least;
    }

    /**
     * Mean or median over all steps.
     *
     * @param stage of the operations, -1 for all
     * @param dpRank of the operations, -1 for all
     */
    private double statistic(OperationType type, int stage, int dpRank) {
        double[] values = new double[recording.work.length];
        int count = 0;
        for (int v = 0; v < template.size(); v++) {
            Template.Name name = template.names.get(v);
            if (name.type() == type && (stage < 0 || name.stage() == stage)) {
                for (int s = 0; s < recording.steps.length; s++) {
                    for (int d = Math.max(0, dpRank); d < (dpRank < 0 ? recording.dpRanks : dpRank + 1); d++) {
                        values[count++] = recording.work[recording.cell(s, d, v)];
                    }
                }
            }
        }
        return type.mean
                ? Arrays.stream(values, 0, count).sum() / count
                : Quantiles.medianOf(Arrays.copyOf(values, count), Double.NaN);
    }

    /**
     * How far forward and backward passes of the same micro-batch are long together: their correlation around the means of
     * their stage. Near 1 the work itself varies, as with sequences of several lengths. NaN where passes do not vary.
     */
    double passesGoTogether() {
        double[] sums = new double[3];
        for (int stage = 0; stage < template.stages; stage++) {
            double forwardMean = statistic(OperationType.FORWARD_COMPUTE, stage, -1);
            double backwardMean = statistic(OperationType.BACKWARD_COMPUTE, stage, -1);
            for (int chunk = 0; chunk < template.chunks; chunk++) {
                int[] forwards = template.passes(OperationType.FORWARD_COMPUTE, stage, chunk);
                int[] backwards = template.passes(OperationType.BACKWARD_COMPUTE, stage, chunk);
                for (int k = 0; k < Math.min(forwards.length, backwards.length); k++) {
                    addPairs(forwards[k], forwardMean, backwards[k], backwardMean, sums);
                }
            }
        }
        double scale = Math.sqrt(sums[1]) * Math.sqrt(sums[2]);
        return scale > 0 ? sums[0] / scale : Double.NaN;
    }

    private void addPairs(int forward, double forwardMean, int backward, double backwardMean, double[] sums) {
        for (int s = 0; s < recording.steps.length; s++) {
            for (int d = 0; d < recording.dpRanks; d++) {
                double f = recording.work[recording.cell(s, d, forward)] - forwardMean;
                double b = recording.work[recording.cell(s, d, backward)] - backwardMean;
                sums[0] += f * b;
                sums[1] += f * f;
                sums[2] += b * b;
            }
        }
    }
}
