// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.time;

import static dev.lockstep.table.ColumnSpec.millis;

import dev.lockstep.analyze.Analysis;
import dev.lockstep.analyze.AnalysisResult;
import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.derive.KernelClass;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.derive.Steps;
import dev.lockstep.model.IntervalSet;
import dev.lockstep.model.SliceKind;
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
 * What host and device did in each step: every moment counts once, for the first {@link Part} that had anything going on. A step
 * lasts until the next begins; the last until the host leaves it and what was launched in it ends. Without steps the recording
 * is one.
 *
 * @param rules definitions
 * @param annotation what marks steps, null for the profiler's own marks
 */
public record StepParts(AnalysisRules rules, @Nullable String annotation) implements Analysis<StepParts.Result> {
    /** What a moment counts for, the first that had anything going on. */
    public enum Part {
        /** Kernels that compute. */
        KERNEL,
        /** Copies from, to and within devices. */
        MEMCPY,
        /** Fills of device memory. */
        MEMSET,
        /** Kernels that communicate. */
        COMMUNICATION,
        /** Calls of the vendor's library. */
        RUNTIME,
        /** Waiting for data to be loaded. */
        DATA_LOADER,
        /** Operators on the host. */
        HOST,
        /** Whatever was not recorded, or Python between operators. */
        OTHER;

        /** As sheets spell it. */
        public String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
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

        /** All parts. */
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
            return rows.isEmpty() ? "the trace has no device activity" : null;
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
                    "What each step consists of",
                    "Host and device together: each moment counts for the first of these that had anything going on,"
                            + " from left to right."
                            + (rows.size() > MOST_BARS ? " The first " + (MOST_BARS - 1) + " steps." : ""),
                    "ms",
                    Stream.of(Part.values()).map(Part::word).toList(),
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

    @Override
    public String id() {
        return "step_parts";
    }

    @Override
    public Result run(DerivedCache cache) {
        DeviceActivity activity = cache.get(new DeviceActivity.Key(rules.kernels(), null));
        if (activity.size() == 0) {
            return new Result(List.of());
        }
        IntervalSet[] parts = exclusive(cache.trace(), activity, cache.get(new CauseRules.Key()));
        List<Row> rows = new ArrayList<>();
        long[] windows = windows(cache, activity);
        List<Steps.Step> steps = cache.get(new Steps.Key(annotation)).steps();
        long[] all = new long[PARTS.length];
        for (int i = 0; i + 1 < windows.length; i++) {
            long[] ns = new long[PARTS.length];
            long left = windows[i + 1] - windows[i];
            for (int part = 0; part < Part.OTHER.ordinal(); part++) {
                ns[part] = parts[part].within(windows[i], windows[i + 1]);
                left -= ns[part];
            }
            ns[Part.OTHER.ordinal()] = left;
            for (int part = 0; part < all.length; part++) {
                all[part] += ns[part];
            }
            if (!steps.isEmpty()) {
                rows.add(new Row(Long.toString(steps.get(i).number()), windows[i], windows[i + 1], ns));
            }
        }
        rows.addFirst(new Row(ALL, windows[0], windows[windows.length - 1], all));
        return new Result(rows);
    }

    /** The moments of each part but the last that belong to no part before it. */
    private static IntervalSet[] exclusive(Trace trace, DeviceActivity activity, CauseRules causes) {
        Slices slices = trace.slices();
        IntervalSet.Builder[] builders = new IntervalSet.Builder[PARTS.length];
        Arrays.setAll(builders, i -> new IntervalSet.Builder());
        for (int i = 0; i < slices.size(); i++) {
            Part part = partOf(slices.kind(i), i, activity, causes);
            if (part != Part.OTHER) {
                builders[part.ordinal()].add(slices.ts(i), slices.end(i));
            }
        }
        IntervalSet[] parts = new IntervalSet[PARTS.length];
        IntervalSet before = IntervalSet.EMPTY;
        for (int part = 0; part < parts.length; part++) {
            IntervalSet whole = builders[part].build();
            parts[part] = whole.minus(before);
            before = before.union(whole);
        }
        return parts;
    }

    private static Part partOf(SliceKind kind, int slice, DeviceActivity activity, CauseRules causes) {
        return switch (kind) {
            case KERNEL -> activity.classOf(slice) == KernelClass.COMMUNICATION ? Part.COMMUNICATION : Part.KERNEL;
            case MEMCPY -> Part.MEMCPY;
            case MEMSET -> Part.MEMSET;
            case RUNTIME_CALL, DRIVER_CALL -> Part.RUNTIME;
            case CPU_OP -> causes.named(slice) == IdleCause.DATA_LOADER ? Part.DATA_LOADER : Part.HOST;
            case ANNOTATION, PYTHON -> causes.named(slice) == IdleCause.DATA_LOADER ? Part.DATA_LOADER : Part.OTHER;
            default -> Part.OTHER;
        };
    }

    /** Where steps begin, and where the last ends; without steps the ends of the recording. */
    private long[] windows(DerivedCache cache, DeviceActivity activity) {
        Slices slices = cache.trace().slices();
        Steps steps = cache.get(new Steps.Key(annotation));
        int count = steps.steps().size();
        if (count == 0) {
            long first = Long.MAX_VALUE;
            long last = Long.MIN_VALUE;
            for (int i = 0; i < slices.size(); i++) {
                if (slices.kind(i) != SliceKind.PROFILER_SPAN) {
                    first = Math.min(first, slices.ts(i));
                    last = Math.max(last, slices.end(i));
                }
            }
            return new long[] {first, last};
        }
        LaunchLinks links = cache.get(new LaunchLinks.Key(rules.links()));
        long end = steps.steps().getLast().end();
        for (int i = 0; i < activity.size(); i++) {
            int launch = links.launchOf(activity.slice(i));
            if (launch >= 0 && steps.at(slices.ts(launch)) == count - 1) {
                end = Math.max(end, slices.end(activity.slice(i)));
            }
        }
        long[] windows = new long[count + 1];
        for (int i = 0; i < count; i++) {
            windows[i] = steps.steps().get(i).start();
        }
        windows[count] = end;
        return windows;
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
                                "time ms",
                                "Until the next step begins; of the last, until the host leaves it and what was"
                                        + " launched in it ends. The parts add up to it: each moment counts for the first"
                                        + " of them that had anything going on."),
                        Row::total);
        String[] docs = {
            "Kernels that compute.",
            "Copies from, to and within devices while no such kernel runs.",
            "Fills of device memory while none of these runs.",
            "Kernels that communicate while none of these runs.",
            "Calls of the vendor's library while the device does nothing, waiting ones among them.",
            "Waiting for data to be loaded while none of these goes on.",
            "Operators on the host while none of these goes on.",
            "None of these: Python between operators, and what was not recorded."
        };
        for (Part part : PARTS) {
            fields.add(millis(part.word() + " ms", docs[part.ordinal()]), row -> row.of(part));
        }
        return fields.add(
                        ColumnSpec.percent("kernel %", "Share of the time in which kernels compute."),
                        row -> row.total() == 0 ? Double.NaN : 100.0 * row.of(Part.KERNEL) / row.total())
                .table("step_parts", "What steps consist of", rows);
    }
}
