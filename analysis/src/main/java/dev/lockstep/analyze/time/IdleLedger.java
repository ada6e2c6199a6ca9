// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.time;

import dev.lockstep.analyze.time.IdleAccount.Drain;
import dev.lockstep.analyze.time.IdleAccount.Row;
import dev.lockstep.analyze.time.IdleAccount.Where;
import dev.lockstep.derive.HostNesting;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.IntTuples;
import dev.lockstep.table.LongIntMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Books pieces of idle time: by what filled them, by step, and by what emptied the queue before. */
final class IdleLedger {
    private static final IdleCause[] CAUSES = IdleCause.values();
    private static final SliceKind[] KINDS = SliceKind.values();
    private static final Where[] PLACES = Where.values();

    /** Sums of gaps of which a part belongs to one thing. */
    private static final class Sum {
        private final int[] tuple;
        private long gaps;
        private long time;
        private long longest;
        private long start;
        private long end;

        /** The gap that was booked last, and how much of it. */
        private int gap = -1;

        private long ofGap;

        private Sum(int... tuple) {
            this.tuple = tuple;
        }

        private void add(int number, long from, long to, long length) {
            ofGap = gap == number ? ofGap + length : length;
            gaps += gap == number ? 0 : 1;
            gap = number;
            time += length;
            if (ofGap > longest) {
                longest = ofGap;
                start = from;
                end = to;
            }
        }
    }

    private final Trace trace;
    private final HostCauses causes;
    private final StepWindows windows;

    private final List<String> texts = new ArrayList<>();
    private final Map<String, Integer> numberOfText = new HashMap<>();
    private final int[] textOfName;

    private final IntTuples tuples = new IntTuples();
    private final LongIntMap rowOfTuple = new LongIntMap(256);
    private final List<Sum> sums = new ArrayList<>();
    private final Map<Integer, Sum> drains = new HashMap<>();
    private final @Nullable Sum[] byCause = new Sum[PLACES.length * CAUSES.length];

    private final HostNesting nesting;

    /** Where time in Python lies; null where there is none. */
    private @Nullable FramePaths frames;

    private final long[][] byWindow;
    private int window;

    /** The cause of most of each gap between activities. */
    private final IntList most;

    /** The gap that is booked. */
    private int gap = -1;

    private Where where = Where.BETWEEN;
    private long from;
    private long to;
    private int next;
    private int emptiedBy;
    private final long[] ofGap = new long[CAUSES.length];

    IdleLedger(Trace trace, HostNesting nesting, HostCauses causes, StepWindows windows, int gaps) {
        this.trace = trace;
        this.nesting = nesting;
        this.causes = causes;
        this.windows = windows;
        textOfName = new int[trace.strings().size()];
        Arrays.fill(textOfName, -1);
        byWindow = new long[windows.size()][CAUSES.length];
        most = new IntList(gaps);
    }

    /** Begins a gap; gaps come in order of time. */
    void gap(Where place, long start, long end, int activityBehind) {
        gap++;
        where = place;
        from = start;
        to = end;
        next = activityBehind;
        emptiedBy = -1;
        Arrays.fill(ofGap, 0);
    }

    /**
     * Says what emptied the queue before this gap.
     *
     * @param waited how long the host had waited in the call when the gap began
     */
    void emptiedBy(int call, long waited) {
        emptiedBy = number(causes.place(call));
        drains.computeIfAbsent(emptiedBy, Sum::new).add(gap, from, to, Math.min(waited, to - from));
    }

    /** Books a piece of the gap; pieces come in order of time. */
    void piece(int owner, long start, long end) {
        IdleCause cause = cause(owner);
        ofGap[cause.ordinal()] += end - start;
        sum(owner, cause).add(gap, from, to, end - start);
        int place = where.ordinal() * CAUSES.length + cause.ordinal();
        Sum known = byCause[place];
        if (known == null) {
            known = new Sum();
            byCause[place] = known;
        }
        known.add(gap, from, to, end - start);
        if (cause == IdleCause.PYTHON) {
            paths().add(owner, where, end - start);
        }
        while (window < windows.size() && windows.end(window) <= start) {
            window++;
        }
        for (int w = window; w < windows.size() && windows.start(w) < end; w++) {
            byWindow[w][cause.ordinal()] +=
                    Math.max(0, Math.min(end, windows.end(w)) - Math.max(start, windows.start(w)));
        }
    }

    /** Ends a gap. */
    void close() {
        if (where == Where.BETWEEN) {
            most.add(largest(ofGap));
        }
    }

    private FramePaths paths() {
        FramePaths known = frames;
        if (known == null) {
            known = new FramePaths(trace.slices(), nesting, this::name);
            frames = known;
        }
        return known;
    }

    private static int largest(long[] values) {
        int largest = 0;
        for (int i = 1; i < values.length; i++) {
            largest = values[i] > values[largest] ? i : largest;
        }
        return largest;
    }

    private IdleCause cause(int owner) {
        return switch (owner) {
            case IdleSweep.NOTHING -> IdleCause.UNRECORDED;
            case IdleSweep.NO_HOST -> IdleCause.NO_HOST;
            case IdleSweep.QUEUED -> IdleCause.QUEUED;
            case IdleSweep.LATENCY -> IdleCause.LAUNCH_LATENCY;
            default -> trace.slices().kind(owner) == SliceKind.DEVICE_SYNC ? IdleCause.DEVICE_WAIT : causes.cause();
        };
    }

    /** The sum of a cause, kind, name, frame, place, and of what emptied the queue. */
    private Sum sum(int owner, IdleCause cause) {
        int named = owner >= 0 ? owner : owner == IdleSweep.NOTHING ? -1 : next;
        int frame = owner >= 0 && cause != IdleCause.DEVICE_WAIT ? causes.frame() : -1;
        int kind = named < 0 ? -1 : trace.slices().kind(named).ordinal();
        int name = named < 0 ? -1 : name(named);
        int frameName = frame < 0 ? -1 : name(frame);
        int what = (cause.ordinal() * (KINDS.length + 1) + kind + 1) * PLACES.length + where.ordinal();
        int tuple = tuples.then(tuples.then(IntTuples.ROOT, what), name);
        int row = rowOfTuple.numberOf((long) tuples.then(tuple, frameName) << Integer.SIZE | emptiedBy + 1);
        if (row == sums.size()) {
            sums.add(new Sum(cause.ordinal(), kind, name, frameName, where.ordinal(), emptiedBy));
        }
        return sums.get(row);
    }

    private int name(int slice) {
        int name = trace.slices().name(slice);
        if (textOfName[name] < 0) {
            textOfName[name] = number(causes.name(slice));
        }
        return textOfName[name];
    }

    private int number(String text) {
        return numberOfText.computeIfAbsent(text, t -> {
            texts.add(t);
            return texts.size() - 1;
        });
    }

    private @Nullable String text(int number) {
        return number < 0 ? null : texts.get(number);
    }

    /** By time, longest first. */
    List<Row> rows() {
        Comparator<@Nullable String> text = Comparator.nullsFirst(Comparator.naturalOrder());
        return sums.stream()
                .map(s -> new Row(
                        CAUSES[s.tuple[0]],
                        s.tuple[1] < 0 ? null : KINDS[s.tuple[1]],
                        text(s.tuple[2]),
                        text(s.tuple[3]),
                        PLACES[s.tuple[4]],
                        text(s.tuple[5]),
                        s.gaps,
                        s.time,
                        s.longest,
                        s.start,
                        s.end))
                .sorted(Comparator.comparingLong(Row::time)
                        .reversed()
                        .thenComparing(Row::cause)
                        .thenComparing(Row::name, text)
                        .thenComparing(Row::frame, text)
                        .thenComparing(Row::where)
                        .thenComparing(Row::emptiedBy, text)
                        .thenComparingLong(Row::start))
                .toList();
    }

    /** By place, then time, longest first. */
    List<IdleAccount.Sum> causes() {
        List<IdleAccount.Sum> causes = new ArrayList<>();
        for (int i = 0; i < byCause.length; i++) {
            Sum s = byCause[i];
            if (s != null) {
                causes.add(new IdleAccount.Sum(
                        CAUSES[i % CAUSES.length],
                        PLACES[i / CAUSES.length],
                        s.gaps,
                        s.time,
                        s.longest,
                        s.start,
                        s.end));
            }
        }
        causes.sort(Comparator.comparing(IdleAccount.Sum::where)
                .thenComparing(Comparator.comparingLong(IdleAccount.Sum::time).reversed())
                .thenComparing(IdleAccount.Sum::cause));
        return causes;
    }

    /** By time, longest first. */
    List<Drain> drains() {
        return drains.entrySet().stream()
                .map(e -> new Drain(
                        texts.get(e.getKey()),
                        e.getValue().gaps,
                        e.getValue().time,
                        e.getValue().longest,
                        e.getValue().start,
                        e.getValue().end))
                .sorted(Comparator.comparingLong(Drain::time).reversed().thenComparing(Drain::call))
                .toList();
    }

    /** For each set of places the innermost frame that, with what it calls, holds more than half of the time in Python; or null. */
    List<@Nullable String> frames() {
        List<@Nullable String> found = new ArrayList<>();
        for (int set = 0; set < 1 << PLACES.length; set++) {
            int places = set;
            FramePaths paths = frames;
            found.add(
                    paths == null
                            ? null
                            : text(paths.holdsMost(texts.size(), of -> (places >> of.ordinal() & 1) != 0)));
        }
        return found;
    }

    /** By window, the time of each cause. */
    long[][] byWindow() {
        return byWindow;
    }

    /** By gap between activities, the ordinal of the cause of most. */
    IntList mostOf() {
        return most;
    }
}
