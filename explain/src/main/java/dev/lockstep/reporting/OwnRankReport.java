// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.inference.Additions;
import dev.lockstep.model.Trace;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.report.Report;
import dev.lockstep.write.CellStyle;

/** The program's own report of a rank. */
public record OwnRankReport() implements RankReportStyle {
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
        return PerformanceReport.of(trace, options);
    }

    @Override
    public CellStyle cells() {
        return CellStyle.PLAIN;
    }
}
