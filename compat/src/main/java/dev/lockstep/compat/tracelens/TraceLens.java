// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.compat.tracelens.diff.TraceLensDiff;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.dialect.Dialect;
import dev.lockstep.inference.Additions;
import dev.lockstep.model.Trace;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.ranks.KeptRank;
import dev.lockstep.ranks.MatchedRanks;
import dev.lockstep.ranks.PartRoom;
import dev.lockstep.report.Report;
import dev.lockstep.report.SheetSet;
import dev.lockstep.reporting.CollectiveStyle;
import dev.lockstep.reporting.ComparisonDialect;
import dev.lockstep.reporting.DifferenceDialect;
import dev.lockstep.reporting.RankReportStyle;
import dev.lockstep.tabular.SheetTable;
import dev.lockstep.write.CellStyle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** TraceLens: reports of a rank and across ranks, reports side by side, differences of traces. */
public final class TraceLens implements Dialect {
    @Override
    public String name() {
        return "tracelens";
    }

    @Override
    public List<Object> parts() {
        return List.of(new OfRank(), new OfRanks(), new SideBySide(), new OfTraces());
    }

    private record OfRank() implements RankReportStyle {
        @Override
        public AnalysisRules rules(ReportOptions options) {
            return TraceLensReport.rules(options);
        }

        @Override
        public Additions additions() {
            return Additions.BESIDE;
        }

        @Override
        public Report report(Trace trace, ReportOptions options) {
            return TraceLensReport.of(trace, options);
        }

        @Override
        public @Nullable Report reportOfFile(List<Trace> ranks, ReportOptions options) {
            return JaxReport.isFor(ranks) ? JaxReport.of(ranks, options) : null;
        }

        @Override
        public CellStyle cells() {
            return CellStyle.PYTHON;
        }
    }

    private record OfRanks() implements CollectiveStyle {
        @Override
        public KeptRank keep(DerivedCache trace, PartRoom room) {
            return KeptRank.ofKernels(trace, TraceLensCollectives.KERNELS);
        }

        @Override
        public Report report(MatchedRanks run) {
            return TraceLensCollectives.of(run.present(), run.source(), run.options());
        }

        @Override
        public CellStyle cells() {
            return CellStyle.PYTHON;
        }
    }

    private record SideBySide() implements ComparisonDialect {
        private static final List<String> EVERYTHING = List.of("all");

        @Override
        public List<String> choices() {
            return CompareReport.CHOICES;
        }

        @Override
        public boolean reads(String sheet) {
            return CompareReport.uses(sheet);
        }

        @Override
        public SheetTable readBack() {
            return SheetTable.PANDAS;
        }

        @Override
        public Report report(List<SheetSet> reports, List<String> choices) {
            return CompareReport.of(reports, choices.isEmpty() ? EVERYTHING : choices);
        }

        @Override
        public CellStyle cells() {
            return CellStyle.PYTHON;
        }
    }

    private record OfTraces() implements DifferenceDialect {
        @Override
        public Difference of(DerivedCache baseline, DerivedCache candidate) {
            return TraceLensDiff.of(baseline, candidate, false);
        }

        @Override
        public CellStyle cells() {
            return CellStyle.PYTHON;
        }
    }
}
