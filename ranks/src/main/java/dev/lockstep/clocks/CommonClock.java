// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.clocks;

import java.io.Serializable;

/**
 * Takes times of ranks onto one clock, that of the first rank of their block. Ranks are named by their places. Immutable.
 *
 * <p>Times on it are ns since the origin of the first rank's trace, as far as origins are on record.
 */
public final class CommonClock implements Serializable {
    /** Profilers that are told to start at the same time start within this. */
    private static final long TOGETHER_NS = 1_000_000;

    private final ClockLine[] lines;
    private final boolean[] corrected;
    private final long[] origin;
    private final long[] begin;
    private final boolean trusted;

    /**
     * @param corrected by place, whether a clock's offset and drift are taken away; that it counts from another moment always is
     * @param origin by place, time 0 of the trace since the origin of all clocks
     * @param begin by place, the first moment that was recorded, in ns since the origin of the trace
     * @param trusted whether ranks that nothing ties are taken to have one clock
     */
    CommonClock(ClockLine[] lines, boolean[] corrected, long[] origin, long[] begin, boolean trusted) {
        this.lines = lines;
        this.corrected = corrected;
        this.origin = origin;
        this.begin = begin;
        this.trusted = trusted;
    }

    /** A time of a rank, in ns since the origin of its trace, on the common clock. Grows with its argument. */
    public long at(int rank, long time) {
        return time - ahead(rank, time + origin[rank]) + origin[rank] - origin[0];
    }

    /** The time that a rank's clock showed, in ns since the origin of its trace; the last that gives this on the common clock. */
    public long recorded(int rank, long common) {
        long time =
                (corrected[rank] ? lines[rank].shown(common + origin[0]) : common + origin[0] + lines[rank].epochNs())
                        - origin[rank];
        while (at(rank, time) > common) {
            time--;
        }
        while (at(rank, time + 1) <= common) {
            time++;
        }
        return time;
    }

    private long ahead(int rank, long absolute) {
        return corrected[rank] ? lines[rank].ahead(absolute) : lines[rank].epochNs();
    }

    /** When the recording of a rank begins, on the common clock: what it did before is unknown. */
    public long begin(int rank) {
        return at(rank, begin[rank]);
    }

    /**
     * The moment on the clock of a rank before which the recording of another had not begun, by more than clocks may be wrong, and
     * recordings begin apart.
     */
    public long surelyBefore(int rank, int other) {
        return begin(other) - Math.max(TOGETHER_NS, error(rank, other));
    }

    /** Whether the clock of a rank is corrected. */
    public boolean isCorrected(int rank) {
        return corrected[rank];
    }

    /** Whether times of two ranks can be compared: something ties them, or they are taken as they are. */
    public boolean compares(int rank, int other) {
        return trusted || lines[rank].block() == lines[other].block();
    }

    /** Times of two ranks are right to within this, in ns, as far as something ties them; else 0. */
    public long error(int rank, int other) {
        boolean same = rank == other || lines[rank].block() != lines[other].block();
        return same ? 0 : lines[rank].errorNs() + lines[other].errorNs();
    }

    /** How far the clocks of two ranks leave their lines in a part of the recording, likewise. */
    public long unsteady(int rank, int other) {
        return trusted || rank == other ? 0 : lines[rank].unsteadyNs() + lines[other].unsteadyNs();
    }

    /** {@link #error} where both clocks keep to their lines. */
    public long steadyError(int rank, int other) {
        if (rank == other || lines[rank].block() != lines[other].block()) {
            return 0;
        }
        return Math.max(0, lines[rank].errorNs() - uneven(rank)) + Math.max(0, lines[other].errorNs() - uneven(other));
    }

    private long uneven(int rank) {
        int block = lines[rank].block();
        return block == rank ? 0 : lines[rank].unsteadyNs() + lines[block].unsteadyNs();
    }
}
