// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.config;

import dev.lockstep.report.ColorScale;
import dev.lockstep.report.ColorScale.Stop;
import dev.lockstep.report.StyledSheet;
import dev.lockstep.report.StyledSheet.Look;
import dev.lockstep.table.Table;
import java.util.List;

/**
 * A value beside that of the baseline, by AORTA's formulas: positive percentages are better, and where the baseline is zero
 * nothing has changed.
 *
 * @param baseline the value of the baseline
 * @param test the value of the run that is compared
 */
record PercentChange(double baseline, double test) {
    private static final String PERCENT = "percent_change";
    private static final double THRESHOLD = 1;

    double difference() {
        return test - baseline;
    }

    double ratio() {
        return baseline == 0 ? 0 : test / baseline;
    }

    /** Of a time: positive when the test is shorter. */
    double shorter() {
        return baseline == 0 ? 0 : (baseline - test) / baseline * 100;
    }

    /** Of a speed: positive when the test is higher. */
    double higher() {
        return baseline == 0 ? 0 : (test - baseline) / baseline * 100;
    }

    /** In words, by rank. */
    static String status(double percent) {
        return percent > THRESHOLD ? "Better" : percent < -THRESHOLD ? "Worse" : "Similar";
    }

    /** In words on the dashboard, where the least gain is one. */
    static String dashboardStatus(double percent) {
        return percent > 0 ? "Better" : percent < -THRESHOLD ? "Worse" : "Similar";
    }

    private static final Stop LEAST = new Stop(Double.NaN, "F8696B");
    private static final Stop NONE = new Stop(0, "FFFFFF");
    private static final Stop MOST = new Stop(Double.NaN, "63BE7B");

    /** The sheet with its columns of percentages coloured, from the least to the greatest value. */
    static StyledSheet colored(Frame frame, String name) {
        Table table = frame.table(name);
        StyledSheet sheet = StyledSheet.of(table, Look.FRAME);
        List<String> heads = frame.heads();
        for (int column = 0; column < heads.size(); column++) {
            if (heads.get(column).contains(PERCENT)) {
                sheet = sheet.colored(new ColorScale(column, LEAST, NONE, MOST));
            }
        }
        return sheet;
    }
}
