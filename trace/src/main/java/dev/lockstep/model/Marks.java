// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

/** Moments without extent: instant events and counter values, in the order of the file. */
public final class Marks {
    private final long[] ts;
    private final int[] track;
    private final int[] name;
    private final int[] category;
    private final byte[] phase;

    Marks(long[] ts, int[] track, int[] name, int[] category, byte[] phase) {
        this.ts = ts;
        this.track = track;
        this.name = name;
        this.category = category;
        this.phase = phase;
    }

    /** {@return the number of marks} */
    public int size() {
        return ts.length;
    }

    /**
     * {@return time in ns since the trace's origin}
     *
     * @param row row of this table, from 0
     */
    public long ts(int row) {
        return ts[row];
    }

    /**
     * {@return the number of the track}
     *
     * @param row row of this table, from 0
     */
    public int track(int row) {
        return track[row];
    }

    /**
     * {@return pool id of the name}
     *
     * @param row row of this table, from 0
     */
    public int name(int row) {
        return name[row];
    }

    /**
     * {@return pool id of the category, -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public int category(int row) {
        return category[row];
    }

    /**
     * {@return {@code 'i'} instant, {@code 'C'} counter} A trace that keeps everything has further phases, as the file
     * wrote them: asynchronous events, samples, snapshots of objects, and {@code 'B'} or {@code 'E'} without a partner.
     *
     * @param row row of this table, from 0
     */
    public char phase(int row) {
        return (char) phase[row];
    }
}
