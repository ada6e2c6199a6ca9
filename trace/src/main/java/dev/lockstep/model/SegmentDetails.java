// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

/** The segments that an allocator holds of a device at the end of a recording: a row for each mark that states one. */
public final class SegmentDetails {
    /** The key under which a trace holds this table; its rows belong to {@link Marks}. */
    public static final TableKey<SegmentDetails> KEY =
            new TableKey<>("segment_details", SegmentDetails.class, 0, 6, SegmentDetails::new);

    /** Number: {@link #device}. */
    public static final int DEVICE = 0;
    /** Number: {@link #stream}. */
    public static final int STREAM = 1;
    /** Number: {@link #total}. */
    public static final int TOTAL = 2;
    /** Number: {@link #free}. */
    public static final int FREE = 3;
    /** Number: {@link #largestFree}. */
    public static final int LARGEST_FREE = 4;
    /** Number: {@link #pool}. */
    public static final int POOL = 5;

    private final DetailTable table;

    private SegmentDetails(DetailTable table) {
        this.table = table;
    }

    /** {@return number of rows} */
    public int size() {
        return table.size();
    }

    /**
     * {@return device number}
     *
     * @param row row of this table, from 0
     */
    public long device(int row) {
        return table.number(DEVICE, row);
    }

    /**
     * {@return stream number, -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public long stream(int row) {
        return table.number(STREAM, row);
    }

    /**
     * {@return bytes of the segment}
     *
     * @param row row of this table, from 0
     */
    public long total(int row) {
        return table.number(TOTAL, row);
    }

    /**
     * {@return bytes of it that are not allocated}
     *
     * @param row row of this table, from 0
     */
    public long free(int row) {
        return table.number(FREE, row);
    }

    /**
     * {@return bytes of the largest block of it that is not allocated}
     *
     * @param row row of this table, from 0
     */
    public long largestFree(int row) {
        return table.number(LARGEST_FREE, row);
    }

    /**
     * {@return number of the private pool that the segment belongs to, as those of graphs; 0 for the common one}
     *
     * @param row row of this table, from 0
     */
    public long pool(int row) {
        return table.number(POOL, row);
    }
}
