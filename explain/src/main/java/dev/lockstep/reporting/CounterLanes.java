// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.hardware.CounterSamples;
import dev.lockstep.analyze.hardware.CounterSeries.Name;
import dev.lockstep.model.Trace;
import dev.lockstep.report.Chart.TimelineHead;
import dev.lockstep.table.DoubleList;
import dev.lockstep.table.LongList;
import dev.lockstep.table.LongOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The counters of a trace as rows of a timeline: power, clocks, temperatures, counters of hardware, whatever was recorded. A
 * sample holds until the next of its series, the last as long as the one before it.
 */
final class CounterLanes {
    private static final int MOST = 32;

    /** Fractions are kept to so many parts of the largest value. */
    private static final int PARTS = 1 << 30;

    private static final class Series {
        private final LongList times = new LongList(64);
        private final DoubleList values = new DoubleList(64);
        private double least = Double.POSITIVE_INFINITY;
        private double most = Double.NEGATIVE_INFINITY;
        private boolean whole = true;

        void add(long time, double value) {
            times.add(time);
            values.add(value);
            least = Math.min(least, value);
            most = Math.max(most, value);
            whole &= value == Math.rint(value);
        }

        boolean isShown() {
            return least >= 0 && most > 0 && most < Double.POSITIVE_INFINITY;
        }

        boolean isConstant() {
            return least == most;
        }

        /** What one of the numbers of the row stands for. */
        double step() {
            return whole && most <= Integer.MAX_VALUE ? 1 : most / PARTS;
        }

        TimelineLane lane(String label, int kind, int name, long from, long to) {
            int n = times.size();
            long[] when = Arrays.copyOf(times.toArray(), n);
            int[] order = new int[n];
            for (int i = 0; i < n; i++) {
                order[i] = i;
            }
            LongOrder.sort(when, order);
            int[] counts = new int[n + 1];
            for (int i = 0; i < n; i++) {
                counts[i] = (int) Math.round(values.get(order[i]) / step());
            }
            counts[n] = counts[n - 1];
            when = Arrays.copyOf(when, n + 1);
            when[n] = when[n - 1] + (n == 1 ? 1 : Math.max(1, when[n - 1] - when[n - 2]));
            for (int i = 0; i <= n; i++) {
                counts[i] = i < n && when[i + 1] <= from ? 0 : counts[i];
                when[i] = Math.clamp(when[i], from, to);
            }
            return new CounterLane(new TimelineHead(label, "counters", true, "", step()), kind, name)
                    .of(when, counts, n + 1);
        }
    }

    private final Map<Name, Series> series = new TreeMap<>();
    private final long from;
    private final long to;

    /**
     * Reads the counters of a trace.
     *
     * @param from ns of the trace's time, before which nothing is shown
     * @param to ns of the trace's time, after which nothing is shown
     */
    CounterLanes(Trace trace, AnalysisRules rules, long from, long to) {
        this.from = from;
        this.to = to;
        CounterSamples.each(
                trace,
                rules,
                (mark, process, value, number) -> series.computeIfAbsent(
                                new Name(
                                        process,
                                        trace.strings().get(trace.marks().name(mark)),
                                        value),
                                name -> new Series())
                        .add(trace.marks().ts(mark), number));
    }

    private Stream<Map.Entry<Name, Series>> shown() {
        return series.entrySet().stream().filter(one -> one.getValue().isShown());
    }

    /** How many series have no row: those beyond the first, those of negative numbers and of nothing but 0. */
    long left() {
        return series.size() - Math.min(MOST, shown().count());
    }

    /** The rows, by name; those that never change come last where there are too many. */
    List<TimelineLane> lanes(int kind, int name) {
        List<Map.Entry<Name, Series>> chosen = new ArrayList<>(shown().sorted(Comparator.comparing(
                        (Map.Entry<Name, Series> one) -> one.getValue().isConstant()))
                .limit(MOST)
                .toList());
        chosen.sort(Map.Entry.comparingByKey());
        return chosen.stream()
                .map(one -> one.getValue().lane(label(one.getKey()), kind, name, from, to))
                .toList();
    }

    private static String label(Name name) {
        String counter = name.counter().startsWith(name.value()) ? name.counter() : name.counter() + " " + name.value();
        return name.process().isEmpty() || name.process().equals(counter) ? counter : counter + ", " + name.process();
    }
}
