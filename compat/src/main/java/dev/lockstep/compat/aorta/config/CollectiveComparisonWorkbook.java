// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.config;

import dev.lockstep.report.StyledSheet;
import dev.lockstep.report.StyledWorkbook;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * {@code collective_comparison.xlsx}: the combined summaries of collectives, then keys side by side. Of several rows with one
 * key the first of each run counts, whatever their process groups; keys that only one run has are left out.
 *
 * @param compared sheets by name
 */
record CollectiveComparisonWorkbook(CombinedReport combined, Map<String, Frame> compared) {
    private static final List<String> SHEETS = List.of("nccl_summary_implicit_sync", "nccl_summary_long");
    private static final List<String> KEYS = List.of("Collective name", "dtype", "In msg nelems");
    private static final List<String> METRICS = List.of(
            "comm_latency_mean", "algo bw (GB/s)_mean", "bus bw (GB/s)_mean", "Total comm latency (ms)", "count");

    /** Numbers before text, each by its own order. */
    private static final Comparator<Object> CELL_ORDER = (a, b) -> a instanceof Number n && b instanceof Number m
            ? Double.compare(n.doubleValue(), m.doubleValue())
            : a instanceof Number || b instanceof Number
                    ? Boolean.compare(b instanceof Number, a instanceof Number)
                    : Objects.toString(a).compareTo(Objects.toString(b));

    private static final Comparator<List<Object>> KEY_ORDER = (a, b) -> {
        int order = 0;
        for (int i = 0; i < a.size() && order == 0; i++) {
            order = CELL_ORDER.compare(a.get(i), b.get(i));
        }
        return order;
    };

    static CollectiveComparisonWorkbook of(CombinedReport combined) {
        Map<String, Frame> compared = new LinkedHashMap<>();
        for (String name : SHEETS) {
            Frame base = combined.rows(name, combined.labels().baseline());
            Frame test = combined.rows(name, combined.labels().test());
            if (base.size() > 0 && test.size() > 0) {
                compared.put(name.replace("nccl_summary_", "nccl_") + "_cmp", compare(base, test, combined.labels()));
            }
        }
        return new CollectiveComparisonWorkbook(combined, compared);
    }

    static boolean isSummary(String sheet) {
        return sheet.toLowerCase(Locale.ROOT).contains("summary");
    }

    StyledWorkbook workbook() {
        List<StyledSheet> sheets = new ArrayList<>(combined.styled(CollectiveComparisonWorkbook::isSummary));
        compared.forEach((name, frame) -> sheets.add(PercentChange.colored(frame, name)));
        return new StyledWorkbook(sheets);
    }

    private static Frame compare(Frame base, Frame test, Labels labels) {
        List<String> keys = KEYS.stream().allMatch(base::has) ? KEYS : KEYS.subList(0, 1);
        List<String> metrics = METRICS.stream().filter(base::has).toList();
        Map<List<Object>, Integer> own = firstRows(base, keys);
        Map<List<Object>, Integer> others = firstRows(test, keys);
        Frame sheet = new Frame(heads(keys, metrics, labels));
        own.forEach((key, row) -> {
            Integer other = others.get(key);
            if (other != null) {
                List<@Nullable Object> cells = new ArrayList<>(key);
                for (String metric : metrics) {
                    addChange(cells, metric, new PercentChange(base.number(row, metric), test.number(other, metric)));
                }
                sheet.add(cells.toArray());
            }
        });
        return GpuTimelineComparison.orEmpty(sheet);
    }

    private static void addChange(List<@Nullable Object> cells, String metric, PercentChange change) {
        cells.add(change.baseline());
        cells.add(change.test());
        cells.add(change.difference());
        if (isTime(metric)) {
            cells.add(change.shorter());
        } else if (isSpeed(metric)) {
            cells.add(change.higher());
        }
        cells.add(change.ratio());
    }

    private static List<String> heads(List<String> keys, List<String> metrics, Labels labels) {
        List<String> heads = new ArrayList<>(keys);
        for (String metric : metrics) {
            heads.add(labels.baseline() + "_" + metric);
            heads.add(labels.test() + "_" + metric);
            heads.add("diff_" + metric);
            if (isTime(metric) || isSpeed(metric)) {
                heads.add("percent_change_" + metric);
            }
            heads.add("ratio_" + metric);
        }
        return heads;
    }

    private static boolean isTime(String metric) {
        return metric.contains("latency");
    }

    private static boolean isSpeed(String metric) {
        return metric.contains("bw");
    }

    /** The first row of each key, in order of the keys; a row that lacks a part of its key is nobody's. */
    private static Map<List<Object>, Integer> firstRows(Frame frame, List<String> keys) {
        Map<List<Object>, Integer> rows = new TreeMap<>(KEY_ORDER);
        for (int row = 0; row < frame.size(); row++) {
            List<Object> key = new ArrayList<>();
            for (String head : keys) {
                Object cell = frame.cell(row, head);
                if (cell != null) {
                    key.add(cell);
                }
            }
            if (key.size() == keys.size()) {
                rows.putIfAbsent(key, row);
            }
        }
        return rows;
    }
}
