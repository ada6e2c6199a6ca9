// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

/** Where and how device activity ran, and which stream a synchronisation concerns. */
public final class DeviceDetails extends DetailView {
    /** The key under which a trace holds this table. */
    public static final TableKey<DeviceDetails> KEY =
            new TableKey<>("device_details", DeviceDetails.class, 2, 7, DeviceDetails::new);

    /** Text: {@link #grid}. */
    public static final int GRID = 0;
    /** Text: {@link #block}. */
    public static final int BLOCK = 1;

    /** Number: {@link #device}. */
    public static final int DEVICE = 0;
    /** Number: {@link #stream}. */
    public static final int STREAM = 1;
    /** Number: {@link #registers}. */
    public static final int REGISTERS = 2;
    /** Number: {@link #sharedMemory}. */
    public static final int SHARED_MEMORY = 3;
    /** Number: {@link #bytes}. */
    public static final int BYTES = 4;
    /** Number: the bits of {@link #bandwidth}. */
    public static final int BANDWIDTH = 5;
    /** Number: {@link #occupancy}. */
    public static final int OCCUPANCY = 6;

    private DeviceDetails(DetailTable table) {
        super(table);
    }

    /**
     * {@return device number, -1 when absent}
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
     * {@return pool id of the launch grid as JSON text, -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public int grid(int row) {
        return table.text(GRID, row);
    }

    /**
     * {@return pool id of the thread block as JSON text, -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public int block(int row) {
        return table.text(BLOCK, row);
    }

    /**
     * {@return registers per thread, -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public long registers(int row) {
        return table.number(REGISTERS, row);
    }

    /**
     * {@return shared memory of a block in bytes, -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public long sharedMemory(int row) {
        return table.number(SHARED_MEMORY, row);
    }

    /**
     * {@return the share of a multiprocessor's threads that the profiler estimates a kernel to keep busy, in percent; -1
     *     when absent}
     *
     * @param row row of this table, from 0
     */
    public long occupancy(int row) {
        return table.number(OCCUPANCY, row);
    }

    /**
     * {@return bytes moved by a copy or fill, -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public long bytes(int row) {
        return table.number(BYTES, row);
    }

    /**
     * {@return bandwidth of a copy or fill in GB/s as the profiler states it, NaN when absent}
     *
     * @param row row of this table, from 0
     */
    public double bandwidth(int row) {
        return Double.longBitsToDouble(table.number(BANDWIDTH, row));
    }
}
