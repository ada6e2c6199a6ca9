// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.chakra;

import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Diagnostics.Weight;
import dev.lockstep.table.ByteList;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongList;
import dev.lockstep.table.StringPool;

/** The nodes of a file, in its order, column by column. */
final class NodeTable {
    private final StringPool strings;
    private final Diagnostics diagnostics;
    private final LongIntMap byId = new LongIntMap(1 << 10);
    private final LongList awaited = new LongList(1 << 10);
    private final IntList firstAwaited = new IntList(1 << 10);

    final LongList id = new LongList(1 << 10);
    final IntList name = new IntList(1 << 10);
    final ByteList type = new ByteList(1 << 10);
    final ByteList onHost = new ByteList(1 << 10);
    final IntList track = new IntList(1 << 10);
    final IntList group = new IntList(1 << 10);
    final LongList start = new LongList(1 << 10);
    final LongList duration = new LongList(1 << 10);
    final LongList collective = new LongList(16);
    final LongList bytes = new LongList(16);
    final LongList from = new LongList(16);
    final LongList to = new LongList(16);

    NodeTable(StringPool strings, Diagnostics diagnostics) {
        this.strings = strings;
        this.diagnostics = diagnostics;
    }

    int size() {
        return id.size();
    }

    /** Adds a node; one that has no number, or that of another, is left out. */
    void add(ChakraNode node, long position) {
        if (node.id < 0 || byId.get(node.id) >= 0) {
            diagnostics.add(
                    Weight.REPAIRED,
                    "node_number",
                    "a node has no number, or that of another; it was left out",
                    position);
            return;
        }
        byId.put(node.id, size());
        id.add(node.id);
        name.add(strings.intern(node.name.isEmpty() ? "node " + node.id : node.name));
        type.add(Math.clamp(node.type, 0, Byte.MAX_VALUE));
        onHost.add(node.onHost && !node.communicates() ? 1 : 0);
        track.add(node.track.isEmpty() ? -1 : strings.intern(node.track));
        group.add(node.group.isEmpty() ? -1 : strings.intern(node.group));
        start.add(node.startNs);
        duration.add(Math.max(0, node.durationNs));
        collective.add(node.collective);
        bytes.add(node.bytes);
        from.add(node.from);
        to.add(node.to);
        firstAwaited.add(awaited.size());
        for (int i = 0; i < node.dependencies.size(); i++) {
            awaited.add(node.dependencies.get(i));
        }
    }

    boolean communicates(int node) {
        return type.get(node) >= ChakraNode.SEND && type.get(node) <= ChakraNode.COLLECTIVE;
    }

    boolean isOnHost(int node) {
        return onHost.get(node) != 0;
    }

    /** The nodes that one depends on; those that are not there are told of once. */
    int[] before(int node) {
        int end = node + 1 < size() ? firstAwaited.get(node + 1) : awaited.size();
        IntList found = new IntList(Math.max(1, end - firstAwaited.get(node)));
        for (int i = firstAwaited.get(node); i < end; i++) {
            int other = byId.get(awaited.get(i));
            if (other >= 0) {
                found.add(other);
            } else {
                diagnostics.add(
                        Weight.OBSERVATION,
                        "dependency_missing",
                        "node " + id.get(node) + " depends on node " + awaited.get(i) + ", which is not there",
                        -1);
            }
        }
        return found.toArray();
    }
}
