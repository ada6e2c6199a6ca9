// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep.gemm;

import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.gemm.PlacedGemm;
import dev.lockstep.analyze.gemm.RankGemms;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A row of the first file.
 *
 * @param score by which rows are ordered, in ns: time lost by varying, or the range where single kernels are not known
 * @param cells by the heads of their columns
 * @param placed the row of a trace, null when it comes from a report
 * @param rank the rank that it is of, likewise
 * @param place of the row among those of its rank
 */
record VarianceRow(
        double score,
        Map<String, String> cells,
        @Nullable PlacedGemm placed,
        @Nullable RankGemms rank,
        int place) {
    static final Comparator<VarianceRow> ORDER =
            Comparator.comparingDouble(VarianceRow::score).reversed();

    private static final double NS_PER_US = 1e3;

    static Map<String, String> cells(List<String> heads, List<String> texts) {
        Map<String, String> cells = new LinkedHashMap<>();
        for (int i = 0; i < heads.size(); i++) {
            cells.put(heads.get(i), texts.get(i));
        }
        return cells;
    }

    /** A row of a report. */
    static VarianceRow of(String configuration, long threads, long channels, int rank, ReportedGemm gemm) {
        Map<String, String> cells = new LinkedHashMap<>();
        cells.put("threads", threads < 0 ? "" : Long.toString(threads));
        cells.put("channel", channels < 0 ? "" : Long.toString(channels));
        cells.put("rank", Integer.toString(rank));
        cells.put("kernel_name", gemm.kernel());
        cells.put(ColumnNames.KERNEL_TIME_MIN_US, ReportedGemm.spelled(gemm.min()));
        cells.put(ColumnNames.KERNEL_TIME_MAX_US, ReportedGemm.spelled(gemm.max()));
        cells.put(ColumnNames.TIME_DIFF_US, ReportedGemm.spelled(gemm.difference()));
        gemm.cells().forEach((head, text) -> cells.put("col_" + head, text));
        cells.put("n", gemm.cell(ColumnNames.NAME_COUNT));
        cells.put("mean_us", ReportedGemm.spelled(gemm.time("mean")));
        cells.put("sigma_us", ReportedGemm.spelled(gemm.time("std")));
        cells.put("cv_pct", ReportedGemm.spelled(gemm.time("std") / gemm.time("mean") * 100));
        cells.put("p50_us", ReportedGemm.spelled(gemm.time("median")));
        cells.put("configuration", configuration);
        cells.put("source", "report");
        return new VarianceRow(gemm.difference() * NS_PER_US, cells, null, null, -1);
    }
}
