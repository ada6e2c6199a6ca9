// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.inference.Additions;
import dev.lockstep.model.Trace;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.report.Report;
import dev.lockstep.write.CellStyle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whose report of a single rank is made: the program's own, or that of a tool that it stands in for. */
public interface RankReportStyle {
    /** The definitions on which numbers rest. */
    AnalysisRules rules(ReportOptions options);

    /** Where operators stand that a serving engine's trace is given before it is reported. */
    Additions additions();

    /** The report. */
    Report report(Trace trace, ReportOptions options);

    /** One report of all ranks of a file; null where ranks are reported one by one. */
    default @Nullable Report reportOfFile(List<Trace> ranks, ReportOptions options) {
        return null;
    }

    /** How cells are spelt. */
    CellStyle cells();
}
