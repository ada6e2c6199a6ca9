// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

/**
 * All complete slices of a trace, ordered by start, then longest first, then by content, so that the order of events
 * in the file leaves no mark. Row numbers are the identity of slices everywhere in the program.
 */
public final class Slices {
    /** Distance between the numbers of launches of one rank and of the next in files that were merged. */
    public static final long RANK_STRIDE = 10_000_000_000L;

    private final long[] ts;
    private final long[] dur;
    private final int[] name;
    private final int[] category;
    private final int[] track;
    private final byte[] kind;
    private final NarrowColumn correlation;
    private final NarrowColumn externalId;
    private final int[] index;

    /** The slices of a builder in this order; each of its columns is given up as soon as it is copied. */
    Slices(TraceBuilder builder, int[] order) {
        ts = builder.ts.take(order);
        dur = builder.dur.take(order);
        name = builder.name.take(order);
        category = builder.category.take(order);
        track = builder.track.take(order);
        kind = builder.kind.take(order);
        correlation = new NarrowColumn(builder.correlation.take(order));
        externalId = new NarrowColumn(builder.externalId.take(order));
        index = builder.index.take(order);
    }

    /** The same slices, which last so long. */
    Slices(Slices other, long[] durations) {
        ts = other.ts;
        dur = durations;
        name = other.name;
        category = other.category;
        track = other.track;
        kind = other.kind;
        correlation = other.correlation;
        externalId = other.externalId;
        index = other.index;
    }

    /** {@return the number of slices} */
    public int size() {
        return ts.length;
    }

    /**
     * {@return start in ns since the trace's origin}
     *
     * @param row row of this table, from 0
     */
    public long ts(int row) {
        return ts[row];
    }

    /**
     * {@return duration in ns, at least 0}
     *
     * @param row row of this table, from 0
     */
    public long dur(int row) {
        return dur[row];
    }

    /**
     * {@return end in ns: start plus duration}
     *
     * @param row row of this table, from 0
     */
    public long end(int row) {
        return ts[row] + dur[row];
    }

    /**
     * {@return id of the name in the trace's pool}
     *
     * @param row row of this table, from 0
     */
    public int name(int row) {
        return name[row];
    }

    /**
     * {@return id of the category as written in the file, -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public int category(int row) {
        return category[row];
    }

    /**
     * {@return number of the track}
     *
     * @param row row of this table, from 0
     */
    public int track(int row) {
        return track[row];
    }

    /**
     * {@return what the slice is}
     *
     * @param row row of this table, from 0
     */
    public SliceKind kind(int row) {
        return SliceKind.of(kind[row]);
    }

    /**
     * {@return number that joins a launch and its device activity, -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public long correlation(int row) {
        return correlation.get(row);
    }

    /**
     * {@return number that joins an op and the launches inside it, -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public long externalId(int row) {
        return externalId.get(row);
    }

    /**
     * {@return place of the event among all events of the file, counted from 0}
     *
     * @param row row of this table, from 0
     */
    public int index(int row) {
        return index[row];
    }
}
