// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.TableNames;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section.NotApplicable;
import dev.lockstep.table.Table;
import dev.lockstep.words.Words;
import dev.lockstep.write.Unicode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The lines of a terminal that answer {@code --critical-path} and {@code --what-if}; none where neither was asked for. */
final class PathAnswer {
    /** Classes of a path that are shown. */
    private static final int CLASSES = 5;

    private PathAnswer() {}

    /** The path by class, and each edit with its gain. */
    static List<String> results(Report report) {
        List<String> lines = new ArrayList<>();
        if (has(report, TableNames.CRITICAL_PATH)) {
            tables(report, TableNames.CRITICAL_PATH_SUMMARY).forEach(table -> lines.add(path(table)));
        }
        tables(report, TableNames.WHAT_IF).forEach(table -> whatIfs(table, lines));
        return lines;
    }

    /** Why there is no path, or which waits it does not know. */
    static List<String> limits(Report report) {
        List<String> lines = new ArrayList<>();
        report.sections().forEach(section -> {
            if (section instanceof NotApplicable absent && isAnswer(absent.name())) {
                lines.add("no " + absent.name() + ": " + absent.reason());
            }
        });
        if (has(report, TableNames.CRITICAL_PATH) || has(report, TableNames.WHAT_IF)) {
            report.findings().stream()
                    .filter(finding -> finding.code().equals("waits_not_recorded"))
                    .map(Finding::text)
                    .forEach(lines::add);
        }
        return lines;
    }

    private static boolean has(Report report, String table) {
        return !tables(report, table).isEmpty();
    }

    private static List<Table> tables(Report report, String name) {
        return report.tables().stream()
                .filter(table -> table.name().equals(name) && table.rows() > 0)
                .toList();
    }

    private static boolean isAnswer(String table) {
        return table.equals(TableNames.CRITICAL_PATH_SUMMARY) || table.equals(TableNames.WHAT_IF);
    }

    private static String path(Table table) {
        int window = table.schema().indexOf("window");
        int type = table.schema().indexOf("class");
        int time = table.schema().indexOf(ColumnNames.TIME_US);
        Map<String, Long> classes = new LinkedHashMap<>();
        Set<String> windows = new HashSet<>();
        long whole = 0;
        for (int row = 0; row < table.rows(); row++) {
            long part = table.nanoseconds(time, row);
            whole += part;
            windows.add(Objects.requireNonNullElse(table.strings(window).get(row), ""));
            classes.merge(Objects.requireNonNullElse(table.strings(type).get(row), ""), part, Long::sum);
        }
        List<Map.Entry<String, Long>> largest = new ArrayList<>(classes.entrySet());
        largest.sort(Collections.reverseOrder(Map.Entry.comparingByValue()));
        long length = whole;
        List<String> parts = largest.stream()
                .limit(CLASSES)
                .map(entry -> entry.getKey().replace('_', ' ') + " " + Words.share(entry.getValue(), length))
                .toList();
        String of = windows.size() == 1 ? windows.iterator().next() : Words.count(windows.size(), "window", "windows");
        return "Critical path of " + of + ": " + Words.time(whole) + "; " + String.join(", ", parts) + ".";
    }

    private static void whatIfs(Table table, List<String> lines) {
        int edit = table.schema().indexOf("edit");
        int before = table.schema().indexOf("before_us");
        int after = table.schema().indexOf("after_us");
        int changed = table.schema().indexOf("changed");
        Map<String, long[]> edits = new LinkedHashMap<>();
        for (int row = 0; row < table.rows(); row++) {
            long[] sums = edits.computeIfAbsent(
                    Objects.requireNonNullElse(table.strings(edit).get(row), ""), e -> new long[3]);
            sums[0] += table.nanoseconds(before, row);
            sums[1] += table.nanoseconds(after, row);
            sums[2] += table.longs(changed).get(row);
        }
        edits.forEach((name, sums) -> lines.add("What if " + Unicode.line(name) + ": "
                + (sums[2] == 0 ? "nothing in the recording is what this changes." : result(sums[0], sums[1]))));
    }

    private static String result(long from, long to) {
        return Words.time(from) + " become " + Words.time(to) + ", " + Words.share(Math.abs(from - to), from)
                + (to > from ? " more." : " less.");
    }
}
