// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.reports;

import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.NotApplicable;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.report.SheetSet;
import dev.lockstep.table.Column;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which sheets and columns a report has, and in which order. Sheets and columns that the layout does not know stay where they
 * are; what came after it is left out.
 *
 * @param laterSheets names of sheets that came later
 * @param laterColumns names of columns that came later, in any sheet
 * @param order columns that come first, by sheet
 * @param sheets sheets that swapped their places: those named here stand in this order
 */
public record ReportLayout(
        Set<String> laterSheets, Set<String> laterColumns, Map<String, List<String>> order, List<String> sheets) {
    /** The layout of a rank's report. */
    public static final ReportLayout PERFORMANCE = new ReportLayout(
            Set.of("unified_perf_summary"),
            Set.of(
                    "process_name",
                    "process_label",
                    "thread_name",
                    "process_name_first",
                    "process_label_first",
                    "thread_name_first",
                    "Compute Spec",
                    "total_subtree_kernel_time_sum",
                    "total_subtree_kernel_time_ms",
                    "total_subtree_kernel_time_mean",
                    "total_subtree_kernel_time_median",
                    "total_subtree_kernel_time_std",
                    "total_subtree_kernel_time_min",
                    "total_subtree_kernel_time_max",
                    "Categories"),
            Map.of("ops_summary", List.of("name", "total_direct_kernel_time_sum", "Count")),
            List.of("UnaryElementwise", "BinaryElementwise"));

    /** The layout of a report on collectives. */
    public static final ReportLayout COLLECTIVES = new ReportLayout(
            Set.of("straggler_summary", "nccl_summary_all2allv"),
            Set.of(
                    "node_id",
                    "node_span",
                    "wall_time (us)",
                    "max_rank_dur (us)",
                    "min_rank_dur (us)",
                    "avg_rank_dur (us)",
                    "throughput (GB/s)",
                    "max_rank_throughput (GB/s)",
                    "min_rank_throughput (GB/s)",
                    "size_imbalance"),
            Map.of(),
            List.of());

    /** Columns that one sheet got later and another always had. */
    private static final Map<String, Set<String>> LATER_IN = Map.of("ops_unique_args", Set.of("op category"));

    public ReportLayout {
        laterSheets = Set.copyOf(laterSheets);
        laterColumns = Set.copyOf(laterColumns);
        order = Map.copyOf(order);
        sheets = List.copyOf(sheets);
    }

    /** The report in this layout. */
    public Report of(Report report) {
        List<Section> sections = new ArrayList<>();
        for (Section section : report.sections()) {
            switch (section) {
                case TableSection(Table table, var _) when laterSheets.contains(table.name()) -> {}
                case TableSection(Table table, var _) -> sections.add(new TableSection(of(table)));
                case NotApplicable absent when laterSheets.contains(absent.name()) -> {}
                default -> sections.add(section);
            }
        }
        return new Report(report.title(), report.subtitle(), ordered(sections));
    }

    /** Sheets that were read back, in this layout. */
    public SheetSet of(SheetSet report) {
        return new SheetSet(
                report.name(),
                report.source(),
                report.tables().stream()
                        .filter(table -> !laterSheets.contains(table.name()))
                        .map(this::of)
                        .toList());
    }

    private Table of(Table table) {
        List<Integer> places = new ArrayList<>();
        for (int column = 0; column < table.schema().size(); column++) {
            String head = table.schema().get(column).header();
            if (!laterColumns.contains(head)
                    && !LATER_IN.getOrDefault(table.name(), Set.of()).contains(head)) {
                places.add(column);
            }
        }
        List<String> first = order.getOrDefault(table.name(), List.of());
        places.sort(Comparator.comparingInt(column -> {
            int place = first.indexOf(table.schema().get(column).header());
            return place < 0 ? first.size() : place;
        }));
        List<ColumnSpec> specs = places.stream().map(table.schema()::get).toList();
        List<Column> columns = places.stream().map(table.columns()::get).toList();
        return new Table(table.name(), table.title(), new Schema(specs), columns, table.rows());
    }

    /** Puts the sheets that swapped places into the places that they hold together. */
    private List<Section> ordered(List<Section> sections) {
        List<Integer> places = new ArrayList<>();
        List<Section> moved = new ArrayList<>();
        for (int i = 0; i < sections.size(); i++) {
            if (sections.get(i) instanceof TableSection(Table table, var _) && sheets.contains(table.name())) {
                places.add(i);
                moved.add(sections.get(i));
            }
        }
        moved.sort(Comparator.comparingInt(
                section -> section instanceof TableSection(Table table, var _) ? sheets.indexOf(table.name()) : -1));
        List<Section> ordered = new ArrayList<>(sections);
        for (int i = 0; i < places.size(); i++) {
            ordered.set(places.get(i), moved.get(i));
        }
        return ordered;
    }
}
