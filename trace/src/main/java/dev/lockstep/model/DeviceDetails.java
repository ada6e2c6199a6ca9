// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

/** Where and how device activity ran. */
public final class DeviceDetails {
    /** The key under which a trace holds this table. */
    public static final TableKey<DeviceDetails> KEY =
            new TableKey<>("device_details", DeviceDetails.class, 2, 5, DeviceDetails::new);

    public static final int GRID = 0;
    public static final int BLOCK = 1;

    public static final int DEVICE = 0;
    public static final int STREAM = 1;
    public static final int REGISTERS = 2;
    public static final int SHARED_MEMORY = 3;
    public static final int BYTES = 4;

    private final DetailTable table;

    private DeviceDetails(DetailTable table) {
        this.table = table;
    }

    /** Number of rows. */
    public int size() {
        return table.size();
    }

    /** The slice that a row belongs to. */
    public int slice(int row) {
        return table.slice(row);
    }

    /** The row of a slice, or -1. */
    public int of(int slice) {
        return table.of(slice);
    }

    /** Device number, -1 when absent. */
    public long device(int row) {
        return table.number(DEVICE, row);
    }

    /** Stream number, -1 when absent. */
    public long stream(int row) {
        return table.number(STREAM, row);
    }

    /** Pool id of the launch grid as JSON text, -1 when absent. */
    public int grid(int row) {
        return table.text(GRID, row);
    }

    /** Pool id of the thread block as JSON text, -1 when absent. */
    public int block(int row) {
        return table.text(BLOCK, row);
    }

    /** Registers per thread, -1 when absent. */
    public long registers(int row) {
        return table.number(REGISTERS, row);
    }

    /** Shared memory of a block in bytes, -1 when absent. */
    public long sharedMemory(int row) {
        return table.number(SHARED_MEMORY, row);
    }

    /** Bytes moved by a copy or fill, -1 when absent. */
    public long bytes(int row) {
        return table.number(BYTES, row);
    }
}
