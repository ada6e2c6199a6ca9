// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

/** What the framework recorded about its operators: arguments and autograd numbers. */
public final class OpDetails extends DetailView {
    /** The key under which a trace holds this table. */
    public static final TableKey<OpDetails> KEY = new TableKey<>("op_details", OpDetails.class, 5, 2, OpDetails::new);

    /** Text: {@link #inputDims}. */
    public static final int INPUT_DIMS = 0;
    /** Text: {@link #inputTypes}. */
    public static final int INPUT_TYPES = 1;
    /** Text: {@link #inputStrides}. */
    public static final int INPUT_STRIDES = 2;
    /** Text: {@link #concreteInputs}. */
    public static final int CONCRETE_INPUTS = 3;
    /** Text: {@link #outputTypes}. */
    public static final int OUTPUT_TYPES = 4;

    /** Number: {@link #sequence}. */
    public static final int SEQUENCE = 0;
    /** Number: {@link #recordFunction}. */
    public static final int RECORD_FUNCTION = 1;

    private OpDetails(DetailTable table) {
        super(table);
    }

    /**
     * {@return pool id of the shapes of the inputs as JSON text, -1 when not recorded}
     *
     * @param row row of this table, from 0
     */
    public int inputDims(int row) {
        return table.text(INPUT_DIMS, row);
    }

    /**
     * {@return pool id of the element types of the inputs as JSON text, -1 when not recorded}
     *
     * @param row row of this table, from 0
     */
    public int inputTypes(int row) {
        return table.text(INPUT_TYPES, row);
    }

    /**
     * {@return pool id of the strides of the inputs as JSON text, -1 when not recorded}
     *
     * @param row row of this table, from 0
     */
    public int inputStrides(int row) {
        return table.text(INPUT_STRIDES, row);
    }

    /**
     * {@return pool id of the values of scalar inputs as JSON text, -1 when not recorded}
     *
     * @param row row of this table, from 0
     */
    public int concreteInputs(int row) {
        return table.text(CONCRETE_INPUTS, row);
    }

    /**
     * {@return pool id of the element types of the outputs as JSON text, -1 when not recorded}
     *
     * @param row row of this table, from 0
     */
    public int outputTypes(int row) {
        return table.text(OUTPUT_TYPES, row);
    }

    /**
     * {@return autograd sequence number that joins a forward op and its backward, -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public long sequence(int row) {
        return table.number(SEQUENCE, row);
    }

    /**
     * {@return number under which an execution trace of the same run knows the op, -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public long recordFunction(int row) {
        return table.number(RECORD_FUNCTION, row);
    }
}
