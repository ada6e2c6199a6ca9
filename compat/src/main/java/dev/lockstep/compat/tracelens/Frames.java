// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens;

import dev.lockstep.report.Section;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import java.util.List;

/** Empty frames of pandas: some have columns and no rows, which is a header in CSV, others neither, which is a line end. */
final class Frames {
    private Frames() {}

    static Table withoutColumns(String name) {
        return new Table(name, name, new Schema(List.of()), List.of(), 0);
    }

    /** The same sections, where tables without rows have no columns either, but for one. */
    static List<Section> withoutEmptyColumns(List<Section> sections, String kept) {
        return sections.stream()
                .map(section -> section instanceof TableSection(Table table, var _)
                                && table.rows() == 0
                                && !table.name().equals(kept)
                        ? new TableSection(withoutColumns(table.name()))
                        : section)
                .toList();
    }
}
