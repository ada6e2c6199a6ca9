// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens;

import dev.lockstep.report.Section;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import java.util.List;

/** Sheets without rows, as the reports of traces have them: nothing remains of their columns. */
final class EmptyFrames {
    private EmptyFrames() {}

    /** The sections, with sheets that have no rows made empty altogether. */
    static List<Section> withoutColumns(List<Section> sections) {
        return sections.stream()
                .map(section -> section instanceof TableSection table && table.table().rows() == 0
                        ? new TableSection(bare(table.table()))
                        : section)
                .toList();
    }

    private static Table bare(Table table) {
        return new Table(table.name(), table.title(), new Schema(List.of()), List.of(), 0);
    }
}
