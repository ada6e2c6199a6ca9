// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.config;

import dev.lockstep.report.StyledSheet;
import dev.lockstep.report.StyledWorkbook;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * {@code gpu_timeline_comparison.xlsx}: the combined summaries, then types side by side, by rank and in the mean. What only
 * one of the runs has is left out.
 */
record GpuTimelineComparison(CombinedReport combined, Frame byRank, Frame summary) {
    static final String BY_RANK = "Comparison_By_Rank";
    static final String SUMMARY = "Summary_Comparison";

    private static final String TIME = "time ms";
    private static final String PERCENT = "percent";

    static GpuTimelineComparison of(CombinedReport combined) {
        return new GpuTimelineComparison(combined, byRank(combined), summary(combined));
    }

    StyledWorkbook workbook() {
        List<StyledSheet> sheets = new ArrayList<>(combined.styled(name -> true));
        sheets.add(PercentChange.colored(byRank, BY_RANK));
        sheets.add(PercentChange.colored(summary, SUMMARY));
        return new StyledWorkbook(sheets);
    }

    private static Frame byRank(CombinedReport combined) {
        Frame base = combined.rows("All_Ranks_Combined", combined.labels().baseline());
        Frame test = combined.rows("All_Ranks_Combined", combined.labels().test());
        Frame sheet = new Frame(heads(combined.labels(), true));
        Map<String, Integer> places = new HashMap<>();
        for (int row = 0; row < test.size(); row++) {
            places.putIfAbsent(key(test, row), row);
        }
        TreeSet<Double> ranks = new TreeSet<>();
        for (int row = 0; row < base.size(); row++) {
            ranks.add(base.number(row, "rank"));
        }
        for (double rank : ranks) {
            for (int row = 0; row < base.size(); row++) {
                Integer other = base.number(row, "rank") == rank ? places.get(key(base, row)) : null;
                if (other != null) {
                    PercentChange time = new PercentChange(base.number(row, TIME), test.number(other, TIME));
                    PercentChange share = new PercentChange(base.number(row, PERCENT), test.number(other, PERCENT));
                    sheet.add(
                            base.cell(row, "rank"),
                            base.text(row, "type"),
                            time.baseline(),
                            time.test(),
                            time.difference(),
                            time.shorter(),
                            PercentChange.status(time.shorter()),
                            time.ratio(),
                            share.baseline(),
                            share.test(),
                            share.difference());
                }
            }
        }
        return orEmpty(sheet);
    }

    private static Frame summary(CombinedReport combined) {
        Frame base = combined.rows("Summary", combined.labels().baseline());
        Frame test = combined.rows("Summary", combined.labels().test());
        Map<String, Integer> places = new HashMap<>();
        for (int row = 0; row < test.size(); row++) {
            places.putIfAbsent(test.text(row, "type"), row);
        }
        Frame sheet = new Frame(heads(combined.labels(), false));
        for (int row = 0; row < base.size(); row++) {
            Integer other = places.get(base.text(row, "type"));
            if (other != null) {
                PercentChange time = new PercentChange(base.number(row, TIME), test.number(other, TIME));
                PercentChange share = new PercentChange(base.number(row, PERCENT), test.number(other, PERCENT));
                sheet.add(
                        base.text(row, "type"),
                        time.baseline(),
                        time.test(),
                        time.difference(),
                        time.shorter(),
                        time.ratio(),
                        share.baseline(),
                        share.test(),
                        share.difference());
            }
        }
        return orEmpty(sheet);
    }

    private static String key(Frame frame, int row) {
        return frame.number(row, "rank") + " " + frame.text(row, "type");
    }

    private static List<String> heads(Labels labels, boolean byRank) {
        List<String> heads = new ArrayList<>();
        if (byRank) {
            heads.add("rank");
        }
        heads.addAll(List.of(
                "type", labels.baseline() + "_time_ms", labels.test() + "_time_ms", "diff_time_ms", "percent_change"));
        if (byRank) {
            heads.add("status");
        }
        heads.addAll(List.of("ratio", labels.baseline() + "_percent", labels.test() + "_percent", "diff_percent"));
        return heads;
    }

    /** A sheet without rows has no heads either. */
    static Frame orEmpty(Frame sheet) {
        return sheet.size() == 0 ? new Frame(List.of()) : sheet;
    }
}
