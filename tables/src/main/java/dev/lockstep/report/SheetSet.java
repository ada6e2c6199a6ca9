// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.report;

import dev.lockstep.table.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sheets of a finished report that was read back.
 *
 * @param name what the report is called beside others; no two that are compared share one
 * @param source where it was read, for messages
 * @param tables its sheets
 */
public record SheetSet(String name, String source, List<Table> tables) {
    /** Copies the sheets. */
    public SheetSet {
        tables = List.copyOf(tables);
    }

    /**
     * {@return the sheet of this name, or null}
     *
     * @param sheet its name
     */
    public @Nullable Table sheet(String sheet) {
        for (Table table : tables) {
            if (table.name().equals(sheet)) {
                return table;
            }
        }
        return null;
    }
}
