// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.inference;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Says which of the captured graphs a launch replays. It is the one at its place when each launch of an iteration has its own
 * capture; otherwise the one whose calls enqueue what ran. Of several that would do as well it cannot be told which it is.
 * Launches that the profiler says are of one graph are looked at together: what it lost of one, another may have.
 */
final class CaptureChoice {
    private static final int REMEMBERED = 64;

    /**
     * A captured graph.
     *
     * @param calls what its calls enqueue
     * @param nodes number of the node that each became, -1 where it was not noted
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Candidate(CapturedGraph graph, WorkSequence calls, long[] nodes) {}

    /**
     * What was found for a launch.
     *
     * @param graph null when none fits
     * @param several whether more than one would do
     */
    record Choice(@Nullable CapturedGraph graph, @Nullable ReplayAlignment alignment, boolean several) {}

    private record Fit(Candidate candidate, ReplayAlignment alignment) {}

    private record Pair(WorkSequence calls, WorkSequence work, List<Long> order) {}

    private final Map<Long, ReplayedGraph> whole = new HashMap<>();

    private final Map<Pair, Optional<ReplayAlignment>> known = new LinkedHashMap<>(REMEMBERED * 2, 0.75f, true);

    /** @param replays all launches of the trace */
    CaptureChoice(Iterable<ReplayedGraph> replays) {
        Map<Long, List<ReplayedGraph>> launches = new HashMap<>();
        for (ReplayedGraph replay : replays) {
            if (replay.graph() > 0) {
                launches.computeIfAbsent(replay.graph(), graph -> new ArrayList<>())
                        .add(replay);
            }
        }
        launches.forEach((graph, list) -> {
            if (list.stream().allMatch(ReplayedGraph::hasNodes)) {
                whole.put(graph, together(graph, list));
            }
        });
    }

    /** All nodes that ran in any launch, in their order. */
    private static ReplayedGraph together(long graph, List<ReplayedGraph> launches) {
        TreeMap<Long, int[]> nodes = new TreeMap<>();
        for (int l = 0; l < launches.size(); l++) {
            for (int i = 0; i < launches.get(l).size(); i++) {
                nodes.putIfAbsent(launches.get(l).nodes()[i], new int[] {l, i});
            }
        }
        int n = nodes.size();
        WorkSequence work = new WorkSequence(new int[n], new int[n], new int[n]);
        long[] numbers = new long[n];
        int at = 0;
        for (Map.Entry<Long, int[]> node : nodes.entrySet()) {
            WorkSequence from = launches.get(node.getValue()[0]).work();
            work.names()[at] = from.names()[node.getValue()[1]];
            work.stems()[at] = from.stems()[node.getValue()[1]];
            work.families()[at] = from.families()[node.getValue()[1]];
            numbers[at++] = node.getKey();
        }
        return new ReplayedGraph(new int[n], work, new long[n], graph, numbers);
    }

    /**
     * The graph that a launch replays.
     *
     * @param candidates the graphs that were captured for its iteration
     * @param place which of them it would be by its place in the iteration, -1 if the places do not say it
     */
    Choice of(ReplayedGraph replay, List<Candidate> candidates, int place) {
        Fit placed = place < 0 ? null : fit(candidates.get(place), replay);
        if (placed != null && placed.alignment.isExact()) {
            return chosen(placed);
        }
        int[] unlike =
                candidates.stream().mapToInt(c -> c.calls.unlike(replay.work())).toArray();
        int least = Arrays.stream(unlike).min().orElse(0);
        if (placed != null && unlike[place] == least) {
            return chosen(placed);
        }
        if (!candidates.stream().allMatch(candidate -> candidate.calls.isNamed())) {
            return new Choice(null, null, candidates.size() > 1); // numbers of kernels alone tell no graph from another
        }
        List<Fit> fits = new ArrayList<>();
        for (int i = 0; i < unlike.length; i++) {
            Fit fit = unlike[i] == least ? fit(candidates.get(i), replay) : null;
            if (fit != null) {
                fits.add(fit);
            }
        }
        if (fits.isEmpty()) {
            return new Choice(null, null, placed != null);
        }
        CapturedGraph first = fits.getFirst().candidate.graph;
        boolean alike = fits.stream().allMatch(fit -> fit.candidate.graph.looksLike(first));
        return alike ? chosen(fits.getFirst()) : new Choice(null, null, true);
    }

    private static Choice chosen(Fit fit) {
        return new Choice(fit.candidate.graph, fit.alignment, false);
    }

    private @Nullable Fit fit(Candidate candidate, ReplayedGraph replay) {
        ReplayAlignment alignment = ReplayAlignment.byNodes(candidate, replay);
        alignment = alignment == null ? ofWhole(candidate, replay) : alignment;
        if (alignment == null || alignment.placed() < replay.size()) {
            ReplayAlignment own = ofOne(candidate, replay);
            alignment = alignment == null || own != null && own.placed() > alignment.placed() ? own : alignment;
        }
        return alignment == null ? null : new Fit(candidate, alignment);
    }

    private @Nullable ReplayAlignment ofWhole(Candidate candidate, ReplayedGraph replay) {
        ReplayedGraph all = whole.get(replay.graph());
        if (all == null || all.size() == replay.size()) {
            return null;
        }
        ReplayAlignment alignment = ofOne(candidate, all);
        if (alignment == null) {
            return null;
        }
        int[] calls = new int[replay.size()];
        for (int i = 0; i < calls.length; i++) {
            calls[i] = alignment.calls()[Arrays.binarySearch(all.nodes(), replay.nodes()[i])];
        }
        return ReplayAlignment.judged(candidate.calls, replay.work(), calls);
    }

    private @Nullable ReplayAlignment ofOne(Candidate candidate, ReplayedGraph replay) {
        List<Long> order = new ArrayList<>();
        Map<Long, Long> numbers = new HashMap<>();
        for (int i = 0; i < replay.size(); i++) {
            order.add(numbers.computeIfAbsent(replay.streams()[i], stream -> (long) numbers.size()));
        }
        if (replay.hasNodes()) {
            for (int place : replay.byNode()) {
                order.add((long) place);
            }
        }
        Pair pair = new Pair(candidate.calls, replay.work(), order);
        Optional<ReplayAlignment> found = known.get(pair);
        if (found == null) {
            found = Optional.ofNullable(ReplayAlignment.of(candidate.calls, replay));
            known.put(pair, found);
            if (known.size() > REMEMBERED) {
                known.remove(known.keySet().iterator().next());
            }
        }
        return found.orElse(null);
    }
}
