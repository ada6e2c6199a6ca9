// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import dev.lockstep.analyze.Analysis;
import dev.lockstep.analyze.AnalysisResult;
import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.KernelSeconds;
import dev.lockstep.analyze.OverlapRule;
import dev.lockstep.analyze.RealDistribution;
import dev.lockstep.analyze.TableNames;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.Recompute;
import dev.lockstep.model.OpDetails;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.model.Track;
import dev.lockstep.table.DoubleList;
import dev.lockstep.table.IntTuples;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The operators that launched device work: by category, by name, and by arguments. An operator's time is the time in
 * which any of the activities it launched itself ran (direct), or any launched at any depth inside it (subtree).
 *
 * @param rules definitions
 * @param options which columns tell rows apart
 */
public record OpSummary(AnalysisRules rules, Options options) implements Analysis<OpSummary.Result> {
    /**
     * What tells rows apart beyond name, category, thread and arguments.
     *
     * @param kernelCount the number of kernels an operator launched
     * @param recompute whether it ran as part of a recomputation
     * @param firstOccurrence shows when each row's operator ran first
     * @param module the module of the network around it; needs a call tree with Python frames
     * @param overlaps what ran on other streams at the same time; null not to
     * @param seconds the times by which rows are ordered
     */
    public record Options(
            boolean kernelCount,
            boolean recompute,
            boolean firstOccurrence,
            boolean module,
            @Nullable OverlapRule overlaps,
            KernelSeconds seconds) {
        /** Neither modules nor overlaps, by exact times. */
        public Options(boolean kernelCount, boolean recompute, boolean firstOccurrence) {
            this(kernelCount, recompute, firstOccurrence, false, null, KernelSeconds.EXACT);
        }
    }

    /**
     * The module of the network around operators.
     *
     * @param name without the number of the instance; null outside of modules
     * @param stack JSON: the first operator's name and the modules around it, from the inside out
     */
    public record Module(@Nullable String name, String stack) {}

    /**
     * Operators of one category.
     *
     * @param shownNs direct time in ns as the options want it
     * @param module null when it does not tell rows apart
     */
    public record CategoryRow(
            String category,
            boolean recompute,
            int count,
            long direct,
            double shownNs,
            @Nullable Module module) {}

    /**
     * Operators of one name.
     *
     * @param shownNs direct time in ns as the options want it
     * @param subtree likewise
     * @param module null when it does not tell rows apart
     */
    public record NameRow(
            String name,
            boolean recompute,
            int count,
            long direct,
            double shownNs,
            double subtree,
            List<String> categories,
            @Nullable Module module) {}

    /**
     * Operators of one name with the same arguments on threads of one name.
     *
     * @param firstStart start of the first in ns since the trace's origin
     * @param firstIndex its place among the events of the file
     * @param kernels what each of its kernels took, in order of launch
     * @param direct times in ns as the options want them
     * @param subtree likewise
     * @param module null when it does not tell rows apart
     * @param overlapping null when it does not tell rows apart
     * @param seconds sum of the direct times by which rows are ordered
     */
    public record ArgumentsRow(
            String name,
            String category,
            @Nullable String processName,
            @Nullable String processLabel,
            @Nullable String threadName,
            @Nullable String inputDims,
            @Nullable String inputTypes,
            @Nullable String inputStrides,
            @Nullable String concreteInputs,
            int kernelCount,
            boolean recompute,
            long firstStart,
            int firstIndex,
            RealDistribution direct,
            RealDistribution subtree,
            List<KernelPosition> kernels,
            @Nullable Module module,
            @Nullable Overlapping overlapping,
            double seconds) {}

    /** The three summaries, each by direct time, longest first. */
    public record Result(
            Options options,
            long firstLaunch,
            List<CategoryRow> byCategory,
            List<NameRow> byName,
            List<ArgumentsRow> byArguments,
            @Nullable String notApplicable)
            implements AnalysisResult {
        @Override
        public List<Table> tables() {
            return byName.isEmpty() ? List.of() : OpSheets.standard(this);
        }
    }

    private static final class Sums {
        private final int first;
        private int count;
        private long direct;
        private double shownNs;
        private double subtree;
        private final BitSet categories = new BitSet();

        private Sums(int first) {
            this.first = first;
        }
    }

    /** Operators that share a row; {@code first} is the number of the first of them. */
    private static final class Group {
        private final int first;
        private final int track;
        private final OpInputs inputs;
        private final int kernelCount;
        private final boolean recompute;
        private final DoubleList direct = new DoubleList(4);
        private final DoubleList subtree = new DoubleList(4);
        private final KernelPositions kernels = new KernelPositions();
        private final Overlapping.Collector overlapping = new Overlapping.Collector();
        private double seconds;

        private Group(int first, int track, OpInputs inputs, int kernelCount, boolean recompute) {
            this.first = first;
            this.track = track;
            this.inputs = inputs;
            this.kernelCount = kernelCount;
            this.recompute = recompute;
        }
    }

    @Override
    public String id() {
        return TableNames.OPS_SUMMARY;
    }

    @Override
    public Result run(DerivedCache cache) {
        Operators operators = cache.get(new Operators.Key(rules));
        if (operators.size() == 0) {
            return new Result(options, 0, List.of(), List.of(), List.of(), reason(cache));
        }
        return new Run(cache, operators, this).result();
    }

    private String reason(DerivedCache cache) {
        if (cache.get(rules.activity()).size() == 0) {
            return "the trace has no device activity that an operator could have launched";
        }
        return "no device activity has a known launch inside an operator";
    }

    /** One run over the launchers of a trace. */
    private static final class Run {
        private final Operators operators;
        private final AnalysisRules rules;
        private final Options options;
        private final Trace trace;
        private final Slices slices;
        private final @Nullable OpDetails details;
        private final @Nullable Recompute recompute;
        private final @Nullable Modules modules;
        private final Overlapping.@Nullable Finder overlaps;
        private final int[] trackNames;
        private final IntTuples tuples = new IntTuples();
        private final Map<String, Integer> moduleNumbers = new HashMap<>();
        private final List<Sums> byCategory = new ArrayList<>();
        private final List<Sums> byName = new ArrayList<>();
        private final List<@Nullable Object> byTuple = new ArrayList<>();
        private final List<Group> groups = new ArrayList<>();

        private Run(DerivedCache cache, Operators operators, OpSummary summary) {
            this.operators = operators;
            options = summary.options;
            trace = cache.trace();
            slices = trace.slices();
            details = trace.view(OpDetails.KEY);
            rules = summary.rules;
            recompute = options.recompute ? cache.get(new Recompute.Key(rules.tree(), rules.links())) : null;
            modules = options.module ? new Modules(trace, cache.get(rules.tree())) : null;
            overlaps = options.overlaps == null
                    ? null
                    : Overlapping.finder(cache, rules, options.overlaps, options.seconds);
            trackNames = TrackNames.firstOfSame(trace.tracks(), rules::namesOf);
        }

        private Result result() {
            for (int i = 0; i < operators.size(); i++) {
                add(i);
            }
            return new Result(options, slices.ts(operators.slice(0)), categories(), names(), arguments(), null);
        }

        private void add(int i) {
            int op = operators.slice(i);
            int again = recompute != null && recompute.contains(op) ? 1 : 0;
            int module = moduleNumber(op);
            int[] kernels = kernels(i);
            double shownNs = options.seconds.nanoseconds(slices, kernels, operators.direct(i));
            double subtree = subtree(i);
            int category = tuples.then(tuples.then(-1, operators.category(i) * 2 + again), module);
            add(byCategory, category, i, shownNs, subtree);
            add(byName, tuples.then(tuples.then(-2, slices.name(op) * 2 + again), module), i, shownNs, subtree);
            Overlapping.One overlap = overlaps == null ? null : overlaps.of(kernels);
            Group group = group(i, again == 1, module, overlap);
            group.direct.add(shownNs);
            group.subtree.add(subtree);
            group.seconds += options.seconds.of(slices, kernels, operators.direct(i));
            group.kernels.add(trace, operators.launchers(), i);
            if (overlap != null) {
                group.overlapping.add(overlap);
            }
        }

        private double subtree(int i) {
            return options.seconds.isExact()
                    ? operators.subtree(i)
                    : options.seconds.nanoseconds(slices, operators.launchers().inside(i), operators.subtree(i));
        }

        private int[] kernels(int i) {
            int[] kernels = new int[operators.launchers().activityCount(i)];
            for (int k = 0; k < kernels.length; k++) {
                kernels[k] = operators.launchers().activity(i, k);
            }
            return kernels;
        }

        private int moduleNumber(int op) {
            String name = modules == null ? null : modules.name(op);
            return name == null ? -1 : moduleNumbers.computeIfAbsent(name, n -> moduleNumbers.size());
        }

        private @Nullable Module module(int op) {
            return modules == null ? null : new Module(modules.name(op), JsonCells.texts(modules.stack(op)));
        }

        private void add(List<Sums> all, int tuple, int i, double shownNs, double subtree) {
            Sums s = (Sums) at(tuple);
            if (s == null) {
                s = new Sums(i);
                byTuple.set(tuple, s);
                all.add(s);
            }
            s.count++;
            s.direct += operators.direct(i);
            s.shownNs += shownNs;
            s.subtree += subtree;
            s.categories.set(operators.category(i));
        }

        private Group group(int i, boolean again, int module, Overlapping.@Nullable One overlap) {
            int op = operators.slice(i);
            OpInputs inputs = OpInputs.of(details, op);
            int tuple = tuples.then(IntTuples.ROOT, slices.name(op));
            tuple = tuples.then(tuple, operators.category(i));
            tuple = tuples.then(tuple, trackNames[slices.track(op)]);
            tuple = tuples.then(tuple, inputs.dims());
            tuple = tuples.then(tuple, inputs.types());
            tuple = tuples.then(tuple, inputs.strides());
            tuple = tuples.then(tuple, inputs.concrete());
            int kernels = options.kernelCount ? operators.launchers().activityCount(i) : -1;
            tuple = tuples.then(tuples.then(tuple, kernels), again ? 1 : 0);
            tuple = tuples.then(tuple, module);
            if (overlap != null) {
                for (int name : overlap.names()) {
                    tuple = tuples.then(tuple, name);
                }
            }
            Group group = (Group) at(tuple);
            if (group == null) {
                group = new Group(i, trackNames[slices.track(op)], inputs, kernels, again);
                byTuple.set(tuple, group);
                groups.add(group);
            }
            return group;
        }

        private @Nullable Object at(int tuple) {
            while (byTuple.size() <= tuple) {
                byTuple.add(null);
            }
            return byTuple.get(tuple);
        }

        private boolean isRecompute(int i) {
            return recompute != null && recompute.contains(operators.slice(i));
        }

        private List<CategoryRow> categories() {
            List<CategoryRow> rows = new ArrayList<>();
            for (Sums s : byCategory) {
                rows.add(new CategoryRow(
                        operators.categories().get(operators.category(s.first)),
                        isRecompute(s.first),
                        s.count,
                        s.direct,
                        s.shownNs,
                        module(operators.slice(s.first))));
            }
            rows.sort(Comparator.comparingLong(CategoryRow::direct)
                    .reversed()
                    .thenComparing(CategoryRow::category)
                    .thenComparing(CategoryRow::recompute)
                    .thenComparing(r -> nameOf(r.module)));
            return rows;
        }

        private List<NameRow> names() {
            List<NameRow> rows = new ArrayList<>();
            for (Sums s : byName) {
                List<String> categories = s.categories.stream()
                        .mapToObj(operators.categories()::get)
                        .sorted()
                        .toList();
                rows.add(new NameRow(
                        trace.name(operators.slice(s.first)),
                        isRecompute(s.first),
                        s.count,
                        s.direct,
                        s.shownNs,
                        s.subtree,
                        categories,
                        module(operators.slice(s.first))));
            }
            rows.sort(Comparator.comparingLong(NameRow::direct)
                    .reversed()
                    .thenComparing(NameRow::name)
                    .thenComparing(NameRow::recompute)
                    .thenComparing(r -> nameOf(r.module)));
            return rows;
        }

        private static String nameOf(@Nullable Module module) {
            return module == null || module.name == null ? "" : module.name;
        }

        private List<ArgumentsRow> arguments() {
            List<ArgumentsRow> rows = new ArrayList<>();
            for (Group group : groups) {
                rows.add(row(group));
            }
            rows.sort(Comparator.comparingDouble((ArgumentsRow r) -> r.direct.sum())
                    .reversed()
                    .thenComparingLong(ArgumentsRow::firstStart)
                    .thenComparing(ArgumentsRow::name));
            return rows;
        }

        private ArgumentsRow row(Group group) {
            int op = operators.slice(group.first);
            Track.Names track = rules.namesOf(trace.tracks().get(group.track));
            return new ArgumentsRow(
                    trace.name(op),
                    operators.categories().get(operators.category(group.first)),
                    track.process(),
                    track.labels(),
                    track.thread(),
                    trace.strings().orNull(group.inputs.dims()),
                    trace.strings().orNull(group.inputs.types()),
                    trace.strings().orNull(group.inputs.strides()),
                    trace.strings().orNull(group.inputs.concrete()),
                    group.kernelCount,
                    group.recompute,
                    slices.ts(op),
                    slices.index(op),
                    RealDistribution.of(group.direct),
                    RealDistribution.of(group.subtree),
                    group.kernels.positions(trace, options.seconds),
                    module(op),
                    overlaps == null ? null : group.overlapping.summary(trace),
                    group.seconds);
        }
    }
}
