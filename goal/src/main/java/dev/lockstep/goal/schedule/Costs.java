// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.schedule;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * What it costs to reduce and to copy data. Immutable; {@link #forRank} gives each rank its own draws.
 *
 * @param simple tables for data that comes in slices, by the names of {@link CostTable}
 * @param lowLatency tables for data with flags
 * @param lowLatency128 tables for data in flagged lines of 128 bytes
 * @param beyond whether sizes above the largest measured one cost more than it
 * @param drawn whether durations are drawn, else they are means
 * @param seed what is drawn depends on it, and on nothing else
 */
public record Costs(
        Map<String, CostTable> simple,
        Map<String, CostTable> lowLatency,
        Map<String, CostTable> lowLatency128,
        boolean beyond,
        boolean drawn,
        long seed) {
    /** Reads both tables; those for LL count for LL128, too. */
    public static Costs read(Path simple, Path lowLatency) throws IOException {
        Map<String, CostTable> flags = CostTable.read(lowLatency, CostTable.REDUCE, CostTable.COPY);
        return new Costs(CostTable.read(simple, CostTable.REDUCE, CostTable.COPY), flags, flags, true, false, 0);
    }

    /** The same with durations that are drawn. */
    public Costs drawnWith(long newSeed) {
        return new Costs(simple, lowLatency, lowLatency128, beyond, true, newSeed);
    }

    /** The same with tables of their own for LL128. */
    public Costs withLowLatency128(Map<String, CostTable> tables) {
        return new Costs(simple, lowLatency, tables, beyond, drawn, seed);
    }

    /** The same, with the largest measured size standing for all above. */
    public Costs clamped() {
        return new Costs(simple, lowLatency, lowLatency128, false, drawn, seed);
    }

    /** The costs of a rank. Confined to one thread. */
    public RankCosts forRank(int rank) {
        return new RankCosts(this, rank);
    }
}
