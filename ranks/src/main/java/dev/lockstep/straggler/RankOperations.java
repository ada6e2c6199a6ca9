// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.straggler;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.straggler.OperationTable.Observed;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** The operations of every rank and step, type by type, in order of time. Immutable. */
final class RankOperations {
    final String source;
    final Observed observed;
    /** Ranks, ascending; elsewhere they are called by their place here. */
    final int[] ranks;
    /** By row: place among the operations of its rank, step and type. */
    final int[] sequence;

    private final long[] steps;
    /** By rank: step, then type, then rows by start. */
    private final Map<Integer, Map<Long, EnumMap<OperationType, int[]>>> rows = new TreeMap<>();

    private RankOperations(String source, Observed observed) {
        this.source = source;
        this.observed = observed;
        ranks = Arrays.stream(observed.rank()).sorted().distinct().toArray();
        sequence = new int[observed.rank().length];
        int[] order = IntStream.range(0, sequence.length)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer row) -> observed.start()[row]))
                .mapToInt(Integer::intValue)
                .toArray();
        for (int row : order) {
            EnumMap<OperationType, int[]> types = rows.computeIfAbsent(index(row), k -> new TreeMap<>())
                    .computeIfAbsent(observed.step()[row], k -> new EnumMap<>(OperationType.class));
            int[] known = types.getOrDefault(observed.type()[row], new int[0]);
            int[] more = Arrays.copyOf(known, known.length + 1);
            more[known.length] = row;
            sequence[row] = known.length;
            types.put(observed.type()[row], more);
        }
        steps = computing();
    }

    static RankOperations of(String source, Observed observed) throws TraceFormatException {
        RankOperations found = new RankOperations(source, observed);
        if (found.ranks.length == 0) {
            throw new TraceFormatException(ErrorCode.NOTHING_TO_DO, source, -1, "the table has no operations", null);
        }
        return found;
    }

    int index(int row) {
        return Arrays.binarySearch(ranks, observed.rank()[row]);
    }

    /** The steps of the first rank in which all ranks compute, or all of its steps if there is none. */
    long[] steps() {
        return steps;
    }

    private long[] computing() {
        long[] all = of(0).keySet().stream().mapToLong(Long::longValue).toArray();
        long[] good = Arrays.stream(all)
                .filter(step -> IntStream.range(0, ranks.length)
                        .allMatch(rank -> of(rank, step, OperationType.FORWARD_COMPUTE).length > 0
                                && of(rank, step, OperationType.BACKWARD_COMPUTE).length > 0))
                .toArray();
        return good.length == 0 ? all : good;
    }

    private Map<Long, EnumMap<OperationType, int[]>> of(int rank) {
        return rows.getOrDefault(rank, Map.of());
    }

    /** The operations of a type, by start; none where the rank has no such step. */
    int[] of(int rank, long step, OperationType type) {
        EnumMap<OperationType, int[]> types = of(rank).get(step);
        return types == null ? new int[0] : types.getOrDefault(type, new int[0]);
    }

    /** How many operations of a type its rank has in the step of a row. */
    int count(int rank, int row, OperationType type) {
        return of(rank, observed.step()[row], type).length;
    }

    boolean has(int rank, OperationType type) {
        return of(rank).values().stream().anyMatch(types -> types.containsKey(type));
    }

    double start(int row) {
        return observed.start()[row];
    }

    double end(int row) {
        return observed.end()[row];
    }

    TraceFormatException unclear(String problem) {
        return new TraceFormatException(
                ErrorCode.DATA_MISSING,
                source,
                -1,
                "the roles of the ranks cannot be told: " + problem,
                "Where roles are not recovered, the columns of the table say who is who.");
    }
}
