// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

/** What the framework recorded about its operators: arguments and autograd numbers. */
public final class OpDetails {
    /** The key under which a trace holds this table. */
    public static final TableKey<OpDetails> KEY = new TableKey<>("op_details", OpDetails.class, 5, 2, OpDetails::new);

    public static final int INPUT_DIMS = 0;
    public static final int INPUT_TYPES = 1;
    public static final int INPUT_STRIDES = 2;
    public static final int CONCRETE_INPUTS = 3;
    public static final int OUTPUT_TYPES = 4;

    public static final int SEQUENCE = 0;
    public static final int RECORD_FUNCTION = 1;

    private final DetailTable table;

    private OpDetails(DetailTable table) {
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

    /** Pool id of the shapes of the inputs as JSON text, -1 when not recorded. */
    public int inputDims(int row) {
        return table.text(INPUT_DIMS, row);
    }

    /** Pool id of the element types of the inputs as JSON text, -1 when not recorded. */
    public int inputTypes(int row) {
        return table.text(INPUT_TYPES, row);
    }

    /** Pool id of the strides of the inputs as JSON text, -1 when not recorded. */
    public int inputStrides(int row) {
        return table.text(INPUT_STRIDES, row);
    }

    /** Pool id of the values of scalar inputs as JSON text, -1 when not recorded. */
    public int concreteInputs(int row) {
        return table.text(CONCRETE_INPUTS, row);
    }

    /** Pool id of the element types of the outputs as JSON text, -1 when not recorded. */
    public int outputTypes(int row) {
        return table.text(OUTPUT_TYPES, row);
    }

    /** Autograd sequence number that joins a forward op and its backward, -1 when absent. */
    public long sequence(int row) {
        return table.number(SEQUENCE, row);
    }

    /** Number under which an execution trace of the same run knows the op, -1 when absent. */
    public long recordFunction(int row) {
        return table.number(RECORD_FUNCTION, row);
    }
}
