// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

/** Requests for memory that an allocator could not meet: a row for each mark that says so, in the order of the file. */
public final class MemoryFailureDetails {
    /** The key under which a trace holds this table; its rows belong to {@link Marks}. */
    public static final TableKey<MemoryFailureDetails> KEY =
            new TableKey<>("memory_failure_details", MemoryFailureDetails.class, 1, 5, MemoryFailureDetails::new);

    /** What marks are called that say so. */
    public static final String MARK = "[out of memory]";

    /** Text: {@link #frames}. */
    public static final int FRAMES = 0;

    /** Number: {@link #device}. */
    public static final int DEVICE = 0;
    /** Number: {@link #bytes}. */
    public static final int BYTES = 1;
    /** Number: {@link #free}. */
    public static final int FREE = 2;
    /** Number: {@link #allocated}. */
    public static final int ALLOCATED = 3;
    /** Number: {@link #reserved}. */
    public static final int RESERVED = 4;

    private final DetailTable table;

    private MemoryFailureDetails(DetailTable table) {
        this.table = table;
    }

    /** {@return number of rows} */
    public int size() {
        return table.size();
    }

    /**
     * {@return the mark that a row belongs to: row of {@link Marks}}
     *
     * @param row row of this table, from 0
     */
    public int mark(int row) {
        return table.slice(row);
    }

    /**
     * {@return pool id of the stack that asked, a line for each frame, the innermost first}
     *
     * @param row row of this table, from 0
     */
    public int frames(int row) {
        return table.text(FRAMES, row);
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
     * {@return bytes that were asked for}
     *
     * @param row row of this table, from 0
     */
    public long bytes(int row) {
        return table.number(BYTES, row);
    }

    /**
     * {@return bytes of the device that nothing held then, -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public long free(int row) {
        return table.number(FREE, row);
    }

    /**
     * {@return bytes that were allocated then}
     *
     * @param row row of this table, from 0
     */
    public long allocated(int row) {
        return table.number(ALLOCATED, row);
    }

    /**
     * {@return bytes that the allocator held then}
     *
     * @param row row of this table, from 0
     */
    public long reserved(int row) {
        return table.number(RESERVED, row);
    }
}
