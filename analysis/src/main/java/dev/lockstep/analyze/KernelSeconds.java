// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze;

import dev.lockstep.model.IntervalSet;
import dev.lockstep.model.Slices;
import dev.lockstep.table.LongList;

/** How long device activities count when rates are computed from them. */
public interface KernelSeconds {
    /** The exact time. */
    KernelSeconds EXACT = new KernelSeconds() {
        @Override
        public double of(Slices slices, int[] activities, long ns) {
            return ns / 1e9;
        }

        @Override
        public double nanoseconds(Slices slices, int[] activities, long ns) {
            return ns;
        }

        @Override
        public double between(long from, long to) {
            return to - from;
        }

        @Override
        public double covered(Slices slices, int activity, int[] others) {
            IntervalSet.Builder builder = new IntervalSet.Builder();
            for (int other : others) {
                builder.add(
                        Math.max(slices.ts(activity), slices.ts(other)),
                        Math.min(slices.end(activity), slices.end(other)));
            }
            return builder.build().total();
        }

        @Override
        public double shortMeanMicroseconds(LongList durations) {
            long sum = 0;
            for (int i = 0; i < durations.size(); i++) {
                sum += durations.get(i);
            }
            return Math.round((double) sum / durations.size() / 10) / 100.0;
        }

        @Override
        public boolean isExact() {
            return true;
        }
    };

    /**
     * A time in seconds.
     *
     * @param activities device slices in order of their rows
     * @param ns exact time in which any of them ran
     */
    double of(Slices slices, int[] activities, long ns);

    /** The same time in nanoseconds. */
    double nanoseconds(Slices slices, int[] activities, long ns);

    /** Nanoseconds from one moment to another, both in ns since the trace's origin. */
    double between(long from, long to);

    /**
     * For how many nanoseconds of an activity any of others ran.
     *
     * @param others that overlap it, in order of their rows
     */
    double covered(Slices slices, int activity, int[] others);

    /** The mean in microseconds, with two decimals, of durations in nanoseconds, of which there is one at least. */
    double shortMeanMicroseconds(LongList durations);

    /** Whether it is nothing but the exact time, so that sums of nanoseconds order rows just as well. */
    default boolean isExact() {
        return false;
    }
}
