// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.schedule;

import java.util.Arrays;
import java.util.Map;

/** Costs as one rank has them, in the order of its schedule. Confined to one thread. */
public final class RankCosts {
    private static final int REMEMBERED = 64;
    private static final int KINDS = 6;

    private final Costs costs;
    private final CostTable[] tables;
    private final long[] sizes = new long[KINDS * REMEMBERED];
    private final long[] known = new long[KINDS * REMEMBERED];
    private long state;

    RankCosts(Costs costs, int rank) {
        this.costs = costs;
        this.tables = new CostTable[] {
            table(costs.lowLatency(), CostTable.REDUCE),
            table(costs.lowLatency(), CostTable.COPY),
            table(costs.lowLatency128(), CostTable.REDUCE),
            table(costs.lowLatency128(), CostTable.COPY),
            table(costs.simple(), CostTable.REDUCE),
            table(costs.simple(), CostTable.COPY)
        };
        state = costs.seed() * 0x9E3779B97F4A7C15L + rank;
        Arrays.fill(sizes, -1);
    }

    /**
     * Nanoseconds that it takes to reduce data.
     *
     * @param protocol place in {@link dev.lockstep.goal.model.NcclProtocol}
     */
    public long reduce(int protocol, long bytes) {
        return cost(2 * protocol, bytes);
    }

    /** Nanoseconds that it takes to copy data. */
    public long copy(int protocol, long bytes) {
        return cost(2 * protocol + 1, bytes);
    }

    private long cost(int kind, long bytes) {
        if (costs.drawn()) {
            return tables[kind].draw(bytes, costs.beyond(), random());
        }
        int at = kind * REMEMBERED + (int) ((bytes >>> 3 ^ bytes >>> 12) & REMEMBERED - 1);
        if (sizes[at] != bytes) {
            sizes[at] = bytes;
            known[at] = tables[kind].mean(bytes, costs.beyond());
        }
        return known[at];
    }

    /** SplitMix64, without its sign. */
    private long random() {
        state += 0x9E3779B97F4A7C15L;
        long z = (state ^ state >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }

    private static CostTable table(Map<String, CostTable> tables, String name) {
        CostTable table = tables.get(name);
        if (table == null) {
            throw new IllegalArgumentException("no table " + name);
        }
        return table;
    }
}
