// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

/** Ends of arrows between slices, in the order of the file. */
public final class Flows {
    private final long[] id;
    private final byte[] phase;
    private final long[] ts;
    private final int[] track;
    private final int[] category;

    Flows(long[] id, byte[] phase, long[] ts, int[] track, int[] category) {
        this.id = id;
        this.phase = phase;
        this.ts = ts;
        this.track = track;
        this.category = category;
    }

    /** {@return the number of ends of arrows} */
    public int size() {
        return id.length;
    }

    /**
     * {@return the number that joins the ends of an arrow, within a category}
     *
     * @param row row of this table, from 0
     */
    public long id(int row) {
        return id[row];
    }

    /**
     * {@return {@code 's'} start, {@code 't'} step, {@code 'f'} end}
     *
     * @param row row of this table, from 0
     */
    public char phase(int row) {
        return (char) phase[row];
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
     * {@return pool id of the category, -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public int category(int row) {
        return category[row];
    }
}
