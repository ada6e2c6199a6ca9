// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.NotApplicable;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.report.SheetSet;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/** Reports side by side, as TraceLens compares them: its sheets, joins, orders and columns. */
public final class CompareReport {
    /** What can be asked for: single sheets, the sheets by arguments, the sheets of operator families, everything. */
    public static final List<String> CHOICES =
            List.of("gpu_timeline", "ops_summary", "kernel_summary", "ops_all", "roofline", "all");

    private final List<SheetSet> reports;
    private final List<String> names;
    private final List<Section> sections = new ArrayList<>();

    private CompareReport(List<SheetSet> reports) {
        this.reports = reports;
        this.names = reports.stream().map(SheetSet::name).toList();
    }

    /**
     * The comparison.
     *
     * @param reports at least two, the baseline first
     * @param choices some of {@link #CHOICES}
     * @throws UserException when a report lacks a sheet that the comparison needs
     */
    public static Report of(List<SheetSet> reports, Collection<String> choices) {
        return new CompareReport(reports).build(choices);
    }

    /** Whether a sheet of a report takes part in comparisons. */
    public static boolean uses(String sheet) {
        return Stream.of(
                        Stream.of(ComparedSheet.TIMELINE, ComparedSheet.OPERATORS, ComparedSheet.KERNEL_SUMMARY),
                        ComparedSheet.BY_ARGUMENTS.stream(),
                        ComparedSheet.FAMILIES.stream())
                .flatMap(sheets -> sheets)
                .anyMatch(compared -> compared.sheet().equals(sheet));
    }

    private Report build(Collection<String> choices) {
        boolean all = choices.contains("all");
        if (all || choices.contains("gpu_timeline")) {
            add(joined(ComparedSheet.TIMELINE).unsorted("gpu_timeline"));
        }
        if (all || choices.contains("ops_summary")) {
            summary(ComparedSheet.OPERATORS);
        }
        if (all || choices.contains("kernel_summary")) {
            boolean named =
                    demand(reports.getFirst(), "kernel_summary").schema().indexOf("Kernel name") >= 0;
            summary(named ? ComparedSheet.KERNEL_SUMMARY : ComparedSheet.ROCPROF_KERNELS);
        }
        if (all || choices.contains("ops_all")) {
            present(ComparedSheet.BY_ARGUMENTS).forEach(this::split);
        }
        if (all || choices.contains("roofline")) {
            present(ComparedSheet.FAMILIES).forEach(this::family);
        }
        return new Report("TraceLens comparison", String.join(" · ", names), sections);
    }

    /** What the baseline has decides. */
    private Stream<ComparedSheet> present(List<ComparedSheet> sheets) {
        return sheets.stream().filter(s -> reports.getFirst().sheet(s.sheet()) != null);
    }

    private void summary(ComparedSheet sheet) {
        add(joined(sheet).sorted(sheet.result(), 0, sheet.sort()));
    }

    private void family(ComparedSheet sheet) {
        List<Table> tables = tables(sheet);
        if (tables.stream().anyMatch(t -> t.rows() == 0)) {
            sections.add(new NotApplicable(sheet.result(), "this sheet is empty in one of the reports"));
            return;
        }
        List<String> keys = new ArrayList<>(tables.getFirst().schema().columns().stream()
                .map(column -> column.header())
                .filter(h -> h.startsWith("param:")
                        && tables.stream().allMatch(t -> t.schema().indexOf(h) >= 0))
                .sorted()
                .toList());
        keys.addFirst("name");
        split(sheet.withKeys(keys));
    }

    /** Rows of both, of the baseline alone, and of the other report alone, for each other report. */
    private void split(ComparedSheet sheet) {
        JoinedSheet joined = joined(sheet);
        String decisive = sheet.differences().getFirst();
        IntPredicate base = row -> joined.has(0, decisive, row);
        for (int i = 1; i < names.size(); i++) {
            int other = i;
            IntPredicate own = row -> joined.has(other, decisive, row);
            String name = names.get(i);
            add(joined.part(sheet.result() + "_intersect_" + name, base.and(own), List.of(0, other), 0, sheet.sort()));
            add(joined.part(
                    sheet.result() + "_only_baseline_" + name, base.and(own.negate()), List.of(0), 0, sheet.sort()));
            add(joined.part(
                    sheet.result() + "_only_variant_" + name,
                    own.and(base.negate()),
                    List.of(other),
                    other,
                    sheet.sort()));
        }
    }

    private JoinedSheet joined(ComparedSheet sheet) {
        List<Set<String>> dropped = new ArrayList<>();
        for (int i = 0; i < reports.size(); i++) {
            Stream<String> later = i == 0 ? Stream.of() : sheet.droppedLater().stream();
            dropped.add(
                    Set.copyOf(Stream.concat(sheet.dropped().stream(), later).toList()));
        }
        return new JoinedSheet(names, OuterJoin.of(tables(sheet), keysOf(sheet)), sheet.differences(), dropped);
    }

    private List<String> keysOf(ComparedSheet sheet) {
        for (int i = 0; i < reports.size(); i++) {
            for (String key : sheet.keys()) {
                if (tables(sheet).get(i).schema().indexOf(key) < 0) {
                    throw new UserException(
                            ErrorCode.DATA_MISSING,
                            names.get(i) + ": the sheet " + sheet.sheet() + " has no column '" + key + "'",
                            "Rows are matched by it. Without --compat, sheets are matched by what they mean.");
                }
            }
        }
        return sheet.keys();
    }

    private List<Table> tables(ComparedSheet sheet) {
        return reports.stream().map(report -> demand(report, sheet.sheet())).toList();
    }

    private static Table demand(SheetSet report, String sheet) {
        Table table = report.sheet(sheet);
        if (table == null) {
            throw new UserException(
                    ErrorCode.DATA_MISSING,
                    report.source() + " has no sheet named " + sheet,
                    "Name the sheets that all reports have with --sheets, or compare without --compat.");
        }
        return table;
    }

    private void add(Table table) {
        sections.add(new TableSection(table));
    }
}
