// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import dev.lockstep.analyze.Distribution;
import dev.lockstep.analyze.RealDistribution;
import dev.lockstep.analyze.work.Works.Outcome;
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
 * @param seconds sum of these times as rates see them
 */
public record WorkFigures(
        @Nullable Work work,
        @Nullable Roofline roofline,
        RealDistribution bytesPerSecond,
        RealDistribution flopsPerSecond,
        RealDistribution percentOfRoofline,
        Distribution kernelTime,
        double seconds) {
    /** Collects the figures of like operators. */
    static final class Collector {
        private final LongList times = new LongList(4);
        private final DoubleList bytesPerSecond = new DoubleList(4);
        private final DoubleList flopsPerSecond = new DoubleList(4);
        private final DoubleList percent = new DoubleList(0);
        private @Nullable Work work;
        private @Nullable Roofline roofline;

        private double sum;

        /** Adds an operator without known work. */
        void add(long kernelNs, double seconds) {
            times.add(kernelNs);
            sum += seconds;
        }

        /**
         * Adds an operator that was asked for its work.
         *
         * @param seconds the time for rates
         */
        void add(long kernelNs, double seconds, Outcome outcome) {
            add(kernelNs, seconds);
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
                    sum);
        }
    }
}
