// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.report;

import dev.lockstep.table.Table;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A finished report.
 *
 * @param title its headline
 * @param subtitle the line below: what it was made from
 * @param sections in the order in which they are shown; tables keep this order in workbooks
 * @param pages the other pages of the run that it belongs to
 * @param trust how far what it was made from can be believed
 */
public record Report(String title, String subtitle, List<Section> sections, RunPages pages, Trust trust) {
    private static final String AS_READ = ", as far as the trace was read";

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
        this(title, subtitle, sections, RunPages.NONE, Trust.SOUND);
    }

    /**
     * {@return the same report of what can be believed only so far: findings, and tables that are statements in themselves, are left
     * out where they rest on what is withheld}
     *
     * @param how how far; it replaces what was said of that before
     */
    public Report believing(Trust how) {
        List<Section> kept = sections.stream()
                .filter(section -> !(section instanceof Section.AnswerSection(Answer answer, Set<Topic> restsOn))
                        || how.lets(restsOn))
                .map(section -> kept(section, how))
                .toList();
        return new Report(title, subtitle, kept, pages, how);
    }

    /**
     * {@return the same report, nothing of which is withheld: as a report in another tool's place}
     *
     * @param how how far it can be believed
     */
    public Report saying(Trust how) {
        return new Report(title, subtitle, sections, pages, how);
    }

    /**
     * {@return the title of a table for people; it says so where the numbers rest on something that is withheld}
     *
     * @param table one of the report
     */
    public String titleOf(Table table) {
        return trust.lets(RestsOn.table(table.name()))
                ? table.title()
                : table.title() + " (" + trust.verdict().word() + ")";
    }

    private static Section kept(Section section, Trust how) {
        return switch (section) {
            case Section.FindingsSection one ->
                new Section.FindingsSection(
                        one.title(),
                        one.findings().stream()
                                .filter(finding -> how.lets(RestsOn.finding(finding.code())))
                                .toList());
            case Section.TableSection one
            when RestsOn.isStatement(one.table().name())
                    && !how.lets(RestsOn.table(one.table().name())) ->
                withheld(one.table().name(), how);
            case Section.NotApplicable one
            when RestsOn.isStatementWhereEmpty(one.name()) && !how.lets(RestsOn.table(one.name())) ->
                withheld(one.name(), how);
            case Section.NotApplicable one
            when !how.lets(Set.of(Topic.ABSENCE)) && !one.reason().endsWith(AS_READ) ->
                new Section.NotApplicable(one.name(), one.reason() + AS_READ);
            default -> section;
        };
    }

    private static Section withheld(String table, Trust how) {
        return new Section.NotApplicable(
                table, "withheld: the trace is " + how.verdict().word());
    }

    /**
     * {@return the same report among the pages of a run}
     *
     * @param others where they lie
     */
    public Report among(RunPages others) {
        return new Report(title, subtitle, sections, others, trust);
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
                pages,
                trust);
    }

    /**
     * {@return the same report with one more section before all others}
     *
     * @param first the section; null for none
     */
    public Report beginning(@Nullable Section first) {
        return first == null
                ? this
                : new Report(
                        title,
                        subtitle,
                        Stream.concat(Stream.of(first), sections.stream()).toList(),
                        pages,
                        trust);
    }

    /** {@return what is said first, null where nothing is} */
    public @Nullable Answer answer() {
        return sections.stream()
                .filter(Section.AnswerSection.class::isInstance)
                .map(section -> ((Section.AnswerSection) section).answer())
                .findFirst()
                .orElse(null);
    }

    /** {@return the findings of all sections, in order} */
    public List<Finding> findings() {
        return sections.stream()
                .filter(Section.FindingsSection.class::isInstance)
                .flatMap(section -> ((Section.FindingsSection) section).findings().stream())
                .toList();
    }

    /** {@return the tables, in order} */
    public List<Table> tables() {
        return sections.stream()
                .filter(Section.TableSection.class::isInstance)
                .map(section -> ((Section.TableSection) section).table())
                .toList();
    }

    /**
     * {@return the first table of a name; null where there is none}
     *
     * @param name of the table
     */
    public @Nullable Table table(String name) {
        return tables().stream()
                .filter(table -> table.name().equals(name))
                .findFirst()
                .orElse(null);
    }
}
