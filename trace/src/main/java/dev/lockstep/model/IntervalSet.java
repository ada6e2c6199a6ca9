// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import dev.lockstep.table.LongOrder;
import java.util.Arrays;

/**
 * A set of moments as disjoint intervals {@code [start, end)} in ascending order that do not touch. Immutable. All
 * operations take time linear in the number of intervals, and all lengths are exact.
 */
public final class IntervalSet {
    /** No moment at all. */
    public static final IntervalSet EMPTY = new IntervalSet(new long[0], new long[0], 0);

    private final long[] starts;
    private final long[] ends;
    private final int size;

    private IntervalSet(long[] starts, long[] ends, int size) {
        this.starts = starts;
        this.ends = ends;
        this.size = size;
    }

    /** Joins intervals that come in order of their starts. Confined to one thread. */
    public static final class Builder {
        private long[] starts = new long[16];
        private long[] ends = new long[16];
        private int size;

        /** No interval so far. */
        public Builder() {}

        /**
         * Adds an interval whose start is not before that of the one added last; empty ones leave no trace.
         *
         * @param start first moment of the interval
         * @param end the moment behind its last
         */
        public void add(long start, long end) {
            if (end <= start) {
                return;
            }
            if (size > 0 && start <= ends[size - 1]) {
                if (end > ends[size - 1]) {
                    ends[size - 1] = end;
                }
                return;
            }
            if (size == starts.length) {
                starts = Arrays.copyOf(starts, size * 2);
                ends = Arrays.copyOf(ends, size * 2);
            }
            starts[size] = start;
            ends[size++] = end;
        }

        /** {@return the set of all intervals so far; the builder must not be used afterwards} */
        public IntervalSet build() {
            return size == 0 ? EMPTY : new IntervalSet(starts, ends, size);
        }
    }

    /**
     * {@return the one interval}
     *
     * @param start first moment
     * @param end the moment behind the last; if it is not after the start, the set is empty
     */
    public static IntervalSet of(long start, long end) {
        Builder builder = new Builder();
        builder.add(start, end);
        return builder.build();
    }

    /** {@return number of intervals} */
    public int size() {
        return size;
    }

    /** {@return whether no moment is in the set} */
    public boolean isEmpty() {
        return size == 0;
    }

    /**
     * {@return the first moment of an interval}
     *
     * @param i its place in order of time, from 0
     */
    public long start(int i) {
        return starts[i];
    }

    /**
     * {@return the moment behind the last one of an interval}
     *
     * @param i its place in order of time, from 0
     */
    public long end(int i) {
        return ends[i];
    }

    /** {@return sum of the lengths} */
    public long total() {
        long total = 0;
        for (int i = 0; i < size; i++) {
            total += ends[i] - starts[i];
        }
        return total;
    }

    /** {@return from the first start to the last end; 0 for the empty set} */
    public long span() {
        return size == 0 ? 0 : ends[size - 1] - starts[0];
    }

    /**
     * {@return the moments of either}
     *
     * @param other stays as it is
     */
    public IntervalSet union(IntervalSet other) {
        Builder builder = new Builder();
        int i = 0;
        int j = 0;
        while (i < size || j < other.size) {
            if (j == other.size || i < size && starts[i] <= other.starts[j]) {
                builder.add(starts[i], ends[i++]);
            } else {
                builder.add(other.starts[j], other.ends[j++]);
            }
        }
        return builder.build();
    }

    /**
     * {@return the moments of both}
     *
     * @param other stays as it is
     */
    public IntervalSet intersect(IntervalSet other) {
        Builder builder = new Builder();
        int i = 0;
        int j = 0;
        while (i < size && j < other.size) {
            builder.add(Math.max(starts[i], other.starts[j]), Math.min(ends[i], other.ends[j]));
            if (ends[i] < other.ends[j]) {
                i++;
            } else {
                j++;
            }
        }
        return builder.build();
    }

    /**
     * How much of the set lies between two moments; takes logarithmic time for few intervals in between.
     *
     * @param from first moment, ns
     * @param to second moment, ns
     * @return time in ns
     */
    public long within(long from, long to) {
        long total = 0;
        for (int i = from == Long.MAX_VALUE ? size : LongOrder.countBelow(ends, size, from + 1);
                i < size && starts[i] < to;
                i++) {
            total += Math.min(to, ends[i]) - Math.max(from, starts[i]);
        }
        return total;
    }

    /**
     * {@return the moments of this that are none of the other's}
     *
     * @param other stays as it is
     */
    public IntervalSet minus(IntervalSet other) {
        Builder builder = new Builder();
        int j = 0;
        for (int i = 0; i < size; i++) {
            long from = starts[i];
            while (j < other.size && other.ends[j] <= from) {
                j++;
            }
            for (int k = j; k < other.size && other.starts[k] < ends[i]; k++) {
                builder.add(from, other.starts[k]);
                from = Math.max(from, other.ends[k]);
            }
            builder.add(from, ends[i]);
        }
        return builder.build();
    }

    /** {@return the moments between the first start and the last end that are not in the set} */
    public IntervalSet gaps() {
        Builder builder = new Builder();
        for (int i = 1; i < size; i++) {
            builder.add(ends[i - 1], starts[i]);
        }
        return builder.build();
    }
}
