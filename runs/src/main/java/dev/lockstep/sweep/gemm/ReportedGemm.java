// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep.gemm;

import dev.lockstep.write.Numbers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An operator of the sheet {@code GEMM} of a report, where no trace is at hand: its times are those of all its kernels
 * together, and of single kernels nothing is known.
 *
 * @param kernel name of the first kernel
 * @param min shortest time in µs
 * @param max longest time in µs
 * @param cells all cells by the heads of their columns
 */
record ReportedGemm(String kernel, double min, double max, Map<String, String> cells) {
    static final String SHEET = "GEMM";

    private static final String TIME = "Kernel Time (µs)_";
    private static final List<String> DETAILS = List.of("kernel_details__summarize_kernel_stats", "kernel_details");

    /** In Python's spelling or in JSON. */
    private static final Pattern NAME =
            Pattern.compile("['\"]name['\"]:\\s*(?:'((?:[^'\\\\]|\\\\.)+)'|\"((?:[^\"\\\\]|\\\\.)+)\")");

    double difference() {
        return max - min;
    }

    String cell(String head) {
        return cells.getOrDefault(head, "");
    }

    /** A statistic of its times in µs, NaN when the report does not have it. */
    double time(String statistic) {
        return GemmCells.number(cell(TIME + statistic));
    }

    /** Collects the rows of a sheet; columns are found by their heads. */
    static final class Sheet {
        private final List<ReportedGemm> rows = new ArrayList<>();
        private List<String> heads = List.of();

        /** Takes the next row; the first is the head. */
        void row(List<String> cells) {
            if (heads.isEmpty()) {
                heads = List.copyOf(cells);
                return;
            }
            Map<String, String> byHead = new LinkedHashMap<>();
            for (int i = 0; i < heads.size(); i++) {
                byHead.putIfAbsent(heads.get(i), i < cells.size() ? cells.get(i) : "");
            }
            String kernel = kernel(byHead);
            double min = GemmCells.number(byHead.getOrDefault(TIME + "min", ""));
            double max = GemmCells.number(byHead.getOrDefault(TIME + "max", ""));
            if (kernel != null && !Double.isNaN(max - min)) {
                rows.add(new ReportedGemm(kernel, min, max, byHead));
            }
        }

        List<ReportedGemm> rows() {
            return rows;
        }
    }

    private static @Nullable String kernel(Map<String, String> cells) {
        for (String head : DETAILS) {
            Matcher matcher = NAME.matcher(cells.getOrDefault(head, ""));
            if (matcher.find()) {
                String single = matcher.group(1);
                return (single == null ? matcher.group(2) : single).replaceAll("\\\\(.)", "$1");
            }
        }
        return null;
    }

    /** The spelling of a number that may be missing. */
    static String spelled(double value) {
        return Numbers.plain(value);
    }
}
