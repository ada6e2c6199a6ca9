// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import dev.lockstep.table.IntList;
import dev.lockstep.table.StringPool;
import java.util.Locale;

/** From where to where copies went, where the recorder tells it by arguments and calls all copies alike. */
public final class CopyDetails extends DetailView {
    /** The key under which a trace holds this table. */
    public static final TableKey<CopyDetails> KEY =
            new TableKey<>("copy_details", CopyDetails.class, 3, 0, CopyDetails::new);

    /** Text: the direction, such as {@code DtoH}. */
    public static final int KIND = 0;
    /** Text: the memory that was read, such as {@code pinned}. */
    public static final int SOURCE = 1;
    /** Text: the memory that was written, likewise. */
    public static final int TARGET = 2;

    private static final String NAME = "Memcpy";

    private CopyDetails(DetailTable table) {
        super(table);
    }

    /** Gives copies that have no name of their own the one that PyTorch's profiler gives, such as {@code Memcpy DtoH (Device -> Pinned)}. */
    static void name(TraceBuilder builder, StringPool strings, IntList names) {
        DetailRows copies = builder.details.get(KEY);
        int unnamed = strings.find(NAME);
        for (int row = 0; copies != null && row < copies.size(); row++) {
            int slice = copies.slice(row);
            if (names.get(slice) == unnamed && copies.textOf(KIND, row) >= 0) {
                names.set(slice, strings.intern(name(copies, row, strings)));
                RangeNames.keep(builder, slice, unnamed);
            }
        }
    }

    private static String name(DetailRows copies, int row, StringPool strings) {
        String name = NAME + " " + strings.get(copies.textOf(KIND, row));
        int source = copies.textOf(SOURCE, row);
        int target = copies.textOf(TARGET, row);
        return source < 0 || target < 0
                ? name
                : name + " (" + capital(strings.get(source)) + " -> " + capital(strings.get(target)) + ")";
    }

    private static String capital(String memory) {
        return memory.isEmpty() ? memory : memory.substring(0, 1).toUpperCase(Locale.ROOT) + memory.substring(1);
    }
}
