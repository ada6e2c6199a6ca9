// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import dev.lockstep.analyze.Distribution;
import dev.lockstep.analyze.KernelSeconds;
import dev.lockstep.analyze.RealDistribution;
import dev.lockstep.analyze.work.Works.Outcome;
import dev.lockstep.model.Slices;
import dev.lockstep.perfmodel.Roofline;
import dev.lockstep.perfmodel.Work;
import dev.lockstep.table.DoubleList;
import dev.lockstep.table.LongList;
import org.jspecify.annotations.Nullable;

/**
 * Work of like operators, and how fast it was done.
 *
 * @param work of one of them, null when not known
 * @param roofline the least time for it on the device, null when not known
 * @param bytesPerSecond rates at which bytes moved
 * @param flopsPerSecond rates of computation
 * @param percentOfRoofline least time over time taken, in per cent
 * @param kernelTime time in ns in which any of an operator's activities ran
 * @param times these times in ns as rates see them
 * @param seconds sum of these times as rates see them
 */
public record WorkFigures(
        @Nullable Work work,
        @Nullable Roofline roofline,
        RealDistribution bytesPerSecond,
        RealDistribution flopsPerSecond,
        RealDistribution percentOfRoofline,
        Distribution kernelTime,
        RealDistribution times,
        double seconds) {
    private static final double NS_PER_S = 1e9;

    /** The sum of the times in ns as rates see it. */
    double sumForRates() {
        return seconds * NS_PER_S;
    }

    /** Collects the figures of like operators. */
    static final class Collector {
        private final LongList times = new LongList(4);
        private final DoubleList nanoseconds = new DoubleList(4);
        private final DoubleList bytesPerSecond = new DoubleList(4);
        private final DoubleList flopsPerSecond = new DoubleList(4);
        private final DoubleList percent = new DoubleList(0);
        private @Nullable Work work;
        private @Nullable Roofline roofline;

        private double sum;

        /**
         * Adds an operator without known work.
         *
         * @param kernels its device activities, which ran for this long
         */
        void add(KernelSeconds rule, Slices slices, int[] kernels, long kernelNs) {
            times.add(kernelNs);
            nanoseconds.add(rule.nanoseconds(slices, kernels, kernelNs));
            sum += rule.of(slices, kernels, kernelNs);
        }

        /**
         * Adds an operator that was asked for its work.
         *
         * @param kernels its device activities, which ran for this long
         */
        void add(KernelSeconds rule, Slices slices, int[] kernels, long kernelNs, Outcome outcome) {
            add(rule, slices, kernels, kernelNs);
            double seconds = rule.of(slices, kernels, kernelNs);
            Work done = outcome.work();
            if (done == null) {
                return;
            }
            work = work == null ? done : work;
            if (kernelNs > 0) {
                bytesPerSecond.add(done.bytes() / seconds);
                flopsPerSecond.add(done.flops() / seconds);
            }
            Roofline least = outcome.roofline();
            if (least != null) {
                roofline = roofline == null ? least : roofline;
                percent.add(least.percent((double) kernelNs));
            }
        }

        WorkFigures figures() {
            return new WorkFigures(
                    work,
                    roofline,
                    RealDistribution.of(bytesPerSecond),
                    RealDistribution.of(flopsPerSecond),
                    RealDistribution.of(percent),
                    Distribution.of(times),
                    RealDistribution.of(nanoseconds),
                    sum);
        }
    }
}
