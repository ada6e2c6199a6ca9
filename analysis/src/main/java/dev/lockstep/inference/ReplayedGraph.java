// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.inference;

import dev.lockstep.table.IntList;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * What ran for one launch of a graph, in order of time.
 *
 * @param rows the activities
 * @param work what each is
 * @param streams on which stream each ran
 * @param graph number of the graph, -1 when the profiler did not note it
 * @param nodes number of the node of each, -1 where it was not noted
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ReplayedGraph(int[] rows, WorkSequence work, long[] streams, long graph, long[] nodes) {
    int size() {
        return rows.length;
    }

    /** Whether each activity has a node of its own. */
    boolean hasNodes() {
        return graph > 0
                && IntStream.range(0, size()).allMatch(i -> nodes[i] >= 0)
                && IntStream.range(0, size())
                                .mapToLong(i -> nodes[i])
                                .distinct()
                                .count()
                        == size();
    }

    /** The places of the activities in the order in which their nodes were captured. */
    int[] byNode() {
        return IntStream.range(0, size())
                .boxed()
                .sorted((a, b) -> Long.compare(nodes[a], nodes[b]))
                .mapToInt(i -> i)
                .toArray();
    }

    /** The places of the activities of each stream, streams in order of their first activity. */
    List<int[]> chains() {
        Map<Long, IntList> chains = new LinkedHashMap<>();
        for (int i = 0; i < size(); i++) {
            chains.computeIfAbsent(streams[i], stream -> new IntList(64)).add(i);
        }
        List<int[]> found = new ArrayList<>();
        chains.values().forEach(chain -> found.add(chain.toArray()));
        return found;
    }
}
