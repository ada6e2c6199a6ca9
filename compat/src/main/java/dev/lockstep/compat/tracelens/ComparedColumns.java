// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens;

import dev.lockstep.analyze.work.ExtraColumn;
import dev.lockstep.analyze.work.PerfSummary;
import dev.lockstep.compat.tracelens.diff.LaunchComparison;
import dev.lockstep.compat.tracelens.diff.LaunchComparison.Shared;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Unit;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What the tool adds to {@code unified_perf_summary} when it compares the trace with another one, its trace 2. */
final class ComparedColumns {
    private final LaunchComparison comparison;
    private final IdentityHashMap<PerfSummary.Row, Optional<Shared>> known = new IdentityHashMap<>();

    private ComparedColumns(LaunchComparison comparison) {
        this.comparison = comparison;
    }

    /** The columns; none when no activity of the trace stands below a node that both traces have. */
    static List<ExtraColumn> of(LaunchComparison comparison) {
        return comparison.isEmpty() ? List.of() : new ComparedColumns(comparison).columns();
    }

    private List<ExtraColumn> columns() {
        return List.of(
                column(
                        ColumnSpec.real(
                                "speedup (trace2/trace1)",
                                Unit.NONE,
                                Unit.NONE,
                                "Time of trace 2 over that of trace 1 below the shared nodes: above 1 trace 2 is slower."),
                        Shared::ratio),
                new ExtraColumn(
                        ColumnSpec.real(
                                "delta_us (trace2 - trace1)",
                                Unit.NANOSECONDS,
                                Unit.MICROSECONDS,
                                "Time of trace 2 below the shared nodes less the time of the row."),
                        row -> shared(row)
                                .map(s -> (double) (s.secondNs() - row.time()))
                                .orElse(null)),
                column(
                        ColumnSpec.real(
                                "lca_count_trace2",
                                Unit.NONE,
                                Unit.NONE,
                                "Number of shared nodes with work of trace 2."),
                        s -> (double) s.matched()),
                column(
                        ColumnSpec.text("lca_id", "Numbers of the shared nodes in the merged tree."),
                        s -> String.join("; ", s.ids())),
                column(ColumnSpec.text("lca_name", "Their names."), s -> String.join("; ", s.names())),
                column(us("lca_total_kernel_time_trace1_us", "Time of trace 1 below the shared nodes."), s ->
                        (double) s.firstNs()),
                column(us("lca_total_kernel_time_trace2_us", "Time of trace 2 below the shared nodes."), s ->
                        (double) s.secondNs()));
    }

    private ExtraColumn column(ColumnSpec spec, Function<Shared, @Nullable Object> value) {
        return new ExtraColumn(spec, row -> shared(row).map(value).orElse(null));
    }

    private Optional<Shared> shared(PerfSummary.Row row) {
        return known.computeIfAbsent(row, r -> Optional.ofNullable(comparison.of(r.activities())));
    }

    private static ColumnSpec us(String header, String doc) {
        return ColumnSpec.real(header, Unit.NANOSECONDS, Unit.MICROSECONDS, doc);
    }
}
