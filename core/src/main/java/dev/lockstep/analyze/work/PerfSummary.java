// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import dev.lockstep.analyze.Analysis;
import dev.lockstep.analyze.AnalysisResult;
import dev.lockstep.analyze.Distribution;
import dev.lockstep.analyze.WorkRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.Launchers;
import dev.lockstep.derive.Recompute;
import dev.lockstep.derive.SubtreeActivity;
import dev.lockstep.model.OpDetails;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.model.Track;
import dev.lockstep.perfmodel.OpModel;
import dev.lockstep.table.IntTuples;
import dev.lockstep.table.LongList;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All device time by operator, with the work of those operators that have a model: each activity counts once. Operators
 * stand by name and arguments.
 *
 * @param rules definitions
 * @param recompute whether recomputation is told apart
 */
public record PerfSummary(WorkRules rules, boolean recompute) implements Analysis<PerfSummary.Result> {
    /** What an operator is called, where it ran and what it was given; null for what was not recorded. */
    public record Signature(
            String name,
            String category,
            @Nullable String processName,
            @Nullable String processLabel,
            @Nullable String threadName,
            @Nullable String inputDims,
            @Nullable String inputTypes,
            @Nullable String inputStrides,
            @Nullable String concreteInputs) {}

    /**
     * Operators of one signature.
     *
     * @param recompute whether they ran as part of a recomputation
     * @param modelled whether a model knows their work
     * @param firstStart start of the first of them in ns
     * @param number number of the first of them: its place in the file, or behind all events for what stands alone
     * @param hostTime durations on the host in ns
     * @param figures what they did
     * @param kernels what each of their kernels took
     */
    public record Row(
            Signature signature,
            boolean recompute,
            boolean modelled,
            long firstStart,
            long number,
            Distribution hostTime,
            WorkFigures figures,
            List<KernelPosition> kernels) {
        /** Time in ns of all these operators on the device. */
        public long time() {
            return figures.kernelTime().sum();
        }
    }

    /** Longest device time first. */
    public record Result(
            List<Row> rows, boolean recompute, boolean roofline, long firstLaunch, @Nullable String notApplicable)
            implements AnalysisResult {
        public Result {
            rows = List.copyOf(rows);
        }

        @Override
        public List<Table> tables() {
            return rows.isEmpty() ? List.of() : List.of(PerfSheets.table(this, SheetHabits.standard(firstLaunch)));
        }
    }

    private static final class Group {
        private final int first;
        private final String category;
        private final boolean recompute;
        private boolean modelled;
        private final LongList hostTime = new LongList(4);
        private final WorkFigures.Collector figures = new WorkFigures.Collector();
        private final KernelPositions kernels = new KernelPositions();

        private Group(int first, String category, boolean recompute) {
            this.first = first;
            this.category = category;
            this.recompute = recompute;
        }
    }

    @Override
    public String id() {
        return "unified_perf_summary";
    }

    @Override
    public Result run(DerivedCache cache) {
        PerfEvents events = cache.get(new PerfEvents.Key(rules));
        Run run = new Run(cache, events, rules, recompute);
        for (int i = 0; i < events.size(); i++) {
            run.add(i);
        }
        List<Row> rows = new ArrayList<>();
        for (Group group : run.groups) {
            rows.add(run.row(group));
        }
        rows.sort(Comparator.comparingLong(Row::time)
                .reversed()
                .thenComparingLong(rules.fileOrder() ? Row::number : Row::firstStart)
                .thenComparing(r -> r.signature.name));
        long first = rows.stream().mapToLong(Row::firstStart).min().orElse(0);
        return new Result(
                rows,
                recompute,
                rules.device() != null,
                first,
                rows.isEmpty() ? "no device activity has a known launch" : null);
    }

    private static final class Run {
        private final PerfEvents events;
        private final WorkRules rules;
        private final Trace trace;
        private final Slices slices;
        private final SubtreeActivity activity;
        private final Works works;
        private final Launchers launchers;
        private final BackwardActivity backward;
        private final @Nullable Recompute recompute;
        private final @Nullable OpDetails details;
        private final int[] trackNames;
        private final IntTuples tuples = new IntTuples();
        private final List<@Nullable Group> byTuple = new ArrayList<>();
        private final List<Group> groups = new ArrayList<>();
        private final Map<String, Integer> categoryIds = new HashMap<>();
        private final List<@Nullable String> categoryByTuple = new ArrayList<>();

        private Run(DerivedCache cache, PerfEvents events, WorkRules rules, boolean recompute) {
            this.events = events;
            this.rules = rules;
            trace = cache.trace();
            slices = trace.slices();
            activity = cache.get(rules.activity());
            works = cache.get(new Works.Key(rules));
            launchers = cache.get(rules.base().launchers());
            backward = new BackwardActivity(cache, rules);
            this.recompute = recompute
                    ? cache.get(new Recompute.Key(rules.base().tree(), rules.base().links()))
                    : null;
            details = trace.view(OpDetails.KEY);
            trackNames = TrackNames.firstOfSame(trace.tracks());
        }

        private void add(int i) {
            int op = events.op(i);
            OpModel model = events.model(i);
            int origin = events.forward(i);
            Works.Outcome outcome = model != null ? works.forward(op) : origin >= 0 ? works.backward(origin) : null;
            if (outcome != null && outcome.notImplemented() && rules.fileOrder()) {
                return;
            }
            Group group = group(i, category(i, model));
            if (outcome == null) {
                group.figures.add(activity.busy(events.from(i), events.to(i)));
            } else {
                int[] kernels = origin >= 0 && rules.wholeBackward()
                        ? backward.kernels(origin)
                        : activity.sorted(events.from(i), events.to(i));
                long busy = SubtreeActivity.busy(slices, kernels, 0, kernels.length);
                group.figures.add(busy, rules.seconds().of(slices, kernels, busy), outcome);
                group.modelled = true;
            }
            group.hostTime.add(slices.dur(op));
            group.kernels.add(trace, activity, events.from(i), events.to(i));
        }

        private Group group(int i, String category) {
            int op = events.op(i);
            int rest = events.rest(i);
            boolean again = recompute != null && recompute.contains(rest >= 0 ? rest : op);
            Inputs inputs = Inputs.of(details, op);
            int tuple = tuples.then(IntTuples.ROOT, slices.name(op));
            tuple = tuples.then(tuple, rest < 0 ? -1 : slices.name(rest));
            tuple = tuples.then(tuple, categoryIds.computeIfAbsent(category, c -> categoryIds.size()));
            tuple = tuples.then(tuple, trackNames[slices.track(op)]);
            tuple = tuples.then(tuple, inputs.dims());
            tuple = tuples.then(tuple, inputs.types());
            tuple = tuples.then(tuple, inputs.strides());
            tuple = tuples.then(tuple, inputs.concrete());
            tuple = tuples.then(tuple, again ? 1 : 0);
            while (byTuple.size() <= tuple) {
                byTuple.add(null);
            }
            Group group = byTuple.get(tuple);
            if (group == null) {
                group = new Group(i, category, again);
                byTuple.set(tuple, group);
                groups.add(group);
            }
            return group;
        }

        /** By the model; else by the name, and for what launches by its first kernel. */
        private String category(int i, @Nullable OpModel model) {
            if (model != null) {
                return model.category();
            }
            if (events.forward(i) >= 0) {
                OpModel origin = works.modelOf(events.forward(i));
                String category = origin == null ? null : origin.backwardCategory();
                if (category != null) {
                    return category;
                }
            }
            int op = events.op(i);
            int launcher = launchers.indexOf(op);
            int rest = events.rest(i);
            int kernel = launcher >= 0 ? slices.name(launchers.activity(launcher, 0)) : -1;
            int tuple = tuples.then(tuples.then(IntTuples.ROOT, slices.name(op)), rest < 0 ? -1 : slices.name(rest));
            tuple = tuples.then(tuple, -2 - kernel);
            while (categoryByTuple.size() <= tuple) {
                categoryByTuple.add(null);
            }
            String category = categoryByTuple.get(tuple);
            if (category == null) {
                category = rules.base().categories().of(name(i), kernel < 0 ? null : trace.strings().get(kernel));
                categoryByTuple.set(tuple, category);
            }
            return category;
        }

        private String name(int i) {
            String name = trace.name(events.op(i));
            return events.rest(i) < 0 ? name : name + "->" + trace.name(events.rest(i)) + " (Synthetic Op)";
        }

        private Row row(Group group) {
            int op = events.op(group.first);
            Track track = trace.tracks().get(slices.track(op));
            Inputs inputs = Inputs.of(details, op);
            Signature signature = new Signature(
                    name(group.first),
                    group.category,
                    track.processName(),
                    track.processLabels(),
                    track.threadName(),
                    trace.strings().orNull(inputs.dims()),
                    trace.strings().orNull(inputs.types()),
                    trace.strings().orNull(inputs.strides()),
                    trace.strings().orNull(inputs.concrete()));
            return new Row(
                    signature,
                    group.recompute,
                    group.modelled,
                    slices.ts(op),
                    events.number(group.first),
                    Distribution.of(group.hostTime),
                    group.figures.figures(),
                    group.kernels.positions(trace));
        }
    }
}
