// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.table.StringPool;
import java.util.Arrays;

/** Gives the names of one trace to the vertices of a graph, whose names are numbered for all ranks. */
final class NamesOfPieces {
    private final StringPool names;
    private final GraphBuilder graph;
    private final int[] known;

    NamesOfPieces(StringPool names, GraphBuilder graph) {
        this.names = names;
        this.graph = graph;
        known = new int[names.size()];
        Arrays.fill(known, -1);
    }

    void name(int vertex, HostOwners piece) {
        graph.name(vertex, of(piece.label), of(piece.operator), of(piece.module));
    }

    /** The graph's number of a name of the trace. */
    int of(int name) {
        if (name < 0) {
            return -1;
        }
        if (known[name] < 0) {
            known[name] = graph.names.internFrom(names, name);
        }
        return known[name];
    }
}
