// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

/** Which step of the program a range on the host stands for, where its arguments say so, as {@code StepTraceAnnotation} of JAX does. */
public final class StepDetails extends DetailView {
    /** The key under which a trace holds this table. */
    public static final TableKey<StepDetails> KEY =
            new TableKey<>("step_details", StepDetails.class, 0, 1, StepDetails::new);

    /** Number: {@link #number}. */
    public static final int NUMBER = 0;

    private StepDetails(DetailTable table) {
        super(table);
    }

    /**
     * {@return number of the step, -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public long number(int row) {
        return table.number(NUMBER, row);
    }
}
