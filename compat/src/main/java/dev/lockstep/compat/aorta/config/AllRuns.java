// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.config;

import dev.lockstep.report.SheetSet;
import dev.lockstep.report.StyledSheet;
import dev.lockstep.report.StyledSheet.Look;
import dev.lockstep.report.StyledWorkbook;
import dev.lockstep.table.Table;
import dev.lockstep.write.Numbers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * {@code final_analysis_report_for_all.xlsx}: any number of runs side by side, the first as the baseline. Here a negative
 * percentage is better, against the comparisons of two runs; what the baseline has none of has changed without bound.
 * Collectives are matched by name and number of elements alone, so that several of one run meet all of the other.
 */
record AllRuns(List<String> labels, Frame summary, Frame timePerRank, Frame collectives) {
    private static final String TYPE = "type";
    private static final String INDEX = "index";

    /**
     * A run.
     *
     * @param label what its columns are called by
     * @param timelines its summary of timelines over ranks
     * @param collectives its collectives
     */
    record Run(String label, GpuTimelineSummary timelines, SheetSet collectives) {}

    static AllRuns of(List<Run> runs) {
        List<String> labels = runs.stream().map(Run::label).toList();
        Frame summary = joined(runs.stream().map(AllRuns::summary).toList(), TYPE);
        return new AllRuns(
                labels,
                withChanges(summary, labels),
                joined(runs.stream().map(AllRuns::times).toList(), TYPE),
                joined(runs.stream().map(AllRuns::collectives).toList(), INDEX));
    }

    StyledWorkbook workbook() {
        return new StyledWorkbook(List.of(
                StyledSheet.of(summary.table("Summary"), Look.FRAME),
                StyledSheet.of(timePerRank.table("Per_Rank_Time_ms"), Look.FRAME),
                StyledSheet.of(collectives.table("NCCL_Summary"), Look.FRAME)));
    }

    private static Frame summary(Run run) {
        return labelled(Frame.of(run.timelines().summary()), TYPE, run.label());
    }

    private static Frame times(Run run) {
        return labelled(Frame.of(run.timelines().timePerRank()), TYPE, run.label());
    }

    private static Frame collectives(Run run) {
        Table table = run.collectives().sheet("nccl_summary_implicit_sync");
        Frame frame = table == null ? new Frame(List.of()) : Frame.of(table);
        List<String> heads = new ArrayList<>(frame.heads());
        heads.add(INDEX);
        Frame indexed = new Frame(heads);
        boolean fractions = fractions(frame, "In msg nelems");
        for (int row = 0; row < frame.size(); row++) {
            @Nullable Object[] cells = Arrays.copyOf(frame.row(row), heads.size());
            cells[heads.size() - 1] = spelt(frame.cell(row, "Collective name"), false) + "_"
                    + spelt(frame.cell(row, "In msg nelems"), fractions);
            indexed.add(cells);
        }
        return labelled(indexed, INDEX, run.label());
    }

    /** Integers beside a missing cell are floating-point numbers in a frame, and are spelt so. */
    private static boolean fractions(Frame frame, String head) {
        for (int row = 0; row < frame.size(); row++) {
            if (!(frame.cell(row, head) instanceof Long)) {
                return true;
            }
        }
        return false;
    }

    private static String spelt(@Nullable Object cell, boolean fraction) {
        return cell == null
                ? "nan"
                : cell instanceof Number n && fraction ? Numbers.python(n.doubleValue()) : cell.toString();
    }

    private static Frame labelled(Frame frame, String key, String label) {
        return frame.renamed(frame.heads().stream()
                .map(head -> head.equals(key) ? head : head + "_" + label)
                .toList());
    }

    private static Frame joined(List<Frame> frames, String key) {
        Frame all = frames.getFirst();
        for (Frame next : frames.subList(1, frames.size())) {
            all = outer(all, next, key);
        }
        return all;
    }

    /** All pairs of rows with equal keys, and the rows without a counterpart, by key. */
    private static Frame outer(Frame left, Frame right, String key) {
        List<String> heads = new ArrayList<>(left.heads());
        right.heads().stream().filter(h -> !h.equals(key)).forEach(heads::add);
        Frame joined = new Frame(heads);
        Map<String, List<Integer>> own = byKey(left, key);
        Map<String, List<Integer>> others = byKey(right, key);
        TreeSet<String> keys = new TreeSet<>(own.keySet());
        keys.addAll(others.keySet());
        for (String each : keys) {
            for (@Nullable Integer row : rowsOf(own, each)) {
                for (@Nullable Integer other : rowsOf(others, each)) {
                    joined.add(pair(left, row, right, other, key, each));
                }
            }
        }
        return joined;
    }

    private static List<@Nullable Integer> rowsOf(Map<String, List<Integer>> rows, String key) {
        List<@Nullable Integer> found = new ArrayList<>(rows.getOrDefault(key, List.of()));
        if (found.isEmpty()) {
            found.add(null);
        }
        return found;
    }

    private static @Nullable Object[] pair(
            Frame left, @Nullable Integer row, Frame right, @Nullable Integer other, String key, String value) {
        List<@Nullable Object> cells = new ArrayList<>();
        for (int column = 0; column < left.heads().size(); column++) {
            boolean isKey = left.heads().get(column).equals(key);
            cells.add(isKey ? value : row == null ? null : left.cell(row, column));
        }
        for (int column = 0; column < right.heads().size(); column++) {
            if (!right.heads().get(column).equals(key)) {
                cells.add(other == null ? null : right.cell(other, column));
            }
        }
        return cells.toArray();
    }

    private static Map<String, List<Integer>> byKey(Frame frame, String key) {
        Map<String, List<Integer>> rows = new HashMap<>();
        for (int row = 0; row < frame.size(); row++) {
            rows.computeIfAbsent(frame.text(row, key), k -> new ArrayList<>()).add(row);
        }
        return rows;
    }

    private static Frame withChanges(Frame summary, List<String> labels) {
        List<String> heads = new ArrayList<>(summary.heads());
        labels.stream().skip(1).forEach(label -> heads.add("percentage_change_" + label));
        Frame changed = new Frame(heads);
        for (int row = 0; row < summary.size(); row++) {
            @Nullable Object[] cells = Arrays.copyOf(summary.row(row), heads.size());
            double base = summary.number(row, "time ms_" + labels.getFirst());
            for (int i = 1; i < labels.size(); i++) {
                double own = summary.number(row, "time ms_" + labels.get(i));
                cells[summary.heads().size() + i - 1] = (own - base) / base * 100;
            }
            changed.add(cells);
        }
        return changed;
    }
}
