// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.compare;

import dev.lockstep.table.IntList;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Which thread of the candidate does what a thread of the baseline does: those whose operators agree most. Where threads are so
 * many that not each can be compared with each, those with the same operators are paired first, in their order, and of the
 * rest those with the most operators are compared.
 */
final class ThreadPairs {
    /** The outermost nodes of two threads, by start. */
    @SuppressWarnings("ArrayRecordComponent")
    record Pair(int[] baseline, int[] candidate) {}

    @SuppressWarnings("ArrayRecordComponent")
    private record HostThread(int[] nodes, Map<Integer, Integer> counts) {
        private int operators() {
            return counts.values().stream().mapToInt(Integer::intValue).sum();
        }
    }

    private record Likeness(int first, int second, long common) {}

    /** Threads on either side of which each is compared with each. */
    static final int MOST = 1_000;

    private ThreadPairs() {}

    static List<Pair> of(OpForest one, OpForest two) {
        List<HostThread> threads1 = threads(one);
        List<HostThread> threads2 = threads(two);
        List<Pair> pairs = new ArrayList<>();
        if ((long) threads1.size() * threads2.size() <= (long) MOST * MOST) {
            pairLike(threads1, threads2, pairs);
            return pairs;
        }
        Map<Map<Integer, Integer>, Deque<HostThread>> waiting = new LinkedHashMap<>();
        threads2.forEach(thread -> waiting.computeIfAbsent(thread.counts, counts -> new ArrayDeque<>())
                .add(thread));
        List<HostThread> alone = new ArrayList<>();
        for (HostThread thread : threads1) {
            Deque<HostThread> same = waiting.get(thread.counts);
            if (same == null || same.isEmpty()) {
                alone.add(thread);
            } else {
                pairs.add(new Pair(thread.nodes, same.remove().nodes));
            }
        }
        pairLike(busiest(alone.stream()), busiest(waiting.values().stream().flatMap(Deque::stream)), pairs);
        return pairs;
    }

    private static List<HostThread> busiest(Stream<HostThread> threads) {
        return threads.sorted(Comparator.comparingInt(HostThread::operators).reversed())
                .limit(MOST)
                .toList();
    }

    /** Adds the pairs that agree most, each thread once. */
    private static void pairLike(List<HostThread> threads1, List<HostThread> threads2, List<Pair> pairs) {
        List<Likeness> all = new ArrayList<>();
        for (int i = 0; i < threads1.size(); i++) {
            for (int j = 0; j < threads2.size(); j++) {
                long common = common(threads1.get(i).counts, threads2.get(j).counts);
                if (common > 0) {
                    all.add(new Likeness(i, j, common));
                }
            }
        }
        all.sort(Comparator.comparingLong(Likeness::common)
                .reversed()
                .thenComparingInt(l -> Math.abs(l.first - l.second))
                .thenComparingInt(Likeness::first));
        boolean[] taken1 = new boolean[threads1.size()];
        boolean[] taken2 = new boolean[threads2.size()];
        for (Likeness l : all) {
            if (!taken1[l.first] && !taken2[l.second]) {
                taken1[l.first] = true;
                taken2[l.second] = true;
                pairs.add(new Pair(threads1.get(l.first).nodes, threads2.get(l.second).nodes));
            }
        }
    }

    /** In order of their first node. */
    private static List<HostThread> threads(OpForest forest) {
        Map<Integer, IntList> byTrack = new LinkedHashMap<>();
        for (int node : forest.children(-1)) {
            byTrack.computeIfAbsent(forest.trace().slices().track(forest.slice(node)), t -> new IntList(64))
                    .add(node);
        }
        Map<Integer, Map<Integer, Integer>> counts = new HashMap<>();
        for (int node = 0; node < forest.size(); node++) {
            counts.computeIfAbsent(forest.trace().slices().track(forest.slice(node)), t -> new HashMap<>())
                    .merge(forest.name(node), 1, Integer::sum);
        }
        List<HostThread> threads = new ArrayList<>();
        byTrack.forEach(
                (track, nodes) -> threads.add(new HostThread(nodes.toArray(), counts.getOrDefault(track, Map.of()))));
        return threads;
    }

    private static long common(Map<Integer, Integer> a, Map<Integer, Integer> b) {
        long common = 0;
        for (Map.Entry<Integer, Integer> entry : a.entrySet()) {
            common += Math.min(entry.getValue(), b.getOrDefault(entry.getKey(), 0));
        }
        return common;
    }
}
