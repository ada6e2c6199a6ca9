// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.report;

import dev.lockstep.table.Table;
import java.util.List;
import java.util.stream.Stream;

/**
 * A finished report.
 *
 * @param title its headline
 * @param subtitle the line below: what it was made from
 * @param sections in the order in which they are shown; tables keep this order in workbooks
 * @param pages the other pages of the run that it belongs to
 */
public record Report(String title, String subtitle, List<Section> sections, RunPages pages) {
    /** Copies the sections. */
    public Report {
        sections = List.copyOf(sections);
    }

    /**
     * A report that stands for itself.
     *
     * @param title its headline
     * @param subtitle the line below: what it was made from
     * @param sections in the order in which they are shown
     */
    public Report(String title, String subtitle, List<Section> sections) {
        this(title, subtitle, sections, RunPages.NONE);
    }

    /**
     * {@return the same report among the pages of a run}
     *
     * @param others where they lie
     */
    public Report among(RunPages others) {
        return new Report(title, subtitle, sections, others);
    }

    /**
     * {@return the same report with one more section at its end}
     *
     * @param more the section
     */
    public Report with(Section more) {
        return new Report(
                title,
                subtitle,
                Stream.concat(sections.stream(), Stream.of(more)).toList(),
                pages);
    }

    /** {@return the tables, in order} */
    public List<Table> tables() {
        return sections.stream()
                .filter(Section.TableSection.class::isInstance)
                .map(section -> ((Section.TableSection) section).table())
                .toList();
    }
}
