// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens;

import dev.lockstep.derive.RankNumbers;
import dev.lockstep.table.ColumnSpec;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which ranks share a node: as many as it has GPUs, in order. */
final class Nodes {
    static final ColumnSpec NODE = ColumnSpec.id("node_id", "Node of the rank.");
    static final ColumnSpec SPAN =
            ColumnSpec.text("node_span", "intra_node or inter_node, unknown without a list of members.");

    private final int gpusPerNode;
    private final Map<String, String> known = new HashMap<>();

    /** @param gpusPerNode -1 when unknown: then there are no such columns */
    Nodes(int gpusPerNode) {
        this.gpusPerNode = gpusPerNode;
    }

    boolean known() {
        return gpusPerNode > 0;
    }

    int node(int rank) {
        return rank / gpusPerNode;
    }

    String span(@Nullable String groupRanks) {
        return groupRanks == null ? "unknown" : known.computeIfAbsent(groupRanks, this::spanOf);
    }

    private String spanOf(String groupRanks) {
        long[] ranks = RankNumbers.of(groupRanks);
        if (ranks.length == 0) {
            return "unknown";
        }
        for (long rank : ranks) {
            if (rank / gpusPerNode != ranks[0] / gpusPerNode) {
                return "inter_node";
            }
        }
        return "intra_node";
    }
}
