// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.gemm;

import dev.lockstep.write.CsvLines;
import dev.lockstep.write.Numbers;
import dev.lockstep.write.Unicode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What AORTA's {@code analyze_gemm_reports.py} writes: of each report the operators whose longest and shortest time lie
 * furthest apart, all of them together in that order.
 */
public final class AortaVariance {
    private static final List<String> FIRST = List.of(
            "threads", "channel", "rank", "kernel_name", "kernel_time_min_us", "kernel_time_max_us", "time_diff_us");

    /** As Python's {@code csv} module ends lines. */
    private static final String LINE_END = "\r\n";

    private record Entry(long threads, long channel, long rank, GemmSheet.Row row) {}

    private static final Comparator<Entry> WIDEST_FIRST =
            Comparator.comparingDouble((Entry e) -> e.row.difference()).reversed();

    private final int topK;
    private final List<Entry> entries = new ArrayList<>();

    /** @param topK how many operators of each report to keep */
    public AortaVariance(int topK) {
        this.topK = topK;
    }

    /** Adds the report of a rank of a configuration; returns how many of its operators were kept. */
    public int add(long threads, long channel, long rank, GemmSheet sheet) {
        List<Entry> kept = sheet.rows().stream()
                .map(row -> new Entry(threads, channel, rank, row))
                .sorted(WIDEST_FIRST)
                .limit(topK)
                .toList();
        entries.addAll(kept);
        return kept.size();
    }

    /** Number of rows so far. */
    public int size() {
        return entries.size();
    }

    /** The file. */
    public String csv() {
        TreeSet<String> columns = new TreeSet<>(Unicode.BY_CODE_POINT);
        entries.forEach(e -> columns.addAll(e.row.cells().keySet()));
        List<String> head = new ArrayList<>(FIRST);
        columns.forEach(name -> head.add("col_" + name));
        CsvLines csv = new CsvLines(LINE_END);
        csv.line(head);
        entries.stream().sorted(WIDEST_FIRST).forEach(entry -> csv.line(cells(entry, columns)));
        return csv.text();
    }

    private static List<String> cells(Entry entry, Set<String> columns) {
        GemmSheet.Row row = entry.row;
        List<String> cells = new ArrayList<>(List.of(
                Long.toString(entry.threads),
                Long.toString(entry.channel),
                Long.toString(entry.rank),
                row.kernel(),
                row.min(),
                row.max(),
                Numbers.python(row.difference())));
        columns.forEach(name -> cells.add(row.cells().getOrDefault(name, "")));
        return cells;
    }
}
