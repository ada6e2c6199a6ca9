// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

/** Which instruction of which compiled program of XLA an activity ran for, and what the program says of it. */
public final class XlaDetails extends DetailView {
    /** The key under which a trace holds this table. */
    public static final TableKey<XlaDetails> KEY =
            new TableKey<>("xla_details", XlaDetails.class, 10, 3, XlaDetails::new);

    /** Text: {@link #instruction}. */
    public static final int INSTRUCTION = 0;
    /** Text: {@link #module}. */
    public static final int MODULE = 1;
    /** Text: {@link #launch}. */
    public static final int LAUNCH = 2;
    /** Text: {@link #copy}. */
    public static final int COPY = 3;
    /** Text: {@link #operator}. */
    public static final int OPERATOR = 4;
    /** Text: {@link #operands}. */
    public static final int OPERANDS = 5;
    /** Text: {@link #shape}. */
    public static final int SHAPE = 6;
    /** Text: {@link #target}. */
    public static final int TARGET = 7;
    /** Text: {@link #source}. */
    public static final int SOURCE = 8;
    /** Text: {@link #category}. */
    public static final int CATEGORY = 9;

    /** Number: {@link #program}. */
    public static final int PROGRAM = 0;
    /** Number: {@link #flops}. */
    public static final int FLOPS = 1;
    /** Number: {@link #bytes}. */
    public static final int BYTES = 2;

    private XlaDetails(DetailTable table) {
        super(table);
    }

    /**
     * {@return pool id of the name of the instruction, as in {@code fusion.3}; -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public int instruction(int row) {
        return table.text(INSTRUCTION, row);
    }

    /**
     * {@return pool id of the name of the compiled module, as in {@code jit_train_step}; -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public int module(int row) {
        return table.text(MODULE, row);
    }

    /**
     * {@return pool id of what the recorder says of a launch, as in {@code regs:32 grid:8,1,1 block:64,1,1}; -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public int launch(int row) {
        return table.text(LAUNCH, row);
    }

    /**
     * {@return pool id of what the recorder says of a copy or fill, as in {@code size:4096 dest:1 async:1}; -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public int copy(int row) {
        return table.text(COPY, row);
    }

    /**
     * {@return pool id of the operator of the user's program that the instruction was made of, as in
     *     {@code jit(f)/dot_general}; -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public int operator(int row) {
        return table.text(OPERATOR, row);
    }

    /**
     * {@return pool id of the types of the operands with their layouts, a JSON list of texts such as
     *     {@code bf16[8,128]{1,0}}; -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public int operands(int row) {
        return table.text(OPERANDS, row);
    }

    /**
     * {@return pool id of the type of the result with its layout; -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public int shape(int row) {
        return table.text(SHAPE, row);
    }

    /**
     * {@return pool id of the library's function that the instruction calls, as in {@code __cublas$gemm}; -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public int target(int row) {
        return table.text(TARGET, row);
    }

    /**
     * {@return pool id of the place in the user's source, as in {@code model.py:77}; -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public int source(int row) {
        return table.text(SOURCE, row);
    }

    /**
     * {@return pool id of the kind of instruction, as in {@code convolution}; -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public int category(int row) {
        return table.text(CATEGORY, row);
    }

    /**
     * {@return number of the compiled program, -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public long program(int row) {
        return table.number(PROGRAM, row);
    }

    /**
     * {@return floating-point operations that the compiler counts, -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public long flops(int row) {
        return table.number(FLOPS, row);
    }

    /**
     * {@return bytes that the compiler counts as read and written, -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public long bytes(int row) {
        return table.number(BYTES, row);
    }
}
