// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.time;

import static dev.lockstep.table.ColumnSpec.millis;

import dev.lockstep.analyze.Analysis;
import dev.lockstep.analyze.AnalysisResult;
import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.RealDistribution;
import dev.lockstep.analyze.TableNames;
import dev.lockstep.analyze.time.GpuTimeline.Parts;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.derive.Steps;
import dev.lockstep.model.Slices;
import dev.lockstep.report.Evidence;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.DoubleList;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The timeline of each step by itself. Device activity belongs to the step in which it was launched; without a known
 * launch, to the step in which it starts.
 *
 * @param rules definitions
 * @param annotation what marks steps, null to find what does
 */
public record StepTimeline(AnalysisRules rules, @Nullable String annotation) implements Analysis<StepTimeline.Result> {
    /**
     * One step: its marks on the host, and what the device did for it.
     *
     * @param step its marks
     * @param time how long it lasts: until the next begins, the last until what it launched ends, in ns
     * @param activities number of its activities
     * @param first when the first of them starts, ns after the first activity of the trace; -1 without any
     * @param parts what they take
     */
    public record Row(Steps.Step step, long time, int activities, long first, Parts parts) {}

    /**
     * The steps, and how they are known.
     *
     * @param source how they are known
     * @param origin when the first activity of the trace starts, in its time; what {@link Row#first} counts from
     * @param rows the steps, in order
     */
    public record Result(Steps.Source source, long origin, List<Row> rows) implements AnalysisResult {
        public Result {
            rows = List.copyOf(rows);
        }

        /** How long each step lasts in ns, as {@link StepTimeline#lasting}; steps without activity are left out. */
        public double[] lasting() {
            List<Row> active = rows.stream().filter(row -> row.activities > 0).toList();
            return StepTimeline.lasting(
                    active.stream().mapToDouble(Row::first).toArray(),
                    active.stream().mapToDouble(row -> row.parts.total()).toArray());
        }

        @Override
        public List<Evidence> places(String sheet) {
            return rows.stream()
                    .map(row -> Evidence.place("step " + row.step.number(), row.step.start(), row.step.end(), 1))
                    .toList();
        }

        @Override
        public List<Table> tables() {
            return rows.isEmpty() ? List.of() : List.of(sheet(this));
        }

        @Override
        public @Nullable String notApplicable() {
            if (!rows.isEmpty()) {
                return null;
            }
            return source == Steps.Source.NONE
                    ? "the trace has no step markers, and nothing shows where a step begins"
                    : "the trace has no device activity";
        }
    }

    /**
     * How long steps last: until the next begins. The last has no next; it lasts for its span and what usually lies between a
     * span and the next step. Where it is not known when steps begin, each lasts for its span.
     *
     * @param first when each begins, NaN where that is not known
     * @param span from the first start to the last end of its activities
     */
    public static double[] lasting(double[] first, double[] span) {
        double[] lasting = span.clone();
        DoubleList between = new DoubleList(span.length);
        for (int i = 0; i + 1 < span.length; i++) {
            if (first[i + 1] > first[i]) {
                lasting[i] = first[i + 1] - first[i];
                between.add(lasting[i] - span[i]);
            }
        }
        if (between.size() > 0) {
            lasting[span.length - 1] += RealDistribution.of(between).median();
        }
        return lasting;
    }

    @Override
    public String id() {
        return TableNames.GPU_TIMELINE_BY_STEP;
    }

    @Override
    public Result run(DerivedCache trace) {
        return run(trace, null);
    }

    /** The same with what its host exchanges with other ranks, as {@link HostSteps} has it, where it does. */
    public Result withHost(DerivedCache trace) {
        Steps steps = trace.get(new Steps.Key(annotation));
        return run(trace, HostSteps.of(trace, trace.get(rules.activity()), steps));
    }

    private Result run(DerivedCache trace, @Nullable HostSteps host) {
        Steps steps = trace.get(new Steps.Key(annotation));
        DeviceActivity activity = trace.get(rules.activity());
        if (steps.steps().isEmpty() || activity.size() == 0 && host == null) {
            return new Result(steps.source(), 0, List.of());
        }
        LaunchLinks links = trace.get(new LaunchLinks.Key(rules.links()));
        Slices slices = trace.trace().slices();
        int[] stepOf = new int[activity.size()];
        int[] counts = new int[steps.steps().size()];
        long[] first = new long[counts.length];
        for (int i = 0; i < stepOf.length; i++) {
            int launch = links.launchOf(activity.slice(i));
            stepOf[i] = steps.at(slices.ts(launch >= 0 ? launch : activity.slice(i)));
            if (stepOf[i] >= 0) {
                long start = slices.ts(activity.slice(i)) - slices.ts(activity.slice(0));
                first[stepOf[i]] = counts[stepOf[i]] == 0 ? start : Math.min(first[stepOf[i]], start);
                counts[stepOf[i]]++;
            }
        }
        List<Parts> parts = host == null
                ? GpuTimeline.parts(activity, counts.length, i -> stepOf[i], -1)
                : IntStream.range(0, counts.length).mapToObj(host::parts).toList();
        for (int step = 0; host != null && step < counts.length; step++) {
            counts[step] += host.operators(step);
            first[step] = host.start(step) - host.start(0);
        }
        StepWindows windows = trace.get(new StepWindows.Key(rules, annotation));
        List<Row> rows = new ArrayList<>();
        for (int step = 0; step < counts.length; step++) {
            rows.add(new Row(
                    steps.steps().get(step),
                    windows.end(step) - windows.start(step),
                    counts[step],
                    counts[step] == 0 ? -1 : first[step],
                    parts.get(step)));
        }
        long origin = host == null ? slices.ts(activity.slice(0)) : host.start(0);
        return new Result(steps.source(), origin, rows);
    }

    private static Table sheet(Result result) {
        String known =
                result.source == Steps.Source.INFERRED ? " Nothing marks steps in this trace: they were inferred." : "";
        return new Fields<Row>()
                .add(
                        ColumnSpec.id("step", "Number of the step as its annotation counts." + known),
                        r -> r.step.number())
                .add(
                        millis(
                                ColumnNames.TIME_MS,
                                "Time of the step: until the next begins. The last lasts until the host leaves it and what it"
                                        + " launched ends."),
                        Row::time)
                .add(millis("host time ms", "Duration of the step on the host."), r -> r.step.end() - r.step.start())
                .add(
                        ColumnSpec.count(
                                ColumnNames.DEVICE_ACTIVITIES, "Kernels, copies and fills launched in the step."),
                        Row::activities)
                .add(
                        millis(
                                "start ms",
                                "First start of these activities, after the first of the trace; missing without any."),
                        r -> r.first < 0 ? null : (Long) r.first)
                .add(
                        millis(ColumnNames.TOTAL_TIME_MS, "From the first start to the last end of these activities."),
                        r -> r.parts.total())
                .addAll(Parts.columns(), Row::parts)
                .add(
                        ColumnSpec.percent(ColumnNames.IDLE_PERCENT, "Share of the total that is idle."),
                        r -> r.parts.total() == 0 ? null : 100.0 * r.parts.idle() / r.parts.total())
                .add(millis("total comm ms", "Time with any communication."), r -> r.parts.communication())
                .add(
                        ColumnSpec.percent(
                                "comm overlap %", "Share of communication hidden by computation; missing without any."),
                        r -> r.parts.communication() == 0
                                ? null
                                : 100.0
                                        * (r.parts.communication() - r.parts.exposedCommunication())
                                        / r.parts.communication())
                .table(TableNames.GPU_TIMELINE_BY_STEP, "GPU timeline by step", result.rows);
    }
}
