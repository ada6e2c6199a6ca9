// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.time;

import static dev.lockstep.table.ColumnSpec.millis;

import dev.lockstep.analyze.Analysis;
import dev.lockstep.analyze.AnalysisResult;
import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.TableNames;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.derive.KernelClass;
import dev.lockstep.model.IntervalSet;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.report.Chart;
import dev.lockstep.report.Chart.Bar;
import dev.lockstep.report.Evidence;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What host and device did in each step: every moment counts once, for the device where it did anything, else for what filled the
 * idle time by the {@link IdleAccount}. A step lasts until the next begins; the last until the host leaves it and what was launched
 * in it ends. Without steps the recording is one.
 *
 * @param rules definitions
 * @param annotation what marks steps, null to find what does
 */
public record StepParts(AnalysisRules rules, @Nullable String annotation) implements Analysis<StepParts.Result> {
    /** What a moment counts for: the first of the device's that had anything going on, else what filled the idle time. */
    public enum Part {
        /** Kernels that compute. */
        KERNEL("Kernels that compute."),
        /** Copies from, to and within devices. */
        MEMCPY("Copies from, to and within devices while no such kernel runs."),
        /** Fills of device memory. */
        MEMSET("Fills of device memory while none of these runs."),
        /** Kernels that communicate. */
        COMMUNICATION("Kernels that communicate while none of these runs."),
        /** Launched work that the device had not begun. */
        QUEUED("Idle: the next work had been launched and had not begun: launch latency, waits of streams."),
        /** Calls that launch. */
        LAUNCHING("Idle: the host was in a call that launches."),
        /** Calls that return when the device has done something. */
        BLOCKING("Idle: the host was in a blocking call."),
        /** Other calls of the vendor's library. */
        RUNTIME("Idle: the host was in another call of the vendor's library: allocation, set-up, loading of code."),
        /** Waiting for data to be loaded. */
        DATA_LOADER("Idle: the host loaded data."),
        /** Operators on the host, and what frameworks do beside them. */
        HOST("Idle: the host was in operators, the optimizer, communication, compilation or checkpoints."),
        /** Python between operators. */
        PYTHON("Idle: the host was in Python, and in nothing smaller that was recorded."),
        /** Calls of the operating system. */
        OS_CALLS("Idle: the host was in calls of the operating system."),
        /** Ranges that the program marked. */
        RANGES("Idle: the host was in marked ranges, and in nothing smaller that was recorded."),
        /** Whatever was not recorded. */
        OTHER("Idle: nothing was recorded of the threads that launch, or the profiler itself was at work.");

        private static final Part[] OF_CAUSES = new Part[IdleCause.values().length];

        static {
            for (IdleCause cause : IdleCause.values()) {
                OF_CAUSES[cause.ordinal()] = switch (cause) {
                    case LAUNCH_LATENCY, QUEUED, DEVICE_WAIT -> QUEUED;
                    case LAUNCHING -> LAUNCHING;
                    case SYNCHRONISATION -> BLOCKING;
                    case ALLOCATION, MODULE_LOADING, SET_UP, CALL -> RUNTIME;
                    case DATA_LOADER -> DATA_LOADER;
                    case OPERATOR, OPTIMIZER, COMMUNICATION, COMPILATION, CHECKPOINT -> HOST;
                    case PYTHON, GARBAGE_COLLECTION -> PYTHON;
                    case OS_CALL, FILES, WAITING -> OS_CALLS;
                    case ANNOTATION, HOST -> RANGES;
                    case UNRECORDED, NO_HOST, PROFILER -> OTHER;
                };
            }
        }

        private final String doc;

        Part(String doc) {
            this.doc = doc;
        }

        /** The part to which idle time of a cause belongs. */
        public static Part of(IdleCause cause) {
            return OF_CAUSES[cause.ordinal()];
        }

        /** As sheets spell it. */
        public String word() {
            return this == OS_CALLS
                    ? "OS calls"
                    : name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }

        /** Whether it is time in which no device did anything. */
        public boolean isIdle() {
            return ordinal() > COMMUNICATION.ordinal();
        }
    }

    /**
     * A step.
     *
     * @param label number of the step, or {@code all}
     * @param start in ns
     * @param end in ns
     * @param ns time of each part, in their order
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Row(String label, long start, long end, long[] ns) {
        /** Time of a part in ns. */
        public long of(Part part) {
            return ns[part.ordinal()];
        }

        /** All parts: the step. */
        public long total() {
            return Arrays.stream(ns).sum();
        }
    }

    /** The first row is about all steps. */
    public record Result(List<Row> rows) implements AnalysisResult {
        public Result {
            rows = List.copyOf(rows);
        }

        @Override
        public List<Evidence> places(String sheet) {
            return rows.stream()
                    .map(row -> Evidence.place(
                            row.label.equals(ALL) ? "the recording" : "step " + row.label, row.start, row.end, 1))
                    .toList();
        }

        @Override
        public List<Table> tables() {
            return rows.isEmpty() ? List.of() : List.of(sheet(rows));
        }

        @Override
        public @Nullable String notApplicable() {
            return rows.isEmpty() ? "the trace has no device activity that takes time" : null;
        }

        /** The steps as bars; the first ones, where there are many. */
        public Chart.StackedBars chart() {
            List<Bar> bars = rows.stream()
                    .limit(MOST_BARS)
                    .map(row -> new Bar(
                            row.label.equals(ALL) ? "mean of all" : "step " + row.label,
                            inMillis(row, rows.size() - 1)))
                    .toList();
            return new Chart.StackedBars(
                    "Step breakdown",
                    "Each moment counts once: for the first of kernel, memcpy, memset and communication that ran, else for"
                            + " what filled the idle time."
                            + (rows.size() > MOST_BARS ? " The first " + (MOST_BARS - 1) + " steps." : ""),
                    "ms",
                    Stream.of(PARTS).map(Part::word).toList(),
                    bars);
        }

        private static double[] inMillis(Row row, int steps) {
            double divisor = NS_PER_MS * (row.label.equals(ALL) ? Math.max(1, steps) : 1);
            return Arrays.stream(row.ns).mapToDouble(ns -> ns / divisor).toArray();
        }
    }

    private static final String ALL = "all";
    private static final int MOST_BARS = 30;
    private static final double NS_PER_MS = 1e6;
    private static final Part[] PARTS = Part.values();
    private static final IdleCause[] CAUSES = IdleCause.values();

    @Override
    public String id() {
        return TableNames.STEP_PARTS;
    }

    @Override
    public Result run(DerivedCache cache) {
        DeviceActivity activity = cache.get(rules.activity());
        IdleAccount account = cache.get(new IdleAccount.Key(rules, annotation));
        if (account.isEmpty()) {
            return new Result(List.of());
        }
        StepWindows windows = account.windows();
        IntervalSet[] busy = exclusive(cache.trace(), activity);
        List<Row> rows = new ArrayList<>();
        long[] all = new long[PARTS.length];
        for (int window = 0; window < windows.size(); window++) {
            long[] ns = parts(busy, windows, window, account.ofWindow(window));
            for (int part = 0; part < all.length; part++) {
                all[part] += ns[part];
            }
            if (windows.areSteps()) {
                rows.add(
                        new Row(Long.toString(windows.number(window)), windows.start(window), windows.end(window), ns));
            }
        }
        rows.addFirst(new Row(ALL, windows.start(0), windows.end(windows.size() - 1), all));
        return new Result(rows);
    }

    private static long[] parts(IntervalSet[] busy, StepWindows windows, int window, long[] idle) {
        long[] ns = new long[PARTS.length];
        for (int part = 0; part < busy.length; part++) {
            ns[part] = busy[part].within(windows.start(window), windows.end(window));
        }
        for (IdleCause cause : CAUSES) {
            ns[Part.of(cause).ordinal()] += idle[cause.ordinal()];
        }
        return ns;
    }

    /** The moments of each part of the device that belong to no part before it. */
    private static IntervalSet[] exclusive(Trace trace, DeviceActivity activity) {
        Slices slices = trace.slices();
        IntervalSet.Builder[] builders = new IntervalSet.Builder[Part.QUEUED.ordinal()];
        Arrays.setAll(builders, i -> new IntervalSet.Builder());
        for (int i = 0; i < activity.size(); i++) {
            int slice = activity.slice(i);
            builders[partOf(activity, slices, slice).ordinal()].add(slices.ts(slice), slices.end(slice));
        }
        IntervalSet[] parts = new IntervalSet[builders.length];
        IntervalSet before = IntervalSet.EMPTY;
        for (int part = 0; part < parts.length; part++) {
            IntervalSet whole = builders[part].build();
            parts[part] = whole.minus(before);
            before = before.union(whole);
        }
        return parts;
    }

    private static Part partOf(DeviceActivity activity, Slices slices, int slice) {
        return switch (slices.kind(slice)) {
            case MEMCPY -> Part.MEMCPY;
            case MEMSET -> Part.MEMSET;
            default -> activity.classOf(slice) == KernelClass.COMMUNICATION ? Part.COMMUNICATION : Part.KERNEL;
        };
    }

    private static Table sheet(List<Row> rows) {
        Fields<Row> fields = new Fields<Row>()
                .add(
                        ColumnSpec.text(
                                "step",
                                "Number of the step; all: every step, or the recording where nothing marks steps."),
                        Row::label)
                .add(
                        millis(
                                ColumnNames.TIME_MS,
                                "Until the next step begins; of the last, until the host leaves it and what was"
                                        + " launched in it ends. The parts add up to it: each moment counts once."),
                        Row::total);
        for (Part part : PARTS) {
            fields.add(millis(part.word() + " ms", part.doc), row -> row.of(part));
        }
        return fields.add(
                        ColumnSpec.percent("kernel %", "Share of the time in which kernels compute."),
                        row -> row.total() == 0 ? Double.NaN : 100.0 * row.of(Part.KERNEL) / row.total())
                .table(TableNames.STEP_PARTS, "Step breakdown", rows);
    }
}
