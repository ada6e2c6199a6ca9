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
import dev.lockstep.table.LongList;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
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

    private record Flagged(String text, boolean recompute) {}

    private record Arguments(int name, String category, int track, Inputs inputs, int kernelCount, boolean recompute) {}

    private static final class Sums {
        private int count;
        private long direct;
        private long subtree;
        private final TreeSet<String> categories = new TreeSet<>();
    }

    private static final class Group {
        private final Arguments key;
        private final LongList direct = new LongList(4);
        private final LongList subtree = new LongList(4);
        private final KernelPositions kernels = new KernelPositions();
        private int first = -1;

        private Group(Arguments key) {
            this.key = key;
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
        Map<Flagged, Sums> byCategory = new TreeMap<>(flaggedOrder());
        Map<Flagged, Sums> byName = new TreeMap<>(flaggedOrder());
        Map<Arguments, Group> byArguments = new LinkedHashMap<>();
        Slices slices = trace.slices();
        OpDetails details = trace.view(OpDetails.KEY);
        int[] trackNames = sameNames(trace.tracks());
        for (int i = 0; i < operators.size(); i++) {
            int op = operators.slice(i);
            boolean again = recompute != null && recompute.contains(op);
            add(byCategory, new Flagged(operators.category(i), again), operators, i);
            add(byName, new Flagged(trace.name(op), again), operators, i);
            Inputs inputs = Inputs.of(details, op);
            Arguments key = new Arguments(
                    slices.name(op),
                    operators.category(i),
                    trackNames[slices.track(op)],
                    inputs,
                    options.kernelCount ? operators.launchers().activityCount(i) : -1,
                    again);
            Group group = byArguments.computeIfAbsent(key, Group::new);
            group.first = group.first < 0 ? i : group.first;
            group.direct.add(operators.direct(i));
            group.subtree.add(operators.subtree(i));
            group.kernels.add(trace, operators.launchers(), i);
        }
        return new Result(
                options,
                slices.ts(operators.slice(0)),
                categories(byCategory),
                names(byName),
                arguments(trace, operators, byArguments),
                null);
    }

    private String reason(DerivedCache cache) {
        if (cache.get(rules.activity()).size() == 0) {
            return "the trace has no device activity that an operator could have launched";
        }
        return "no device activity has a known launch inside an operator";
    }

    private static Comparator<Flagged> flaggedOrder() {
        return Comparator.comparing(Flagged::text).thenComparing(Flagged::recompute);
    }

    private static void add(Map<Flagged, Sums> sums, Flagged key, Operators operators, int i) {
        Sums s = sums.computeIfAbsent(key, k -> new Sums());
        s.count++;
        s.direct += operators.direct(i);
        s.subtree += operators.subtree(i);
        s.categories.add(operators.category(i));
    }

    private static List<CategoryRow> categories(Map<Flagged, Sums> sums) {
        List<CategoryRow> rows = new ArrayList<>();
        sums.forEach((key, s) -> rows.add(new CategoryRow(key.text, key.recompute, s.count, s.direct)));
        rows.sort(Comparator.comparingLong(CategoryRow::direct).reversed());
        return rows;
    }

    private static List<NameRow> names(Map<Flagged, Sums> sums) {
        List<NameRow> rows = new ArrayList<>();
        sums.forEach((key, s) -> rows.add(
                new NameRow(key.text, key.recompute, s.count, s.direct, s.subtree, List.copyOf(s.categories))));
        rows.sort(Comparator.comparingLong(NameRow::direct).reversed());
        return rows;
    }

    private static List<ArgumentsRow> arguments(Trace trace, Operators operators, Map<Arguments, Group> groups) {
        List<ArgumentsRow> rows = new ArrayList<>();
        for (Group group : groups.values()) {
            Arguments key = group.key;
            int op = operators.slice(group.first);
            Track track = trace.tracks().get(key.track);
            rows.add(new ArgumentsRow(
                    trace.strings().get(key.name),
                    key.category,
                    track.processName(),
                    track.processLabels(),
                    track.threadName(),
                    trace.strings().orNull(key.inputs.dims()),
                    trace.strings().orNull(key.inputs.types()),
                    trace.strings().orNull(key.inputs.strides()),
                    trace.strings().orNull(key.inputs.concrete()),
                    key.kernelCount,
                    key.recompute,
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

    /** For each track the first one whose names are the same. */
    private static int[] sameNames(List<Track> tracks) {
        record Names(
                @Nullable String process,
                @Nullable String labels,
                @Nullable String thread) {}
        Map<Names, Integer> first = new HashMap<>();
        int[] same = new int[tracks.size()];
        for (int i = 0; i < same.length; i++) {
            Track t = tracks.get(i);
            Integer known = first.putIfAbsent(new Names(t.processName(), t.processLabels(), t.threadName()), i);
            same[i] = known == null ? i : known;
        }
        return same;
    }
}
