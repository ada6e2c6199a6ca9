// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

/** Second, shorter names of slices, where the file gives them: kernels without their arguments and template parameters. */
public final class ShortNames {
    /** The key under which a trace holds this table. */
    public static final TableKey<ShortNames> KEY =
            new TableKey<>("short_names", ShortNames.class, 1, 0, ShortNames::new);

    /** Text: {@link #of}. */
    public static final int SHORT = 0;

    private final DetailTable table;

    private ShortNames(DetailTable table) {
        this.table = table;
    }

    /**
     * {@return pool id of the short name of a slice, -1 when it has none}
     *
     * @param slice row of the slice in {@link Slices}
     */
    public int of(int slice) {
        int row = table.of(slice);
        return row < 0 ? -1 : table.text(SHORT, row);
    }
}
