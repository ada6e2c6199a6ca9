// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.report;

import dev.lockstep.table.Table;
import java.util.List;

/**
 * A finished report.
 *
 * @param title its headline
 * @param subtitle the line below: what it was made from
 * @param sections in the order in which they are shown; tables keep this order in workbooks
 */
public record Report(String title, String subtitle, List<Section> sections) {
    /** Copies the sections. */
    public Report {
        sections = List.copyOf(sections);
    }

    /** {@return the tables, in order} */
    public List<Table> tables() {
        return sections.stream()
                .filter(Section.TableSection.class::isInstance)
                .map(section -> ((Section.TableSection) section).table())
                .toList();
    }
}
