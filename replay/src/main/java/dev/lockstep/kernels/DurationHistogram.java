// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

/**
 * How long kernels ran, in classes that double: class 0 is below 1 µs, class i from 2^(i-1) to 2^i µs.
 *
 * @param counts kernels by class
 * @param ns sums of their durations
 */
@SuppressWarnings("ArrayRecordComponent")
public record DurationHistogram(long[] counts, long[] ns) {
    private static final int CLASSES = 40;
    private static final long NS_PER_US = 1000;

    static DurationHistogram of(long[] durations) {
        long[] counts = new long[CLASSES];
        long[] ns = new long[CLASSES];
        for (long duration : durations) {
            int place = Math.min(CLASSES - 1, Long.SIZE - Long.numberOfLeadingZeros(duration / NS_PER_US));
            counts[place]++;
            ns[place] += duration;
        }
        return new DurationHistogram(counts, ns);
    }

    /** Number of classes up to the longest kernel. */
    int size() {
        int size = counts.length;
        while (size > 0 && counts[size - 1] == 0) {
            size--;
        }
        return size;
    }

    /** The shortest duration of a class in ns. */
    static long from(int place) {
        return place == 0 ? 0 : NS_PER_US << place - 1;
    }

    /** The duration in ns that ends a class. */
    static long to(int place) {
        return NS_PER_US << place;
    }
}
