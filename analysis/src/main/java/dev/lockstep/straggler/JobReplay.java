// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.straggler;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * All steps computed anew: every operation starts when those before it have ended, a computation takes its time, and a
 * communication takes its transfer from the moment when the last of its group has started. Confined to one thread.
 */
final class JobReplay {
    private final Recording recording;
    private final Template template;
    private final double[] start;
    private final double[] end;
    private final int[] optimizers;

    JobReplay(Recording recording) {
        this.recording = recording;
        template = recording.template;
        start = new double[recording.dpRanks * template.size()];
        end = new double[start.length];
        optimizers = IntStream.range(0, template.size())
                .filter(v -> template.names.get(v).type() == OperationType.OPTIMIZER)
                .toArray();
    }

    /**
     * How long every step takes. The arrays pass to the record.
     *
     * @param steps until the last optimizer has ended
     * @param spans from the first start to the last end
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Times(double[] steps, double[] spans) {
        double step() {
            return mean(steps);
        }

        double span() {
            return mean(spans);
        }

        static double mean(double[] values) {
            return Arrays.stream(values).sum() / values.length;
        }
    }

    /**
     * Computes all steps.
     *
     * @param work what each operation takes
     * @param delay by how much each starts later; null for not at all
     */
    Times of(double[] work, double @Nullable [] delay) {
        int steps = recording.steps.length;
        Times times = new Times(new double[steps], new double[steps]);
        for (int s = 0; s < steps; s++) {
            step(s * start.length, work, delay);
            double first = Double.POSITIVE_INFINITY;
            double last = Double.NEGATIVE_INFINITY;
            for (int at = 0; at < start.length; at++) {
                first = Math.min(first, start[at]);
                last = Math.max(last, end[at]);
            }
            times.spans[s] = last - first;
            double until = Double.NEGATIVE_INFINITY;
            for (int d = 0; d < recording.dpRanks; d++) {
                for (int v : optimizers) {
                    until = Math.max(until, end[d * template.size() + v]);
                }
            }
            times.steps[s] = until;
        }
        return times;
    }

    private void step(int base, double[] work, double @Nullable [] delay) {
        for (int g = 0; g + 1 < template.firstMember.length; g++) {
            boolean computes = template.isComputation(template.member[template.firstMember[g]]);
            int together = template.acrossRanks[g] ? recording.dpRanks : 1;
            for (int d = 0; d < recording.dpRanks; d += together) {
                double lastStart = Double.NEGATIVE_INFINITY;
                for (int one = d; one < d + together; one++) {
                    lastStart = Math.max(lastStart, begin(g, one, base, delay));
                }
                for (int one = d; one < d + together; one++) {
                    if (computes) {
                        compute(g, one, base, work);
                    } else {
                        transfer(g, one, lastStart, base, work);
                    }
                }
            }
        }
    }

    /** Starts a group's operations on a data-parallel rank; when the last of them has started. */
    private double begin(int group, int dpRank, int base, double @Nullable [] delay) {
        int others = dpRank * template.size();
        double lastStart = Double.NEGATIVE_INFINITY;
        for (int m = template.firstMember[group]; m < template.firstMember[group + 1]; m++) {
            int v = template.member[m];
            double ready = 0;
            for (int e = template.firstBefore[v]; e < template.firstBefore[v + 1]; e++) {
                ready = Math.max(ready, end[others + template.before[e]]);
            }
            double begins = delay == null ? ready : ready + delay[base + others + v];
            start[others + v] = begins;
            lastStart = Math.max(lastStart, begins);
        }
        return lastStart;
    }

    private void compute(int group, int dpRank, int base, double[] work) {
        for (int m = template.firstMember[group]; m < template.firstMember[group + 1]; m++) {
            int at = dpRank * template.size() + template.member[m];
            end[at] = start[at] + work[base + at];
        }
    }

    private void transfer(int group, int dpRank, double lastStart, int base, double[] work) {
        for (int m = template.firstMember[group]; m < template.firstMember[group + 1]; m++) {
            int at = dpRank * template.size() + template.member[m];
            end[at] = lastStart + work[base + at];
        }
    }
}
