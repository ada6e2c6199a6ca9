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

    public int size() {
        return ts.length;
    }

    /** Time in ns since the trace's origin. */
    public long ts(int row) {
        return ts[row];
    }

    public int track(int row) {
        return track[row];
    }

    /** Pool id of the name. */
    public int name(int row) {
        return name[row];
    }

    /** Pool id of the category, -1 when absent. */
    public int category(int row) {
        return category[row];
    }

    /**
     * {@code 'i'} instant, {@code 'C'} counter. A trace that keeps everything has further phases, as the file wrote them:
     * asynchronous events, samples, snapshots of objects, and {@code 'B'} or {@code 'E'} without a partner.
     */
    public char phase(int row) {
        return (char) phase[row];
    }
}
