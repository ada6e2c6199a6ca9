// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import static dev.lockstep.table.ColumnSpec.micros;

import dev.lockstep.analyze.compare.Counterparts;
import dev.lockstep.analyze.compare.TraceDifference;
import dev.lockstep.analyze.work.ExtraColumn;
import dev.lockstep.analyze.work.PerfSummary;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.Trace;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.ChartSection;
import dev.lockstep.report.Section.FindingsSection;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.table.ColumnSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a report of one rank says about another run of the same program. */
final class BaselineComparison {
    private static final double PERCENT = 100;

    private final DerivedCache baseline;
    private final DerivedCache candidate;
    private final TraceDifference.Result result;

    BaselineComparison(Trace baseline, DerivedCache candidate) {
        this.baseline = DerivedCache.believing(baseline);
        this.candidate = candidate;
        result = DifferenceReport.compare(this.baseline, candidate);
    }

    /** The difference in words and as a picture. */
    List<Section> headlines() {
        List<Section> sections = new ArrayList<>();
        sections.add(
                new FindingsSection("Compared with the baseline", DifferenceFindings.of(baseline, candidate, result)));
        if (!result.isEmpty()) {
            sections.add(new ChartSection(DifferenceChart.of(result)));
        }
        return sections;
    }

    /** The difference in numbers. */
    List<Section> sheets() {
        List<Section> sections = new ArrayList<>();
        result.tables().forEach(table -> sections.add(new TableSection(table, () -> result.places(table.name()))));
        return sections;
    }

    /** What the baseline needs for the operators of a row of {@code unified_perf_summary}. */
    List<ExtraColumn> columns() {
        return List.of(
                column(
                        ColumnSpec.count(
                                "baseline_operators",
                                "Operators of the row that have a counterpart in the baseline; missing when none has."),
                        Counterparts.Counterpart::operators),
                column(
                        micros(
                                "baseline_us",
                                "Sum of the durations of what the baseline ran in these; may be missing."),
                        Counterparts.Counterpart::baselineNs),
                column(
                        micros("baseline_difference_us", "The same in this trace less the baseline's; may be missing."),
                        c -> c.candidateNs() - c.baselineNs()),
                column(
                        ColumnSpec.percent(
                                "baseline_change_pct", "Difference over baseline; missing when the baseline has none."),
                        c -> c.baselineNs() == 0
                                ? null
                                : PERCENT * (c.candidateNs() - c.baselineNs()) / c.baselineNs()));
    }

    private ExtraColumn column(ColumnSpec spec, Function<Counterparts.Counterpart, @Nullable Object> value) {
        return new ExtraColumn(spec, row -> value(row, value));
    }

    private @Nullable Object value(PerfSummary.Row row, Function<Counterparts.Counterpart, @Nullable Object> value) {
        Counterparts.Counterpart counterpart = result.counterparts().of(row.activities());
        return counterpart == null ? null : value.apply(counterpart);
    }
}
