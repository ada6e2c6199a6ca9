// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import dev.lockstep.derive.HostNames;
import dev.lockstep.derive.RankCollectives;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Which ranks share a node, and how that is known. */
public final class NodeMap {
    /** Whether ranks of a group share a node. */
    public enum Span {
        INTRA_NODE,
        INTER_NODE,
        UNKNOWN;

        /** Stable word for sheets. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Map<Integer, Integer> nodes;
    private final int gpusPerNode;
    private final String basis;

    private NodeMap(Map<Integer, Integer> nodes, int gpusPerNode, String basis) {
        this.nodes = nodes;
        this.gpusPerNode = gpusPerNode;
        this.basis = basis;
    }

    /**
     * The nodes of these ranks: by the number of ranks of a node if it is given, else by the host names of the traces,
     * else by the number of devices that the first trace lists.
     */
    public static NodeMap of(List<RankCollectives> ranks, int gpusPerNode) {
        if (gpusPerNode > 0) {
            return new NodeMap(Map.of(), gpusPerNode, gpusPerNode + " ranks a node, as given");
        }
        Map<Integer, Integer> byHost = byHost(ranks);
        if (byHost != null) {
            return new NodeMap(byHost, -1, "host names in the traces");
        }
        int devices = ranks.isEmpty() ? 0 : ranks.getFirst().info().devices().size();
        return devices > 1
                ? new NodeMap(Map.of(), devices, devices + " ranks a node, as many as the trace lists devices")
                : new NodeMap(Map.of(), -1, "unknown: the traces name neither hosts nor several devices");
    }

    /** How the nodes are known, in words. */
    public String basis() {
        return basis;
    }

    /** The node of a rank, -1 when unknown. */
    public int node(int rank) {
        return gpusPerNode > 0 ? rank / gpusPerNode : nodes.getOrDefault(rank, -1);
    }

    /** Whether all of these ranks share a node. */
    public Span span(long[] ranks) {
        if (ranks.length == 0) {
            return Span.UNKNOWN;
        }
        int first = node((int) ranks[0]);
        for (long rank : ranks) {
            int node = node((int) rank);
            if (node < 0) {
                return Span.UNKNOWN;
            }
            if (node != first) {
                return Span.INTER_NODE;
            }
        }
        return Span.INTRA_NODE;
    }

    private static @Nullable Map<Integer, Integer> byHost(List<RankCollectives> ranks) {
        Map<String, Integer> hosts = new HashMap<>();
        Map<Integer, Integer> nodes = new TreeMap<>();
        List<@Nullable String> names =
                HostNames.of(ranks.stream().map(RankCollectives::info).toList());
        for (int i = 0; i < ranks.size(); i++) {
            String host = names.get(i);
            if (host == null) {
                return null;
            }
            Integer known = hosts.putIfAbsent(host, hosts.size());
            nodes.put(ranks.get(i).rank(), known == null ? hosts.size() - 1 : known);
        }
        return nodes;
    }
}
