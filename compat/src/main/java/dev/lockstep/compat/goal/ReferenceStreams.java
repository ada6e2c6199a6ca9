// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.goal;

import dev.lockstep.goal.recording.RecordedOperation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The operations of a GPU, stream by stream.
 *
 * @param operations in order of time; those of a group that begin together in the order in which the reference's tables
 *     happen to have them, which are sorted two or three times by a sort that is not stable, and otherwise when it reads in
 *     parallel
 * @param labels one for each operation
 * @param streams places of operations, for each stream in order of time; streams in the reference's order
 * @param groups places of the operations of each group
 */
@SuppressWarnings("ArrayRecordComponent")
record ReferenceStreams(
        List<RecordedOperation> operations, long[] labels, List<int[]> streams, Map<Integer, List<Integer>> groups) {

    /**
     * @param called in order of the calls
     * @param parallel whether the reference reads files in parallel; its tables then keep the order of the calls until they
     *     are sorted
     */
    static ReferenceStreams of(List<RecordedOperation> called, boolean parallel) {
        List<RecordedOperation> spelled = byStart(parallel ? called : rebuilt(called));
        List<RecordedOperation> operations = byStart(spelled);
        long[] labels = ReferenceLabels.of(operations, spelled);
        Map<String, List<Integer>> byName = new LinkedHashMap<>();
        Map<Integer, List<Integer>> groups = new HashMap<>();
        for (int i = 0; i < operations.size(); i++) {
            RecordedOperation o = operations.get(i);
            byName.computeIfAbsent(o.stream(), s -> new ArrayList<>()).add(i);
            if (o.group() >= 0) {
                groups.computeIfAbsent(o.group(), g -> new ArrayList<>()).add(i);
            }
        }
        List<int[]> streams = byName.entrySet().stream()
                .sorted(Comparator.<Map.Entry<String, List<Integer>>>comparingLong(
                                e -> labels[e.getValue().getFirst()])
                        .thenComparingInt(e -> e.getValue().size())
                        .thenComparing(Map.Entry::getKey))
                .map(e -> e.getValue().stream()
                        .sorted(Comparator.comparingLong(
                                        (Integer i) -> operations.get(i).start())
                                .thenComparingLong(i -> operations.get(i).end()))
                        .mapToInt(Integer::intValue)
                        .toArray())
                .toList();
        return new ReferenceStreams(operations, labels, streams, groups);
    }

    /** Tables in which groups have more than one call: the others come behind, before all are sorted once more. */
    private static List<RecordedOperation> rebuilt(List<RecordedOperation> called) {
        Set<Integer> groups = new HashSet<>();
        List<RecordedOperation> rows = new ArrayList<>();
        List<RecordedOperation> others = new ArrayList<>();
        for (RecordedOperation o : called) {
            (o.group() < 0 || groups.add(o.group()) ? rows : others).add(o);
        }
        if (others.isEmpty()) {
            return rows;
        }
        rows.addAll(others);
        return byStart(rows);
    }

    private static List<RecordedOperation> byStart(List<RecordedOperation> operations) {
        return Arrays.stream(NumpyOrder.of(
                        operations.stream().mapToLong(RecordedOperation::start).toArray()))
                .mapToObj(operations::get)
                .toList();
    }

    /** All streams as one, in order of time. */
    ReferenceStreams merged() {
        int[] all = streams.stream()
                .flatMap(stream -> Arrays.stream(stream).boxed())
                .sorted(Comparator.comparingLong(
                                (Integer i) -> operations.get(i).start())
                        .thenComparingLong(i -> operations.get(i).end())
                        .thenComparingInt(i -> i))
                .mapToInt(Integer::intValue)
                .toArray();
        return new ReferenceStreams(operations, labels, List.of(all), groups);
    }

    /**
     * What is written where an operation stands: itself, at the first of a group all of the group, else nothing.
     *
     * @param done groups of the stream that were written; one that is written now is added
     */
    List<Integer> members(int place, Set<Integer> done) {
        RecordedOperation operation = operations.get(place);
        if (operation.group() < 0) {
            return operation.plan() == null ? List.of() : List.of(place);
        }
        return done.add(operation.group())
                ? groups.getOrDefault(operation.group(), List.of()).stream()
                        .filter(i -> operations.get(i).plan() != null)
                        .toList()
                : List.of();
    }

    /** Whether no two operations of different streams overlap in time. */
    boolean mergeable() {
        int[] together = {};
        for (int[] stream : streams) {
            if (together.length > 0 && overlap(together, stream)) {
                return false;
            }
            int[] both = Arrays.copyOf(together, together.length + stream.length);
            System.arraycopy(stream, 0, both, together.length, stream.length);
            together = both;
        }
        return true;
    }

    private boolean overlap(int[] a, int[] b) {
        long[] starts = times(a, true);
        long[] ends = times(a, false);
        long[] otherStarts = times(b, true);
        long[] otherEnds = times(b, false);
        int i = 0;
        int j = 0;
        while (i < starts.length && j < otherStarts.length) {
            if (ends[i] <= otherStarts[j]) {
                i++;
            } else if (otherEnds[j] <= starts[i]) {
                j++;
            } else {
                return true;
            }
        }
        return false;
    }

    private long[] times(int[] places, boolean start) {
        return Arrays.stream(places)
                .mapToLong(i ->
                        start ? operations.get(i).start() : operations.get(i).end())
                .sorted()
                .toArray();
    }
}
