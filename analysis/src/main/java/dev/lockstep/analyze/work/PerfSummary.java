// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import dev.lockstep.analyze.Analysis;
import dev.lockstep.analyze.AnalysisResult;
import dev.lockstep.analyze.Distribution;
import dev.lockstep.analyze.OverlapRule;
import dev.lockstep.analyze.StackRule;
import dev.lockstep.analyze.TableNames;
import dev.lockstep.analyze.WorkRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.derive.Launchers;
import dev.lockstep.derive.Recompute;
import dev.lockstep.derive.SubtreeActivity;
import dev.lockstep.model.OpDetails;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.model.Track;
import dev.lockstep.perfmodel.OpModel;
import dev.lockstep.table.IntList;
import dev.lockstep.table.IntTuples;
import dev.lockstep.table.LongList;
import dev.lockstep.table.LongOrder;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All device time by operator, with the work of those operators that have a model: each activity counts once. Operators
 * stand by name and arguments.
 *
 * @param rules definitions
 * @param options what tells rows apart and what is shown
 */
public record PerfSummary(WorkRules rules, Options options) implements Analysis<PerfSummary.Result> {
    /**
     * What tells rows apart beyond the signature, and what is shown.
     *
     * @param recompute whether recomputation is told apart
     * @param overlaps tells operators apart by what ran on other streams at the same time; null not to
     * @param stacks shows from where operators were called, or, where overlaps are shown, from where their kernels were
     *     launched; null not to. Needs a call tree with Python frames
     */
    public record Options(
            boolean recompute,
            @Nullable OverlapRule overlaps,
            @Nullable StackRule stacks) {}

    /**
     * From where an operator was called.
     *
     * @param entryPoint the frame of the Python program that it belongs to; null when not known
     * @param stack JSON: the frames from the outside in, then an array for each way that leads to a kernel
     */
    public record CallSite(@Nullable String entryPoint, String stack) {}

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
     * @param activities device slices of all that they launched
     * @param overlapping what ran at the same time, null when it was not asked for
     * @param site from where the first of them was called, null when it was not asked for
     */
    public record Row(
            Signature signature,
            boolean recompute,
            boolean modelled,
            long firstStart,
            long number,
            Distribution hostTime,
            WorkFigures figures,
            List<KernelPosition> kernels,
            IntList activities,
            @Nullable Overlapping overlapping,
            @Nullable CallSite site) {
        /** Time in ns of all these operators on the device. */
        public long time() {
            return figures.kernelTime().sum();
        }
    }

    /** Longest device time first. */
    public record Result(
            List<Row> rows,
            Options options,
            boolean roofline,
            long firstLaunch,
            @Nullable String notApplicable) implements AnalysisResult {
        public Result {
            rows = List.copyOf(rows);
        }

        @Override
        public List<Table> tables() {
            return tables(List.of());
        }

        /** The sheet with further columns behind the sum of the device times. */
        public List<Table> tables(List<ExtraColumn> further) {
            return rows.isEmpty()
                    ? List.of()
                    : List.of(PerfSheets.table(this, SheetHabits.standard(firstLaunch), further));
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
        private final IntList activities = new IntList(4);
        private final Overlapping.Collector overlapping = new Overlapping.Collector();

        private Group(int first, String category, boolean recompute) {
            this.first = first;
            this.category = category;
            this.recompute = recompute;
        }
    }

    @Override
    public String id() {
        return TableNames.UNIFIED_PERF_SUMMARY;
    }

    @Override
    public Result run(DerivedCache cache) {
        PerfEvents events = cache.get(new PerfEvents.Key(rules));
        Run run = new Run(cache, events, rules, options);
        for (int i = 0; i < events.size(); i++) {
            run.add(i);
        }
        List<Row> rows = new ArrayList<>();
        for (Group group : run.groups) {
            rows.add(run.row(group));
        }
        rows.sort(rules.longestFirst(Row::time, (Row r) -> r.figures.seconds())
                .thenComparingLong(rules.fileOrder() ? Row::number : Row::firstStart)
                .thenComparing(r -> r.signature.name));
        if (options.overlaps != null) {
            rows = SameOperators.together(rows, rules.fileOrder() ? Row::number : Row::firstStart);
        }
        long first = rows.stream().mapToLong(Row::firstStart).min().orElse(0);
        return new Result(
                rows,
                options,
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
        private final LaunchLinks links;
        private final @Nullable Recompute recompute;
        private final Overlapping.@Nullable Finder overlaps;
        private final @Nullable CallStacks stacks;
        private final Options options;
        private final @Nullable OpDetails details;
        private final int[] trackNames;
        private final IntTuples tuples = new IntTuples();
        private final List<@Nullable Group> byTuple = new ArrayList<>();
        private final List<Group> groups = new ArrayList<>();
        private final Map<String, Integer> categoryIds = new HashMap<>();
        private final List<@Nullable String> categoryByTuple = new ArrayList<>();

        private Run(DerivedCache cache, PerfEvents events, WorkRules rules, Options options) {
            this.options = options;
            this.events = events;
            this.rules = rules;
            trace = cache.trace();
            slices = trace.slices();
            activity = cache.get(rules.activity());
            works = cache.get(new Works.Key(rules));
            launchers = cache.get(rules.base().launchers());
            backward = new BackwardActivity(cache, rules);
            links = cache.get(new LaunchLinks.Key(rules.base().links()));
            overlaps = options.overlaps == null
                    ? null
                    : Overlapping.finder(cache, rules.base(), options.overlaps, rules.seconds());
            stacks = options.stacks == null
                    ? null
                    : new CallStacks(trace, cache.get(rules.base().tree()), links, options.stacks);
            this.recompute = options.recompute
                    ? cache.get(
                            new Recompute.Key(rules.base().tree(), rules.base().links()))
                    : null;
            details = trace.view(OpDetails.KEY);
            trackNames = TrackNames.firstOfSame(trace.tracks(), rules.base()::namesOf);
        }

        private void add(int i) {
            int op = events.op(i);
            OpModel model = events.model(i);
            int origin = events.forward(i);
            Works.Outcome outcome = model != null ? works.forward(op) : origin >= 0 ? works.backward(origin) : null;
            if (outcome != null && outcome.notImplemented() && rules.fileOrder()) {
                return;
            }
            int[] launched = launched(i);
            Overlapping.One overlap = overlaps == null ? null : overlaps.of(launched);
            Group group = group(i, category(i, model), overlap);
            int[] kernels = origin >= 0 && rules.wholeBackward()
                    ? backward.kernels(origin)
                    : activity.sorted(events.from(i), events.to(i));
            long busy = SubtreeActivity.busy(slices, kernels, 0, kernels.length);
            if (outcome == null) {
                group.figures.add(rules.seconds(), slices, kernels, busy);
            } else {
                group.figures.add(rules.seconds(), slices, kernels, busy, outcome);
                group.modelled = true;
            }
            if (works.hasHostTime(op)) {
                group.hostTime.add(slices.dur(op));
            }
            group.kernels.add(trace, launched.length, k -> launched[k]);
            for (int activity : launched) {
                group.activities.add(activity);
            }
            if (overlap != null) {
                group.overlapping.add(overlap);
            }
        }

        /** The activities of an event in order of launch. */
        private int[] launched(int i) {
            int[] kernels = activity.range(events.from(i), events.to(i));
            if (rules.fileOrder() && kernels.length > 1) {
                long[] places = new long[kernels.length];
                for (int k = 0; k < kernels.length; k++) {
                    places[k] = slices.index(links.launchOf(kernels[k]));
                }
                LongOrder.sort(places, kernels);
            }
            return kernels;
        }

        private Group group(int i, String category, Overlapping.@Nullable One overlap) {
            int op = events.op(i);
            int rest = events.rest(i);
            boolean again = recompute != null && recompute.contains(rest >= 0 ? rest : op);
            OpInputs inputs = OpInputs.of(details, op);
            int tuple = tuples.then(IntTuples.ROOT, slices.name(op));
            tuple = tuples.then(tuple, rest < 0 ? -1 : slices.name(rest));
            tuple = tuples.then(tuple, categoryIds.computeIfAbsent(category, c -> categoryIds.size()));
            tuple = tuples.then(tuple, trackNames[slices.track(op)]);
            tuple = tuples.then(tuple, inputs.dims());
            tuple = tuples.then(tuple, inputs.types());
            tuple = tuples.then(tuple, inputs.strides());
            tuple = tuples.then(tuple, inputs.concrete());
            tuple = tuples.then(tuple, again ? 1 : 0);
            if (overlap != null) {
                for (int name : overlap.names()) {
                    tuple = tuples.then(tuple, name);
                }
            }
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
                category = rules.base()
                        .categories()
                        .of(name(i), kernel < 0 ? null : trace.strings().get(kernel));
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
            Track.Names track = rules.base().namesOf(trace.tracks().get(slices.track(op)));
            OpInputs inputs = OpInputs.of(details, op);
            Signature signature = new Signature(
                    name(group.first),
                    group.category,
                    track.process(),
                    track.labels(),
                    track.thread(),
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
                    group.kernels.positions(
                            trace,
                            rules.seconds(),
                            overlaps == null || stacks == null ? null : k -> JsonCells.texts(stacks.frames(k))),
                    group.activities,
                    overlaps == null ? null : group.overlapping.summary(trace),
                    site(group, signature.name));
        }

        private @Nullable CallSite site(Group group, String name) {
            if (stacks == null || options.stacks == null || overlaps != null) {
                return null;
            }
            int rest = events.rest(group.first);
            CallStacks.Stack stack = rest >= 0 && !options.stacks.ofRests()
                    ? new CallStacks.Stack(List.of(trace.name(rest)), List.of())
                    : stacks.of(options.stacks.shortestFirst() ? group.kernels.examples(trace) : launched(group.first));
            String entry = EntryPoint.of(rest >= 0 ? trace.name(events.op(group.first)) : name, stack.flat());
            return new CallSite(entry == null ? options.stacks.notFound() : entry, stack.json());
        }
    }
}
