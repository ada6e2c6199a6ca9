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

    public int size() {
        return id.length;
    }

    /** The number that joins the ends of an arrow, within a category. */
    public long id(int row) {
        return id[row];
    }

    /** {@code 's'} start, {@code 't'} step, {@code 'f'} end. */
    public char phase(int row) {
        return (char) phase[row];
    }

    /** Time in ns since the trace's origin. */
    public long ts(int row) {
        return ts[row];
    }

    public int track(int row) {
        return track[row];
    }

    /** Pool id of the category, -1 when absent. */
    public int category(int row) {
        return category[row];
    }
}
