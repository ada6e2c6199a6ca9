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
        int size = template.size();
        for (int g = 0; g + 1 < template.firstMember.length; g++) {
            int from = template.firstMember[g];
            int to = template.firstMember[g + 1];
            boolean computes = template.isComputation(template.member[from]);
            int together = template.acrossRanks[g] ? start.length : size;
            for (int first = 0; first < start.length; first += together) {
                double lastStart = Double.NEGATIVE_INFINITY;
                for (int others = first; others < first + together; others += size) {
                    for (int m = from; m < to; m++) {
                        int at = others + template.member[m];
                        double ready = ready(others, template.member[m]);
                        start[at] = delay == null ? ready : ready + delay[base + at];
                        lastStart = Math.max(lastStart, start[at]);
                    }
                }
                for (int others = first; others < first + together; others += size) {
                    for (int m = from; m < to; m++) {
                        int at = others + template.member[m];
                        end[at] = (computes ? start[at] : lastStart) + work[base + at];
                    }
                }
            }
        }
    }

    /** When those before a vertex have ended, on the data-parallel rank whose cells begin there. */
    private double ready(int rank, int vertex) {
        double ready = 0;
        for (int e = template.firstBefore[vertex]; e < template.firstBefore[vertex + 1]; e++) {
            ready = Math.max(ready, end[rank + template.before[e]]);
        }
        return ready;
    }
}
