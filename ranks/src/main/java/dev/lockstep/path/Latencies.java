// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.table.LongList;
import dev.lockstep.table.LongOrder;
import dev.lockstep.table.Quantiles;

/**
 * What edges of a kind take when nothing else holds them up, learnt from those that surely bind. The least counts, not the
 * mean: what goes beyond it is a residual, and stays where it was when other durations are tried.
 */
final class Latencies {
    /** Of fewer, the least may be far above what such edges take. */
    private static final int FEW = 3;

    /** Fewer say nothing of what is long. */
    private static final int FEWEST = 20;

    private static final double LOW = 0.01;
    private static final double HIGH = 0.99;

    /** Nothing that takes longer, in ns, is a latency. */
    private static final long MOST = 100_000;

    /** What takes so many times the median is none either. */
    private static final int MANY_TIMES = 10;

    private final LongList[] seen = lists();
    private final LongList[] bounds = lists();

    private static LongList[] lists() {
        LongList[] lists = new LongList[EdgeKind.values().length];
        for (int i = 0; i < lists.length; i++) {
            lists[i] = new LongList(16);
        }
        return lists;
    }

    /** Takes note of an edge that surely bound. */
    void saw(EdgeKind kind, long ns) {
        if (ns > 0) {
            seen[kind.ordinal()].add(ns);
        }
    }

    /** Takes note of an edge that may not have bound: it took no longer than this. A busy queue may start work sooner. */
    void bound(EdgeKind kind, long ns) {
        if (ns > 0) {
            bounds[kind.ordinal()].add(ns);
        }
    }

    /** What edges of a kind take at most, in ns, as far as was seen; else what is given, which is also the most. */
    long longest(EdgeKind kind, long most) {
        long[] sorted = sorted(seen[kind.ordinal()]);
        return sorted.length < FEWEST ? most : Math.min(most, longest(sorted));
    }

    /** Learns: the 1st percentile of a kind is its latency, beyond the 99th something else held it up. */
    void learn(EdgeCounts[] counts) {
        for (EdgeKind kind : EdgeKind.values()) {
            long[] sorted = sorted(seen[kind.ordinal()]);
            EdgeCounts of = counts[kind.ordinal()];
            if (sorted.length > 0) {
                of.latency = sorted.length < FEW ? 0 : Math.min(low(sorted), low(sorted(bounds[kind.ordinal()])));
                of.longest = longest(sorted);
            }
        }
    }

    private static long[] sorted(LongList list) {
        long[] sorted = list.toArray();
        LongOrder.sort(sorted);
        return sorted;
    }

    private static long low(long[] sorted) {
        return Quantiles.at(sorted, LOW, Long.MAX_VALUE);
    }

    /** Waits that nothing recorded are among what was seen, and may be more than one in a hundred. */
    private static long longest(long[] sorted) {
        long high = sorted[(int) Math.ceil(HIGH * sorted.length) - 1];
        return Math.min(Math.min(high, MOST), MANY_TIMES * Quantiles.upperMedian(sorted, 0));
    }
}
