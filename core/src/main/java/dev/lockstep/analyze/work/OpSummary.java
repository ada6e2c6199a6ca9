// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import dev.lockstep.analyze.Analysis;
import dev.lockstep.analyze.AnalysisResult;
import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.Distribution;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.Recompute;
import dev.lockstep.model.OpDetails;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.model.Track;
import dev.lockstep.table.IntTuples;
import dev.lockstep.table.LongList;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
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
     */
    public record Options(boolean kernelCount, boolean recompute, boolean firstOccurrence) {}

    /** Operators of one category. */
    public record CategoryRow(String category, boolean recompute, int count, long direct) {}

    /** Operators of one name. */
    public record NameRow(
            String name, boolean recompute, int count, long direct, long subtree, List<String> categories) {}

    /**
     * Operators of one name with the same arguments on threads of one name.
     *
     * @param firstStart start of the first in ns since the trace's origin
     * @param firstIndex its place among the events of the file
     * @param kernels what each of its kernels took, in order of launch
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
            Distribution direct,
            Distribution subtree,
            List<KernelPosition> kernels) {}

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
        private int count;
        private long direct;
        private long subtree;
        private final BitSet categories = new BitSet();
    }

    /** Operators that share a row; {@code first} is the number of the first of them. */
    private static final class Group {
        private final int first;
        private final int track;
        private final Inputs inputs;
        private final int kernelCount;
        private final boolean recompute;
        private final LongList direct = new LongList(4);
        private final LongList subtree = new LongList(4);
        private final KernelPositions kernels = new KernelPositions();

        private Group(int first, int track, Inputs inputs, int kernelCount, boolean recompute) {
            this.first = first;
            this.track = track;
            this.inputs = inputs;
            this.kernelCount = kernelCount;
            this.recompute = recompute;
        }
    }

    @Override
    public String id() {
        return "ops_summary";
    }

    @Override
    public Result run(DerivedCache cache) {
        Operators operators = cache.get(new Operators.Key(rules));
        Trace trace = cache.trace();
        if (operators.size() == 0) {
            return new Result(options, 0, List.of(), List.of(), List.of(), reason(cache));
        }
        Recompute recompute = options.recompute ? cache.get(new Recompute.Key(rules.tree(), rules.links())) : null;
        Sums[] byCategory = new Sums[operators.categories().size() * 2];
        Sums[] byName = new Sums[trace.strings().size() * 2];
        IntTuples tuples = new IntTuples();
        List<@Nullable Group> byTuple = new ArrayList<>();
        List<Group> groups = new ArrayList<>();
        Slices slices = trace.slices();
        OpDetails details = trace.view(OpDetails.KEY);
        int[] trackNames = TrackNames.firstOfSame(trace.tracks());
        for (int i = 0; i < operators.size(); i++) {
            int op = operators.slice(i);
            int again = recompute != null && recompute.contains(op) ? 1 : 0;
            add(byCategory, operators.category(i) * 2 + again, operators, i);
            add(byName, slices.name(op) * 2 + again, operators, i);
            Inputs inputs = Inputs.of(details, op);
            int tuple = tuples.then(IntTuples.ROOT, slices.name(op));
            tuple = tuples.then(tuple, operators.category(i));
            tuple = tuples.then(tuple, trackNames[slices.track(op)]);
            tuple = tuples.then(tuple, inputs.dims());
            tuple = tuples.then(tuple, inputs.types());
            tuple = tuples.then(tuple, inputs.strides());
            tuple = tuples.then(tuple, inputs.concrete());
            int kernels = options.kernelCount ? operators.launchers().activityCount(i) : -1;
            tuple = tuples.then(tuples.then(tuple, kernels), again);
            while (byTuple.size() <= tuple) {
                byTuple.add(null);
            }
            Group group = byTuple.get(tuple);
            if (group == null) {
                group = new Group(i, trackNames[slices.track(op)], inputs, kernels, again == 1);
                byTuple.set(tuple, group);
                groups.add(group);
            }
            group.direct.add(operators.direct(i));
            group.subtree.add(operators.subtree(i));
            group.kernels.add(trace, operators.launchers(), i);
        }
        return new Result(
                options,
                slices.ts(operators.slice(0)),
                categories(operators, byCategory),
                names(trace, operators, byName),
                arguments(trace, operators, groups),
                null);
    }

    private String reason(DerivedCache cache) {
        if (cache.get(rules.activity()).size() == 0) {
            return "the trace has no device activity that an operator could have launched";
        }
        return "no device activity has a known launch inside an operator";
    }

    private static void add(@Nullable Sums[] sums, int place, Operators operators, int i) {
        Sums s = sums[place];
        if (s == null) {
            s = new Sums();
            sums[place] = s;
        }
        s.count++;
        s.direct += operators.direct(i);
        s.subtree += operators.subtree(i);
        s.categories.set(operators.category(i));
    }

    private static List<CategoryRow> categories(Operators operators, @Nullable Sums[] sums) {
        List<CategoryRow> rows = new ArrayList<>();
        for (int i = 0; i < sums.length; i++) {
            Sums s = sums[i];
            if (s != null) {
                rows.add(new CategoryRow(operators.categories().get(i / 2), i % 2 == 1, s.count, s.direct));
            }
        }
        rows.sort(Comparator.comparingLong(CategoryRow::direct)
                .reversed()
                .thenComparing(CategoryRow::category)
                .thenComparing(CategoryRow::recompute));
        return rows;
    }

    private static List<NameRow> names(Trace trace, Operators operators, @Nullable Sums[] sums) {
        List<NameRow> rows = new ArrayList<>();
        for (int i = 0; i < sums.length; i++) {
            Sums s = sums[i];
            if (s != null) {
                List<String> categories = s.categories.stream()
                        .mapToObj(operators.categories()::get)
                        .sorted()
                        .toList();
                rows.add(new NameRow(trace.strings().get(i / 2), i % 2 == 1, s.count, s.direct, s.subtree, categories));
            }
        }
        rows.sort(Comparator.comparingLong(NameRow::direct)
                .reversed()
                .thenComparing(NameRow::name)
                .thenComparing(NameRow::recompute));
        return rows;
    }

    private static List<ArgumentsRow> arguments(Trace trace, Operators operators, List<Group> groups) {
        List<ArgumentsRow> rows = new ArrayList<>();
        for (Group group : groups) {
            int op = operators.slice(group.first);
            Track track = trace.tracks().get(group.track);
            rows.add(new ArgumentsRow(
                    trace.name(op),
                    operators.categories().get(operators.category(group.first)),
                    track.processName(),
                    track.processLabels(),
                    track.threadName(),
                    trace.strings().orNull(group.inputs.dims()),
                    trace.strings().orNull(group.inputs.types()),
                    trace.strings().orNull(group.inputs.strides()),
                    trace.strings().orNull(group.inputs.concrete()),
                    group.kernelCount,
                    group.recompute,
                    trace.slices().ts(op),
                    trace.slices().index(op),
                    Distribution.of(group.direct),
                    Distribution.of(group.subtree),
                    group.kernels.positions(trace)));
        }
        rows.sort(Comparator.comparingLong((ArgumentsRow r) -> r.direct.sum())
                .reversed()
                .thenComparingLong(ArgumentsRow::firstStart)
                .thenComparing(ArgumentsRow::name));
        return rows;
    }
}
