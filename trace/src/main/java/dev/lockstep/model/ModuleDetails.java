// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

/** In which modules of the network operators of TorchScript ran, where the profiler was told to note it ({@code with_modules}). */
public final class ModuleDetails extends DetailView {
    /** The key under which a trace holds this table. */
    public static final TableKey<ModuleDetails> KEY =
            new TableKey<>("module_details", ModuleDetails.class, 1, 0, ModuleDetails::new);

    /** Text: {@link #hierarchy}. */
    public static final int HIERARCHY = 0;

    private ModuleDetails(DetailTable table) {
        super(table);
    }

    /**
     * {@return pool id of the calls around the operator from the outermost inwards, as in {@code
     * TOP(Net)::forward.fc1(Linear)::forward.}; -1 when not recorded}
     *
     * @param row row of this table, from 0
     */
    public int hierarchy(int row) {
        return table.text(HIERARCHY, row);
    }
}
