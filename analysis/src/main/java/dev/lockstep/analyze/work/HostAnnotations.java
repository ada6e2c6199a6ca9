// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import static dev.lockstep.table.ColumnSpec.micros;
import static dev.lockstep.table.ColumnSpec.millis;

import dev.lockstep.analyze.Analysis;
import dev.lockstep.analyze.AnalysisResult;
import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.IntList;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Annotations on the host by name; the numbered steps of the profiler count as one. Where the host has slices of no known
 * category alone, as in traces of other programs, these count. What was recorded on several tracks with the same name and times
 * counts once.
 */
public record HostAnnotations() implements Analysis<HostAnnotations.Result> {
    private static final Pattern STEP = Pattern.compile("(ProfilerStep#)\\d+");

    /**
     * Annotations of one name; times in ns.
     *
     * @param self time in which none lay inside of them
     * @param total time in any of them, thread by thread
     * @param mean duration
     */
    public record Row(
            String name, long count, long self, long total, long mean, long shortest, long longest, long first) {}

    /**
     * By their own time, longest first.
     *
     * @param annotations whether they are annotations
     */
    public record Result(List<Row> rows, boolean annotations) implements AnalysisResult {
        public Result {
            rows = List.copyOf(rows);
        }

        @Override
        public List<Table> tables() {
            return rows.isEmpty() ? List.of() : List.of(sheet(rows));
        }

        @Override
        public @Nullable String notApplicable() {
            return rows.isEmpty() ? "the trace has no annotations" : null;
        }
    }

    @Override
    public String id() {
        return "host_annotations";
    }

    @Override
    public Result run(DerivedCache cache) {
        Trace trace = cache.trace();
        SliceKind counted = hasKnownCategories(trace.slices()) ? SliceKind.ANNOTATION : SliceKind.HOST_OTHER;
        List<Row> rows = new ArrayList<>(new Ranges(trace, counted).rows());
        rows.sort(Comparator.comparingLong(Row::self)
                .reversed()
                .thenComparing(Comparator.comparingLong(Row::total).reversed())
                .thenComparing(Row::name));
        return new Result(rows, counted == SliceKind.ANNOTATION);
    }

    /** Goes through ranges in order of time, with those that are open on each track at hand. */
    private static final class Ranges {
        private record Times(int name, long dur) {}

        private static final class Sum {
            private final String name;
            private long count;
            private long self;
            private long total;
            private long durations;
            private long shortest = Long.MAX_VALUE;
            private long longest;
            private final long first;

            private Sum(String name, long first) {
                this.name = name;
                this.first = first;
            }
        }

        private final Trace trace;
        private final Slices slices;
        private final Map<String, Sum> sums = new LinkedHashMap<>();
        private final @Nullable Sum[] sumOfName;

        /** Of each track, the slices that may be open, outermost first, and up to when its time was booked. */
        private final @Nullable IntList[] open;

        private final long[] booked;

        /** What began at one moment. */
        private final Set<Times> together = new HashSet<>();

        private long moment = Long.MIN_VALUE;

        Ranges(Trace trace, SliceKind counted) {
            this.trace = trace;
            slices = trace.slices();
            sumOfName = new Sum[trace.strings().size()];
            open = new IntList[trace.tracks().size()];
            booked = new long[open.length];
            for (int i = 0; i < slices.size(); i++) {
                if (slices.kind(i) == counted && isNew(i)) {
                    enter(i);
                }
            }
            for (IntList track : open) {
                if (track != null) {
                    close(track, Long.MAX_VALUE);
                }
            }
        }

        /** Whether no other range of this name begins and ends with it. */
        private boolean isNew(int slice) {
            if (slices.ts(slice) != moment) {
                moment = slices.ts(slice);
                together.clear();
            }
            return together.add(new Times(slices.name(slice), slices.dur(slice)));
        }

        private void enter(int slice) {
            int track = slices.track(slice);
            IntList around = open[track];
            if (around == null) {
                around = new IntList(16);
                open[track] = around;
            }
            close(around, slices.ts(slice));
            if (around.size() > 0) {
                sum(around.get(around.size() - 1)).self += slices.ts(slice) - booked[track];
            }
            booked[track] = slices.ts(slice);
            Sum sum = sum(slice);
            long dur = slices.dur(slice);
            sum.count++;
            sum.durations += dur;
            sum.total += Math.max(0, slices.end(slice) - Math.max(slices.ts(slice), endOf(sum, around)));
            sum.shortest = Math.min(sum.shortest, dur);
            sum.longest = Math.max(sum.longest, dur);
            around.add(slice);
        }

        /** The latest end of what is open under the same name; the earliest time for none. */
        private long endOf(Sum sum, IntList around) {
            long end = Long.MIN_VALUE;
            for (int i = 0; i < around.size(); i++) {
                end = sum(around.get(i)) == sum ? Math.max(end, slices.end(around.get(i))) : end;
            }
            return end;
        }

        /** Closes what ends by a moment, the innermost first. */
        private void close(IntList around, long moment) {
            while (around.size() > 0 && slices.end(around.get(around.size() - 1)) <= moment) {
                int last = around.removeLast();
                int track = slices.track(last);
                sum(last).self += Math.max(0, slices.end(last) - booked[track]);
                booked[track] = Math.max(booked[track], slices.end(last));
            }
        }

        private Sum sum(int slice) {
            int name = slices.name(slice);
            Sum known = sumOfName[name];
            if (known == null) {
                known = sums.computeIfAbsent(
                        STEP.matcher(trace.name(slice)).replaceFirst("$1N"), n -> new Sum(n, slices.ts(slice)));
                sumOfName[name] = known;
            }
            return known;
        }

        private List<Row> rows() {
            return sums.values().stream()
                    .map(s -> new Row(
                            s.name, s.count, s.self, s.total, s.durations / s.count, s.shortest, s.longest, s.first))
                    .toList();
        }
    }

    private static boolean hasKnownCategories(Slices slices) {
        for (int i = 0; i < slices.size(); i++) {
            switch (slices.kind(i)) {
                case HOST_OTHER, PROFILER_SPAN, OVERHEAD -> {}
                default -> {
                    return true;
                }
            }
        }
        return false;
    }

    private static Table sheet(List<Row> rows) {
        return new Fields<Row>()
                .add(ColumnSpec.text("name", "What the program or the framework called the range."), Row::name)
                .add(ColumnSpec.count("count", "Number of ranges."), Row::count)
                .add(millis(ColumnNames.SELF_TIME_MS, "Time in which no other range lay inside of them."), Row::self)
                .add(
                        millis(
                                ColumnNames.TOTAL_TIME_MS,
                                "Time in any of them, thread by thread: inside of itself one counts once."),
                        Row::total)
                .add(micros(ColumnNames.MEAN_US, "Mean duration."), Row::mean)
                .add(micros("shortest us", "Shortest duration."), Row::shortest)
                .add(micros(ColumnNames.LONGEST_US, "Longest duration."), Row::longest)
                .add(micros("first start us", "Begin of the first, as ts in the file."), Row::first)
                .table("host_annotations", "CPU annotations", rows);
    }
}
