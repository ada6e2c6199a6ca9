// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.hta;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.inference.Additions;
import dev.lockstep.model.Trace;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.reporting.CompanionSheets;
import dev.lockstep.reporting.DifferenceDialect;
import dev.lockstep.reporting.PerformanceReport;
import dev.lockstep.reporting.RankReportStyle;
import dev.lockstep.reporting.RunSheetsStyle;
import dev.lockstep.write.CellStyle;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The sheets alone, with times in whole microseconds as HTA has them: starts rounded up, ends rounded down. Of several launches of
 * one correlation the last in the file counts.
 */
record HtaReport() implements RankReportStyle, RunSheetsStyle, DifferenceDialect {
    private static final HtaSheets SHEETS = new HtaSheets(true);

    @Override
    public AnalysisRules rules(ReportOptions options) {
        return PerformanceReport.rules(options);
    }

    @Override
    public Additions additions() {
        return Additions.WITHIN;
    }

    @Override
    public Report report(Trace trace, ReportOptions options) {
        return report("Holistic trace analysis", trace, SHEETS.of(trace, options));
    }

    @Override
    public CompanionSheets sheetsOfRanks() {
        return SHEETS;
    }

    @Override
    public Difference of(DerivedCache baseline, DerivedCache candidate) {
        CompanionSheets.Sheets sheets = SHEETS.difference(baseline.trace(), candidate.trace());
        Report report = report("Difference of first steps", candidate.trace(), sheets);
        return new Difference() {
            @Override
            public Report report() {
                return report;
            }

            @Override
            public void writeFiles(Path folder) {
                // the sheet is all there is
            }
        };
    }

    private static Report report(String title, Trace trace, CompanionSheets.Sheets sheets) {
        List<Section> sections = new ArrayList<>();
        List<Finding> said = sheets.said().stream()
                .map(line -> new Finding(Finding.Severity.INFO, "hta", line, "the sheets below"))
                .toList();
        sections.add(new Section.FindingsSection("Findings", said));
        sheets.tables().forEach(table -> sections.add(new Section.TableSection(table)));
        return new Report(title, trace.info().source(), sections);
    }

    @Override
    public CellStyle cells() {
        return CellStyle.PLAIN;
    }
}
