// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.run;

import dev.lockstep.compat.aorta.reports.ReportLayout;
import dev.lockstep.compat.tracelens.CompareReport;
import dev.lockstep.report.Report;
import dev.lockstep.report.SheetSet;
import dev.lockstep.reporting.ComparisonDialect;
import dev.lockstep.tabular.SheetTable;
import dev.lockstep.write.CellStyle;
import java.util.List;

/** Finished reports side by side as AORTA's scripts have TraceLens compare them, in the layout that they know. */
record AortaSideBySide() implements ComparisonDialect {
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
        return CompareReport.of(
                reports.stream().map(ReportLayout.PERFORMANCE::of).toList(),
                choices.isEmpty() ? AortaReports.COMPARED : choices);
    }

    @Override
    public CellStyle cells() {
        return CellStyle.PYTHON;
    }
}
