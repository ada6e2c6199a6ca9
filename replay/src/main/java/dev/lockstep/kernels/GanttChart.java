// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.derive.KernelClass;
import dev.lockstep.report.Chart;
import dev.lockstep.report.Chart.Timeline;
import dev.lockstep.report.Chart.TimelineRow;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section.ChartSection;
import dev.lockstep.report.Section.Fact;
import dev.lockstep.report.Section.FactsSection;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Lanes of ranks under each other, on one axis of time.
 *
 * @param ranks from top to bottom
 * @param shared whether all ranks are on one clock; else each begins with its own first activity
 * @param from begin of what is shown, in ns since the first activity
 * @param to end of what is shown
 */
public record GanttChart(List<Rank> ranks, boolean shared, long from, long to) {
    /** As many a page can hold. */
    private static final int MOST_BARS = 120_000;

    private static final int MOST_COLUMNS = 12_000;
    private static final int LEAST_COLUMNS = 200;
    private static final double NS_PER_MS = 1e6;

    public GanttChart {
        ranks = List.copyOf(ranks);
    }

    /**
     * A rank and its lanes.
     *
     * @param origin the time on its clock that is 0 of the chart
     */
    public record Rank(int number, String source, GanttLanes lanes, long origin) {}

    /** A lane and where it belongs. */
    public record Row(Rank rank, GanttLane lane) {
        /** Device and stream; empty for further lanes of a stream. */
        public String label() {
            return lane.level() > 0 ? "" : "device " + lane.device() + " · stream " + lane.stream();
        }
    }

    /**
     * All ranks from their first activity to the last. They are taken to share a clock if each runs while another does.
     *
     * @param ranks those that have activity
     */
    public static GanttChart of(List<Rank> ranks) {
        long first = ranks.stream().mapToLong(r -> r.lanes.start()).min().orElse(0);
        long latestStart = ranks.stream().mapToLong(r -> r.lanes.start()).max().orElse(0);
        long firstEnd = ranks.stream().mapToLong(r -> r.lanes.end()).min().orElse(0);
        boolean shared = latestStart < firstEnd;
        List<Rank> placed = ranks.stream()
                .map(r -> new Rank(r.number, r.source, r.lanes, shared ? first : r.lanes.start()))
                .toList();
        long end =
                placed.stream().mapToLong(r -> r.lanes.end() - r.origin).max().orElse(1);
        return new GanttChart(placed, shared, 0, Math.max(1, end));
    }

    /** The same within a window, in ns since the first activity. */
    public GanttChart within(long begin, long end) {
        return new GanttChart(ranks, shared, Math.max(0, begin), Math.min(to, end));
    }

    /** All lanes from top to bottom. */
    public List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (Rank rank : ranks) {
            rank.lanes.lanes().forEach(lane -> rows.add(new Row(rank, lane)));
        }
        return rows;
    }

    /** Number of activities in the window. */
    public long kernels() {
        long count = 0;
        for (Row row : rows()) {
            long begin = row.rank.origin + from;
            long end = row.rank.origin + to;
            for (int i = 0; i < row.lane.size(); i++) {
                count += row.lane.shows(i, begin, end) ? 1 : 0;
            }
        }
        return count;
    }

    /** What of a row is to be drawn where no more than so many columns can be told apart. */
    public GanttBars bars(Row row, int columns) {
        return row.lane.bars(row.rank.origin + from, row.rank.origin + to, columns);
    }

    /** How to read it, for the line below the title. */
    public String reading() {
        return (ranks.size() > 1
                        ? shared
                                ? "Ranks on the clock of their traces. "
                                : "Each rank from its own first kernel on: their clocks have nothing in common. "
                        : "")
                + "A lane for each stream, more where kernels of a stream run at the same time."
                + (crowded() > 0
                        ? String.format(
                                Locale.ROOT,
                                " %,d kernels lie over others, because their streams ran more than %d at a time.",
                                crowded(),
                                GanttLanes.MOST_LEVELS)
                        : "");
    }

    private long crowded() {
        return ranks.stream().mapToLong(rank -> rank.lanes.crowded()).sum();
    }

    /**
     * Writes the kernels of all ranks, whatever the window: {@code kernels_rankN_gpuM.csv} for each rank and device, by
     * start, times in ms since the first activity.
     *
     * @param folder one that exists
     */
    public void writeLists(Path folder) throws IOException {
        GanttFiles.write(this, folder);
    }

    /** A page that can be zoomed, with a table of the lanes. */
    public Report report(String source) {
        List<Row> rows = rows();
        long kernels = kernels();
        int columns = kernels <= MOST_BARS ? 0 : Math.clamp(MOST_BARS / rows.size(), LEAST_COLUMNS, MOST_COLUMNS);
        FactsSection facts = new FactsSection(
                "Facts",
                List.of(
                        new Fact(
                                "kernels, copies and fills",
                                String.format(Locale.ROOT, "%,d", kernels),
                                "in the window"),
                        new Fact("ranks", Integer.toString(ranks.size()), ""),
                        new Fact("lanes", Integer.toString(rows.size()), ""),
                        new Fact("time", String.format(Locale.ROOT, "%,.3f ms", (to - from) / NS_PER_MS), "")));
        return new Report(
                "Kernels over time",
                source,
                List.of(facts, new ChartSection(timeline(rows, columns)), new TableSection(table(rows))));
    }

    /** @param columns how many are told apart; 0 for every single kernel */
    private Chart timeline(List<Row> rows, int columns) {
        List<String> names = new ArrayList<>();
        Map<String, Integer> known = new HashMap<>();
        List<TimelineRow> drawn = new ArrayList<>();
        for (Row row : rows) {
            GanttBars bars =
                    columns > 0 ? bars(row, columns) : row.lane.bars(row.rank.origin + from, row.rank.origin + to);
            drawn.add(drawn(row, bars, names, known));
        }
        return new Timeline(
                "Kernels over time",
                reading() + " Where kernels are narrower than a pixel, the height is the share of time they ran."
                        + (columns > 0
                                ? String.format(
                                        Locale.ROOT,
                                        " There are too many to show each: those shorter than %.3f ms are joined with"
                                                + " their neighbours. A window (--window) shows more.",
                                        2.0 * (to - from) / columns / NS_PER_MS)
                                : ""),
                from,
                to,
                Arrays.stream(KernelClass.values())
                        .map(c -> c.name().toLowerCase(Locale.ROOT))
                        .toList(),
                names,
                drawn);
    }

    private TimelineRow drawn(Row row, GanttBars bars, List<String> names, Map<String, Integer> known) {
        int n = bars.size();
        long[] start = new long[n];
        long[] duration = new long[n];
        int[] kind = new int[n];
        int[] name = new int[n];
        int[] merged = new int[n];
        long[] busy = new long[n];
        for (int i = 0; i < n; i++) {
            start[i] = Math.max(from, bars.start(i) - row.rank.origin) - from;
            duration[i] = Math.min(to, bars.end(i) - row.rank.origin) - from - start[i];
            kind[i] = bars.kind(i);
            merged[i] = bars.merged(i);
            busy[i] = Math.min(bars.busy(i), duration[i]);
            name[i] = -1;
            if (bars.name(i) >= 0) {
                name[i] = known.computeIfAbsent(row.rank.lanes.name(bars.name(i)), text -> {
                    names.add(text);
                    return names.size() - 1;
                });
            }
        }
        String rank = ranks.size() > 1 ? "rank " + row.rank.number + " · " : "";
        String level = row.lane.level() > 0 ? " (" + (row.lane.level() + 1) + ")" : "";
        String label = rank + "device " + row.lane.device() + " · stream " + row.lane.stream() + level;
        return new TimelineRow(label, start, duration, kind, name, merged, busy);
    }

    private Table table(List<Row> rows) {
        return new Fields<Row>()
                .add(ColumnSpec.id("rank", "Rank."), row -> row.rank.number)
                .add(ColumnSpec.text("device", "Device."), row -> row.lane.device())
                .add(ColumnSpec.text("stream", "Stream."), row -> row.lane.stream())
                .add(
                        ColumnSpec.count(
                                "lane", "1 for the first lane of the stream; more hold what ran at the same time."),
                        row -> row.lane.level() + 1)
                .add(
                        ColumnSpec.count("kernels", "Kernels, copies and fills of the whole lane."),
                        row -> row.lane.size())
                .add(ms("compute ms", "Time with computation in the window."), row -> busy(row, KernelClass.COMPUTE))
                .add(
                        ms(ColumnNames.COMMUNICATION_MS, "Time with communication in the window."),
                        row -> busy(row, KernelClass.COMMUNICATION))
                .add(ms("memory ms", "Time with copies and fills in the window."), row -> busy(row, KernelClass.MEMORY))
                .table("gantt_lanes", "Lanes", rows);
    }

    private long busy(Row row, KernelClass kind) {
        return row.lane.busy(kind, row.rank.origin + from, row.rank.origin + to);
    }

    private static ColumnSpec ms(String header, String doc) {
        return ColumnSpec.whole(header, Unit.NANOSECONDS, Unit.MILLISECONDS, doc);
    }
}
