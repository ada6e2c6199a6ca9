// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.time;

import dev.lockstep.analyze.Analysis;
import dev.lockstep.analyze.AnalysisResult;
import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.Distribution;
import dev.lockstep.analyze.TableNames;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.derive.Launchers;
import dev.lockstep.derive.Steps;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.report.Evidence;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongList;
import dev.lockstep.table.LongOrder;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What launching costs: how long calls take, how long the device takes to begin where it had nothing to do, how long queues are,
 * and which operators take longer on the host than their work on the device. A call that launches several activities of a stream,
 * such as a graph, is one entry of its queue.
 *
 * @param rules definitions
 * @param stepAnnotation what marks steps, null to find what does
 * @param queueLimit entries that fill the queue of a stream
 */
public record LaunchDelays(AnalysisRules rules, @Nullable String stepAnnotation, int queueLimit)
        implements Analysis<LaunchDelays.Result> {
    /** A latency is an outlier above this, and above so many times the median. */
    private static final long OUTLIER_NS = 100_000;

    private static final int OUTLIER_TIMES = 10;

    /** So many times the usual latency a launch may take before what it launched is taken to wait for other work. */
    private static final int USUAL_TIMES = 2;

    private static final String STEPS = TableNames.LAUNCHES_BY_STEP;

    /** A call is slow above this, the cut that Holistic Trace Analysis uses. */
    private static final long SLOW_CALL_NS = 50_000;

    /**
     * The launches of a step.
     *
     * @param step number of the step; null for all launches of the recording
     * @param entries calls, once for each stream that they launch on
     * @param calls sum of the durations of the calls in ns
     * @param longestCall the longest of them in ns
     * @param slow calls that take longer than 50 µs
     * @param latencies of kernels, from the beginning of the call to the start on the device, where the stream had been idle when the call began
     * @param outliers of these, those above 100 µs and ten times the median of the recording
     * @param shorter entries whose activities together take less time than their call
     * @param longest entries in a queue, at most
     * @param slowest from the call to the start, where that took longest; empty without latencies
     */
    public record Row(
            @Nullable Long step,
            int entries,
            long calls,
            long longestCall,
            int slow,
            Distribution latencies,
            int outliers,
            int shorter,
            int longest,
            Evidence slowest) {}

    /**
     * An operator by name.
     *
     * @param operators how many launched
     * @param entries calls, once for each stream that they launch on
     * @param host sum of the operators' durations in ns
     * @param device sum of the durations of what they launched in ns
     * @param idle entries that found their stream idle
     * @param waited for how long the streams were idle from the operator's start to that of its work, in ns; from when a launch
     *     takes unusually long, what it launched waits for other work, and that does not count
     */
    public record OperatorRow(String name, int operators, int entries, long host, long device, int idle, long waited) {
        /** Whether the host takes longer to launch than the device to run, and most launches find their stream idle. */
        public boolean isLaunchBound() {
            return host > device && 2L * idle > entries;
        }
    }

    /**
     * The queue of a stream: each entry from the beginning of its call to its start on the device.
     *
     * @param stream as the trace has it
     * @param entries calls that launch on it
     * @param longest entries that wait, at most
     * @param waited sum over entries of how long they wait in ns
     * @param full how long the queue was full in ns
     * @param span from the first call to the last start on the device in ns
     */
    public record QueueRow(DeviceActivity.Stream stream, int entries, int longest, long waited, long full, long span) {
        /** How many entries wait on average; NaN where the span is empty. */
        public double mean() {
            return span == 0 ? Double.NaN : (double) waited / span;
        }
    }

    /**
     * The rows.
     *
     * @param rows all launches first, then steps in order; empty when no launch is known
     * @param operators by the time that streams waited for them, the longest first
     * @param queues by stream
     * @param queueLimit entries that fill a queue
     * @param span from the first to the last device activity in ns
     */
    public record Result(List<Row> rows, List<OperatorRow> operators, List<QueueRow> queues, int queueLimit, long span)
            implements AnalysisResult {
        public Result {
            queues = List.copyOf(queues);
            rows = List.copyOf(rows);
            operators = List.copyOf(operators);
        }

        @Override
        public List<Table> tables() {
            if (rows.isEmpty()) {
                return List.of();
            }
            List<Table> tables = new ArrayList<>(List.of(sheetOfSteps(rows)));
            if (!operators.isEmpty()) {
                tables.add(sheetOfOperators(operators));
            }
            tables.add(sheetOfQueues(queues));
            return tables;
        }

        @Override
        public List<Evidence> places(String sheet) {
            return sheet.equals(STEPS) ? rows.stream().map(Row::slowest).toList() : List.of();
        }

        @Override
        public @Nullable String notApplicable() {
            return rows.isEmpty() ? "no launch of device activity is in the trace" : null;
        }
    }

    @Override
    public String id() {
        return STEPS;
    }

    @Override
    public Result run(DerivedCache cache) {
        Entries entries = new Entries(cache, this);
        long span = cache.get(rules.activity()).span();
        if (entries.call.size() == 0) {
            return new Result(List.of(), List.of(), List.of(), queueLimit, span);
        }
        return new Result(entries.rows(), entries.operators(), entries.queues(queueLimit), queueLimit, span);
    }

    /** The entries of all queues, in the order of their start on the device. */
    private static final class Entries {
        private static final long BUSY = Long.MAX_VALUE;

        private final Trace trace;
        private final Slices slices;
        private final Steps steps;
        private final Launchers launchers;
        private final List<DeviceActivity.Stream> names;
        private final int streams;
        private final IntList call = new IntList(256);
        private final IntList stream = new IntList(256);
        private final IntList first = new IntList(256);
        private final LongList device = new LongList(256);
        /** Since when the stream had been idle when the call began; {@link #BUSY} where it was not. */
        private final LongList idleSince = new LongList(256);

        /** All entries together. */
        private final Group all = new Group();

        private Entries(DerivedCache cache, LaunchDelays options) {
            trace = cache.trace();
            slices = trace.slices();
            steps = cache.get(new Steps.Key(options.stepAnnotation));
            launchers = cache.get(options.rules.launchers());
            DeviceActivity activity = cache.get(options.rules.activity());
            LaunchLinks links = cache.get(new LaunchLinks.Key(options.rules.links()));
            names = activity.streams();
            streams = names.size();
            long[] end = new long[streams];
            int[] last = new int[streams];
            Arrays.fill(end, Long.MIN_VALUE);
            Arrays.fill(last, -1);
            for (int i = 0; i < activity.size(); i++) {
                int slice = activity.slice(i);
                int s = activity.streamOf(i);
                int launch = links.launchOf(slice);
                boolean same = last[s] >= 0 && launch >= 0 && call.get(last[s]) == launch;
                if (same) {
                    device.set(last[s], device.get(last[s]) + slices.dur(slice));
                } else if (launch >= 0) {
                    boolean found = end[s] <= slices.ts(launch);
                    last[s] = call.size();
                    call.add(launch);
                    stream.add(s);
                    first.add(slice);
                    device.add(slices.dur(slice));
                    long before = end[s] == Long.MIN_VALUE ? slices.ts(slice) : end[s];
                    idleSince.add(found ? before : BUSY);
                }
                end[s] = Math.max(end[s], slices.end(slice));
            }
            for (int e = 0; e < call.size(); e++) {
                add(e, all);
            }
        }

        // ---- by step ------------------------------------------------------------------------------------------------

        private List<Row> rows() {
            int[] longest = new int[steps.steps().size() + 1];
            int[] stepOf = new int[call.size()];
            for (int e = 0; e < stepOf.length; e++) {
                stepOf[e] = steps.at(slices.ts(call.get(e))) + 1;
            }
            lengths(stepOf, longest);
            Group[] groups = new Group[longest.length];
            for (int e = 0; e < stepOf.length; e++) {
                if (stepOf[e] == 0) {
                    continue; // outside the steps
                }
                if (groups[stepOf[e]] == null) {
                    groups[stepOf[e]] = new Group();
                }
                add(e, groups[stepOf[e]]);
            }
            long outlier = Math.max(OUTLIER_NS, Math.round(OUTLIER_TIMES * median(all.latencies)));
            List<Row> rows = new ArrayList<>();
            rows.add(all.row(null, outlier, Arrays.stream(longest).max().orElse(0)));
            for (int s = 1; s < groups.length; s++) {
                if (groups[s] != null) {
                    rows.add(groups[s].row(steps.steps().get(s - 1).number(), outlier, longest[s]));
                }
            }
            return rows;
        }

        /** When the device would have begun at the latest, had it waited for the launch alone. */
        private long launched(int e, long usual) {
            return Math.max(slices.end(call.get(e)), slices.ts(call.get(e)) + USUAL_TIMES * usual);
        }

        /** The lower quartile of the latencies of kernels into idle streams: many of the others may wait for other work. */
        private long usualLatency() {
            long[] sorted = all.latencies.toArray();
            Arrays.sort(sorted);
            return sorted.length == 0 ? 0 : sorted[sorted.length / 4];
        }

        private static double median(LongList latencies) {
            return latencies.size() == 0 ? 0 : Distribution.of(latencies).median();
        }

        private void add(int e, Group group) {
            long duration = slices.dur(call.get(e));
            group.entries++;
            group.calls += duration;
            group.longestCall = Math.max(group.longestCall, duration);
            group.slow += duration > SLOW_CALL_NS ? 1 : 0;
            group.shorter += device.get(e) < duration ? 1 : 0;
            boolean kernel = slices.kind(first.get(e)) == SliceKind.KERNEL; // a copy may wait for its data
            if (kernel && idleSince.get(e) != BUSY) {
                group.add(slices.ts(call.get(e)), slices.ts(first.get(e)));
            }
        }

        // ---- by stream ----------------------------------------------------------------------------------------------

        private List<QueueRow> queues(int limit) {
            LongList[] begins = new LongList[streams];
            LongList[] ends = new LongList[streams];
            for (int s = 0; s < streams; s++) {
                begins[s] = new LongList(16);
                ends[s] = new LongList(16);
            }
            for (int e = 0; e < call.size(); e++) {
                long begin = slices.ts(call.get(e));
                begins[stream.get(e)].add(begin);
                ends[stream.get(e)].add(Math.max(begin, slices.ts(first.get(e)))); // clocks may disagree
            }
            List<QueueRow> rows = new ArrayList<>();
            for (int s = 0; s < streams; s++) {
                if (begins[s].size() > 0) {
                    rows.add(queue(names.get(s), begins[s].toArray(), ends[s].toArray(), limit));
                }
            }
            return rows;
        }

        private static QueueRow queue(DeviceActivity.Stream name, long[] begins, long[] ends, int limit) {
            Arrays.sort(begins);
            Arrays.sort(ends);
            int n = begins.length;
            int longest = 0;
            long waited = 0;
            long full = 0;
            int ended = 0;
            long since = begins[0];
            for (int begun = 0; ended < n; ) {
                boolean begin = begun < n && begins[begun] <= ends[ended];
                long at = begin ? begins[begun] : ends[ended];
                waited += (at - since) * (begun - ended);
                full += begun - ended >= limit ? at - since : 0;
                since = at;
                if (begin) {
                    begun++;
                } else {
                    ended++;
                }
                longest = Math.max(longest, begun - ended);
            }
            return new QueueRow(name, n, longest, waited, full, ends[n - 1] - begins[0]);
        }

        /** The longest queue of each step: entries from the beginning of the call to the start on the device. */
        private void lengths(int[] stepOf, int[] longest) {
            IntList[] of = new IntList[streams];
            for (int s = 0; s < streams; s++) {
                of[s] = new IntList(16);
            }
            for (int e = 0; e < stepOf.length; e++) {
                of[stream.get(e)].add(e);
            }
            for (IntList entries : of) {
                int[] byCall = entries.toArray();
                long[] calls = new long[byCall.length];
                for (int i = 0; i < byCall.length; i++) {
                    calls[i] = slices.ts(call.get(byCall[i]));
                }
                LongOrder.sort(calls, byCall);
                int begun = 0;
                for (int i = 0; i < byCall.length; i++) {
                    while (begun < entries.size() && slices.ts(first.get(entries.get(begun))) < calls[i]) {
                        begun++;
                    }
                    int step = stepOf[byCall[i]];
                    longest[step] = Math.max(longest[step], i + 1 - begun);
                }
            }
        }

        // ---- by operator --------------------------------------------------------------------------------------------

        private List<OperatorRow> operators() {
            LongIntMap numbers = new LongIntMap(64);
            IntList names = new IntList(64);
            long[][] sums = new long[64][];
            BitSet counted = new BitSet();
            long usual = usualLatency();
            for (int e = 0; e < call.size(); e++) {
                int operator = launchers.launcherOf(first.get(e));
                if (operator < 0 || slices.kind(operator).isLaunchCall()) {
                    continue;
                }
                int group = numbers.numberOf(slices.name(operator));
                if (group == names.size()) {
                    names.add(slices.name(operator));
                    sums = group < sums.length ? sums : Arrays.copyOf(sums, 2 * group);
                    sums[group] = new long[6];
                }
                if (!counted.get(operator)) {
                    counted.set(operator);
                    sums[group][0]++;
                    sums[group][1] += slices.dur(operator);
                }
                sums[group][2]++;
                sums[group][3] += device.get(e);
                if (idleSince.get(e) != BUSY) {
                    long from = Math.max(idleSince.get(e), slices.ts(operator));
                    sums[group][4]++;
                    sums[group][5] += Math.max(0, Math.min(slices.ts(first.get(e)), launched(e, usual)) - from);
                }
            }
            List<OperatorRow> rows = new ArrayList<>();
            for (int g = 0; g < names.size(); g++) {
                long[] sum = sums[g];
                String name = trace.strings().get(names.get(g));
                rows.add(new OperatorRow(name, (int) sum[0], (int) sum[2], sum[1], sum[3], (int) sum[4], sum[5]));
            }
            rows.sort(Comparator.comparingLong(OperatorRow::waited)
                    .reversed()
                    .thenComparing(Comparator.comparingLong(OperatorRow::host).reversed())
                    .thenComparing(OperatorRow::name));
            return rows;
        }
    }

    private static final class Group {
        private final LongList latencies = new LongList(64);
        private int entries;
        private long calls;
        private long longestCall;
        private int slow;
        private int shorter;
        private long slowest = -1;
        private long slowestFrom;

        private void add(long called, long begun) {
            long latency = Math.max(0, begun - called);
            latencies.add(latency);
            if (latency > slowest) {
                slowest = latency;
                slowestFrom = called;
            }
        }

        private Row row(@Nullable Long step, long outlier, int longest) {
            int outliers = 0;
            for (int i = 0; i < latencies.size(); i++) {
                outliers += latencies.get(i) > outlier ? 1 : 0;
            }
            Evidence place = latencies.size() == 0
                    ? new Evidence.Places(List.of(), 0)
                    : Evidence.place(
                            "the slowest launch into an idle stream",
                            slowestFrom,
                            slowestFrom + slowest,
                            latencies.size());
            return new Row(
                    step,
                    entries,
                    calls,
                    longestCall,
                    slow,
                    Distribution.of(latencies),
                    outliers,
                    shorter,
                    longest,
                    place);
        }
    }

    private static Table sheetOfSteps(List<Row> rows) {
        return new Fields<Row>()
                .add(
                        ColumnSpec.id("step", "Number of the step in which the call begins; missing for all launches."),
                        Row::step)
                .add(ColumnSpec.count("launches", "Calls, once for each stream that they launch on."), Row::entries)
                .add(ColumnSpec.micros("call time us", "Sum of the durations of the calls."), Row::calls)
                .add(ColumnSpec.micros("longest call us", "The longest of them."), Row::longestCall)
                .add(ColumnSpec.count("slow calls", "Calls that take longer than 50 µs."), Row::slow)
                .add(
                        ColumnSpec.count(
                                "into idle streams",
                                "Launches of kernels whose stream had been idle when the call began."),
                        r -> r.latencies.count())
                .add(
                        ColumnSpec.real(
                                "median latency us",
                                Unit.NANOSECONDS,
                                Unit.MICROSECONDS,
                                "Of these, from the beginning of the call to the start on the device; missing without"
                                        + " any."),
                        r -> r.latencies.count() == 0 ? null : r.latencies.median())
                .add(
                        ColumnSpec.micros("longest latency us", "The longest of them; missing without any."),
                        r -> r.latencies.count() == 0 ? null : r.latencies.max())
                .add(
                        ColumnSpec.count(
                                "outliers", "Of these, those above 100 µs and ten times the median of the recording."),
                        Row::outliers)
                .add(
                        ColumnSpec.count(
                                "shorter than call", "Launches whose device time is less than that of their call."),
                        Row::shorter)
                .add(
                        ColumnSpec.count(
                                "longest queue",
                                "Launches of a stream that had not begun, at most; with the one that was just made."),
                        Row::longest)
                .table(STEPS, "Launches by step", rows);
    }

    private static Table sheetOfQueues(List<QueueRow> rows) {
        return new Fields<QueueRow>()
                .add(ColumnSpec.text("device", "The device."), r -> r.stream.device())
                .add(ColumnSpec.text("stream", "The stream."), r -> r.stream.stream())
                .add(ColumnSpec.count("launches", "Calls that launch on it."), QueueRow::entries)
                .add(
                        ColumnSpec.real(
                                "mean queue",
                                Unit.NONE,
                                Unit.NONE,
                                "Launches that have not begun, on average from the first call to the last start on the"
                                        + " device; missing where that takes no time."),
                        r -> Double.isNaN(r.mean()) ? null : (Object) r.mean())
                .add(
                        ColumnSpec.count(
                                "longest queue",
                                "Launches that had not begun, at most; with the one that was just made."),
                        QueueRow::longest)
                .add(
                        ColumnSpec.micros(
                                "full us",
                                "For how long 1024 had not begun, or as many as was said. Where the queue takes no"
                                        + " more, calls wait for room then; where it was ever much longer, it takes"
                                        + " more."),
                        QueueRow::full)
                .add(
                        ColumnSpec.percent(
                                "full %", "Share of the time from the first call to the last start on the device."),
                        r -> r.span == 0 ? null : (Object) (100.0 * r.full / r.span))
                .table("launch_queues", "Launch queues by stream", rows);
    }

    private static Table sheetOfOperators(List<OperatorRow> rows) {
        return new Fields<OperatorRow>()
                .add(ColumnSpec.text("name", "Name of the operator around the launch."), OperatorRow::name)
                .add(ColumnSpec.count("operators", "Operators that launched."), OperatorRow::operators)
                .add(ColumnSpec.count("launches", "Calls in them, once for each stream."), OperatorRow::entries)
                .add(ColumnSpec.micros("host us", "Sum of the operators' durations."), OperatorRow::host)
                .add(ColumnSpec.micros("device us", "Sum of the durations of what they launched."), OperatorRow::device)
                .add(
                        ColumnSpec.count(
                                "into idle streams", "Launches whose stream had been idle when the call began."),
                        OperatorRow::idle)
                .add(
                        ColumnSpec.micros(
                                "streams idle us",
                                "For how long these streams were idle from the start of the operator to that of its"
                                        + " work; a wait beyond the call, and beyond twice what launches usually take"
                                        + " (their lower quartile), is for other work and does not count."),
                        OperatorRow::waited)
                .add(
                        ColumnSpec.bool(
                                "launch bound",
                                "Whether host us is more than device us and more than half of the launches found their"
                                        + " stream idle."),
                        OperatorRow::isLaunchBound)
                .table(TableNames.LAUNCHES_BY_OPERATOR, "Launches by operator", rows);
    }
}
