// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.report;

import dev.lockstep.goal.generate.CollectiveTable;
import dev.lockstep.goal.model.ScheduleCounts;
import dev.lockstep.goal.model.ScheduleCounts.OfPair;
import dev.lockstep.goal.model.SimulatedTimes;
import dev.lockstep.goal.simulate.BusyTimeline;
import dev.lockstep.goal.simulate.BusyTimeline.Part;
import dev.lockstep.report.Chart.Bar;
import dev.lockstep.report.Chart.Heat;
import dev.lockstep.report.Chart.Scale;
import dev.lockstep.report.Chart.StackedBars;
import dev.lockstep.report.Chart.Timeline;
import dev.lockstep.report.Chart.TimelineRow;
import dev.lockstep.report.Evidence;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Pictures of a schedule. */
final class ScheduleCharts {
    private static final double NS_PER_MS = 1e6;
    private static final double BYTES_PER_MIB = 1 << 20;
    private static final int MOST_ROWS = 16;
    private static final int MOST_BARS = 32;
    private static final int MOST_CELLS = 64;

    private ScheduleCharts() {}

    /** A pair of rows for each rank: when it calculates, and when it handles messages. */
    static Timeline timeline(SimulatedTimes times, BusyTimeline timeline) {
        int ranks = times.finishNs().length;
        List<TimelineRow> rows = new ArrayList<>();
        for (int rank : spread(ranks, MOST_ROWS)) {
            for (Part part : Part.values()) {
                rows.add(row(rank, part, timeline));
            }
        }
        return new Timeline(
                "Ranks over time",
                "When each rank calculates and when it sends or takes messages in the simulation; empty where it waits."
                        + " Transfers within a node are calculations in a schedule."
                        + drawn(MOST_ROWS, ranks),
                0,
                Math.max(1, times.makespanNs()),
                List.of("compute", "communication"),
                List.of("calculating", "sending or receiving"),
                rows);
    }

    private static String drawn(int most, int ranks) {
        return ranks > most ? " " + most + " of " + ranks + " ranks are drawn." : "";
    }

    private static TimelineRow row(int rank, Part part, BusyTimeline timeline) {
        int n = timeline.size(rank, part);
        long[] start = new long[n];
        long[] duration = new long[n];
        int[] kind = new int[n];
        int[] name = new int[n];
        int[] merged = new int[n];
        Arrays.fill(kind, part.ordinal());
        for (int i = 0; i < n; i++) {
            start[i] = timeline.start(rank, part, i);
            duration[i] = timeline.end(rank, part, i) - start[i];
            merged[i] = (int) Math.min(Integer.MAX_VALUE, timeline.joined(rank, part, i));
            name[i] = merged[i] > 1 ? -1 : part.ordinal();
        }
        return new TimelineRow(
                "rank " + rank + (part == Part.CALCULATION ? " · calculating" : " · messages"),
                start,
                duration,
                kind,
                name,
                merged,
                duration);
    }

    /** What each rank spends the makespan with. */
    static StackedBars parts(SimulatedTimes times, BusyTimeline timeline) {
        List<Bar> bars = new ArrayList<>();
        for (int rank : spread(times.finishNs().length, MOST_BARS)) {
            long calculating = timeline.total(rank, Part.CALCULATION);
            long busy = times.busyNs()[rank];
            double[] parts = {
                calculating / NS_PER_MS, Math.max(0, busy - calculating) / NS_PER_MS, times.idleNs(rank) / NS_PER_MS
            };
            bars.add(new Bar("rank " + rank, parts, new Evidence.Rows("schedule_ranks", List.of(rank))));
        }
        return new StackedBars(
                "Makespan by rank",
                "Calculating; messages while nothing is calculated; waiting for others until the last rank is done."
                        + drawn(MOST_BARS, times.finishNs().length),
                "ms",
                List.of("compute", "communication", "idle"),
                bars);
    }

    /**
     * Bytes from each rank to each other one, or how many messages where all are empty; where there are many ranks,
     * neighbours share a row and a column.
     */
    static Heat pairs(ScheduleCounts counts) {
        boolean empty = counts.bytes() == 0;
        int ranks = counts.ranks().size();
        int each = (ranks + MOST_CELLS - 1) / MOST_CELLS;
        int cells = (ranks + each - 1) / each;
        double[][] values = new double[cells][cells];
        for (double[] row : values) {
            Arrays.fill(row, Double.NaN);
        }
        List<List<Integer>> lines = Stream.generate(() -> (List<Integer>) new ArrayList<Integer>())
                .limit((long) cells * cells)
                .toList();
        int line = 0;
        for (OfPair pair : ScheduleSheets.byData(counts)) {
            double[] row = values[pair.from() / each];
            int column = pair.to() / each;
            lines.get(pair.from() / each * cells + column).add(line++);
            row[column] = (Double.isNaN(row[column]) ? 0 : row[column])
                    + (empty ? pair.messages() : pair.bytes() / BYTES_PER_MIB);
        }
        List<String> labels = IntStream.range(0, cells)
                .mapToObj(i ->
                        each == 1 ? "rank " + i : "ranks " + i * each + "-" + (Math.min(ranks, (i + 1) * each) - 1))
                .toList();
        List<Evidence> leads = lines.stream()
                .<Evidence>map(of -> new Evidence.Rows(ScheduleSheets.PAIRS, of))
                .toList();
        if (empty) {
            return new Heat(
                    "Messages by pair",
                    "How many messages go from the rank of the row to the rank of the column. All are empty, as"
                            + " between GPUs of one node, where transfers are calculations.",
                    "",
                    labels,
                    labels,
                    values,
                    Scale.MAGNITUDE,
                    leads);
        }
        return new Heat(
                "Data by pair",
                "Bytes of all messages from the rank of the row to the rank of the column; no colour where there is no"
                        + " message.",
                "MiB",
                labels,
                labels,
                values,
                Scale.MAGNITUDE,
                leads);
    }

    /** How many collectives there are of each kind and size. */
    static Heat collectives(List<CollectiveTable.Row> rows) {
        TreeMap<String, TreeMap<Long, Long>> byKind = new TreeMap<>();
        TreeMap<Long, Integer> sizes = new TreeMap<>();
        for (CollectiveTable.Row row : rows) {
            sizes.put(power(row.bytes()), 0);
            byKind.computeIfAbsent(row.collective(), k -> new TreeMap<>())
                    .merge(power(row.bytes()), row.count(), Long::sum);
        }
        int columns = 0;
        for (Long size : List.copyOf(sizes.keySet())) {
            sizes.put(size, columns++);
        }
        double[][] values = new double[byKind.size()][columns];
        List<Evidence> leads = new ArrayList<>();
        int line = 0;
        for (var kind : byKind.entrySet()) {
            Arrays.fill(values[line], Double.NaN);
            for (var size : sizes.entrySet()) {
                Long count = kind.getValue().get(size.getKey());
                if (count != null) {
                    values[line][size.getValue()] = count;
                }
                leads.add(Evidence.Rows.of(
                        ScheduleSheets.COLLECTIVES,
                        rows,
                        row -> row.collective().equals(kind.getKey()) && power(row.bytes()) == size.getKey()));
            }
            line++;
        }
        return new Heat(
                "Collectives by kind and size",
                "How many there are; sizes are what the call of a rank names, from one power of two to the next.",
                "",
                List.copyOf(byKind.keySet()),
                sizes.keySet().stream().map(ScheduleCharts::size).toList(),
                values,
                Scale.MAGNITUDE,
                leads);
    }

    private static long power(long bytes) {
        return bytes <= 0 ? 0 : Long.highestOneBit(bytes);
    }

    private static String size(long bytes) {
        if (bytes < 1 << 10) {
            return bytes + " B";
        }
        return bytes < 1 << 20
                ? (bytes >> 10) + " KiB"
                : bytes < 1 << 30 ? (bytes >> 20) + " MiB" : (bytes >> 30) + " GiB";
    }

    /** A size in a unit that fits. */
    static String data(long bytes) {
        return bytes < 1 << 20
                ? String.format(Locale.ROOT, "%,.1f KiB", bytes / 1024.0)
                : bytes < 1L << 30
                        ? String.format(Locale.ROOT, "%,.1f MiB", bytes / BYTES_PER_MIB)
                        : String.format(Locale.ROOT, "%,.2f GiB", bytes / BYTES_PER_MIB / 1024);
    }

    /** So many of the numbers below a limit, evenly. */
    private static int[] spread(int below, int most) {
        int n = Math.min(below, most);
        return IntStream.range(0, n).map(i -> (int) ((long) i * below / n)).toArray();
    }
}
