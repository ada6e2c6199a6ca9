// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

/**
 * What an allocator of memory allocated and freed: a row for each mark that says so, in the order of the file. Bytes of
 * a row are signed; a row without an address tells how much there was of something, not which block.
 */
public final class MemoryDetails {
    /** The key under which a trace holds this table; its rows belong to {@link Marks}. */
    public static final TableKey<MemoryDetails> KEY =
            new TableKey<>("memory_details", MemoryDetails.class, 2, 6, MemoryDetails::new);

    /** What marks are called that say what an allocator did. */
    public static final String MARK = "[memory]";

    /** The device of memory of the host. */
    public static final long HOST = -1;

    /** Text: {@link #frames}. */
    public static final int FRAMES = 0;
    /** Text: {@link #category}. */
    public static final int CATEGORY = 1;

    /** Number: {@link #device}. */
    public static final int DEVICE = 0;
    /** Number: {@link #bytes}. */
    public static final int BYTES = 1;
    /** Number: {@link #address}. */
    public static final int ADDRESS = 2;
    /** Number: {@link #allocated}. */
    public static final int ALLOCATED = 3;
    /** Number: {@link #reserved}. */
    public static final int RESERVED = 4;
    /** Number: {@link #stream}. */
    public static final int STREAM = 5;

    private final DetailTable table;

    private MemoryDetails(DetailTable table) {
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
     * {@return the row of a mark, or -1}
     *
     * @param mark row of the mark in {@link Marks}
     */
    public int of(int mark) {
        return table.of(mark);
    }

    /**
     * {@return pool id of the stack that asked, a line for each frame, as in {@code forward model.py:42}, the innermost
     * first; -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public int frames(int row) {
        return table.text(FRAMES, row);
    }

    /**
     * {@return pool id of what the memory is for, as the recorder sorts it; -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public int category(int row) {
        return table.text(CATEGORY, row);
    }

    /**
     * {@return device number, {@link #HOST} for the host}
     *
     * @param row row of this table, from 0
     */
    public long device(int row) {
        return table.number(DEVICE, row);
    }

    /**
     * {@return bytes allocated, negative when freed}
     *
     * @param row row of this table, from 0
     */
    public long bytes(int row) {
        return table.number(BYTES, row);
    }

    /**
     * {@return where the block begins, -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public long address(int row) {
        return table.number(ADDRESS, row);
    }

    /**
     * {@return bytes of the device that are allocated after this, -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public long allocated(int row) {
        return table.number(ALLOCATED, row);
    }

    /**
     * {@return bytes that the allocator holds of the device after this, allocated or not; -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public long reserved(int row) {
        return table.number(RESERVED, row);
    }

    /**
     * {@return stream number, -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public long stream(int row) {
        return table.number(STREAM, row);
    }
}
