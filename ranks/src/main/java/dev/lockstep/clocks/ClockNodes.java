// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.clocks;

import dev.lockstep.derive.HostNames;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Which ranks share a host, whose clock they read.
 *
 * @param nodeOf by rank: number of its node, -1 when unknown
 * @param names of the nodes
 * @param basis how that is known, in words
 */
@SuppressWarnings("ArrayRecordComponent") // never changed
public record ClockNodes(int[] nodeOf, List<String> names, String basis) {
    /** @param gpusPerNode ranks of a node as given, 0 or less to go by the names of hosts */
    static ClockNodes of(List<RankRecording> ranks, int gpusPerNode) {
        List<@Nullable String> names = new ArrayList<>();
        if (gpusPerNode > 0) {
            ranks.forEach(r -> names.add("node " + r.info().rank().index() / gpusPerNode));
            return of(names, gpusPerNode + " ranks a node, as given");
        }
        names.addAll(HostNames.of(ranks.stream().map(RankRecording::info).toList()));
        boolean any = names.stream().anyMatch(name -> name != null);
        return of(names, any ? "names of hosts" : "unknown: the traces name no hosts");
    }

    private static ClockNodes of(List<@Nullable String> names, String basis) {
        Map<String, Integer> numbers = new LinkedHashMap<>();
        int[] nodes = new int[names.size()];
        Arrays.fill(nodes, -1);
        for (int rank = 0; rank < nodes.length; rank++) {
            String name = names.get(rank);
            if (name != null) {
                Integer known = numbers.putIfAbsent(name, numbers.size());
                nodes[rank] = known == null ? numbers.size() - 1 : known;
            }
        }
        return new ClockNodes(nodes, List.copyOf(numbers.keySet()), basis);
    }

    /** {@return places of the ranks of a node} */
    public int[] ranksOf(int node) {
        return IntStream.range(0, nodeOf.length)
                .filter(rank -> nodeOf[rank] == node)
                .toArray();
    }
}
