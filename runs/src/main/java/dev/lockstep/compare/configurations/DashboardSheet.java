// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.configurations;

import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.List;

/** Every figure of every run on one sheet. */
final class DashboardSheet {
    private DashboardSheet() {}

    static Table of(List<String> labels, List<Metric> metrics, Options options) {
        Fields<Metric> fields = new Fields<Metric>()
                .add(ColumnSpec.text("metric", "Part of the timeline, or figure of collectives."), Metric::name)
                .add(ColumnSpec.text("unit", "Unit of the values."), Metric::unit)
                .add(
                        ColumnSpec.text("better when", "Whether less or more of it is better."),
                        m -> m.moreIsBetter() ? "more" : "less");
        for (int run = 0; run < labels.size(); run++) {
            int own = run;
            fields.add(
                    ChangeColumns.number(
                            labels.get(run),
                            Unit.OF_ROW,
                            run == 0
                                    ? "The baseline: " + options.averaging().word() + " over its ranks."
                                    : "Average over the ranks of this configuration."),
                    m -> ChangeColumns.finite(m.values().get(own)));
        }
        for (int run = 1; run < labels.size(); run++) {
            int own = run - 1;
            String label = labels.get(run);
            fields.add(
                            ColumnSpec.percent(
                                    label + " change %" + ChangeColumns.SIGN,
                                    "Test minus baseline in percent of the baseline, over the ranks that both have: above 0 is"
                                            + " more, whether that is good or bad. Missing where the baseline is 0."),
                            m -> ChangeColumns.finite(m.changes().get(own).percent()))
                    .add(
                            ColumnSpec.percent(
                                    label + " low %",
                                    "Lower end of the 95 % interval of the change, by the scatter over steps. Missing where"
                                            + " that is not known."),
                            m -> ChangeColumns.finite(m.changes().get(own).lowPercent()))
                    .add(
                            ColumnSpec.percent(label + " high %", "Upper end of the same interval."),
                            m -> ChangeColumns.finite(m.changes().get(own).highPercent()))
                    .add(
                            ColumnSpec.text(
                                    label + " verdict",
                                    ChangeColumns.verdict(options.threshold()).doc()),
                            m -> m.changes()
                                    .get(own)
                                    .verdict(options.threshold())
                                    .toString());
        }
        return fields.table("summary_dashboard", "Every configuration beside the baseline", metrics);
    }
}
