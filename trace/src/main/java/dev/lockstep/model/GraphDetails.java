// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

/** Which node of which captured graph a device activity ran for, or a captured call became, where the profiler notes it. */
public final class GraphDetails extends DetailView {
    /** The key under which a trace holds this table. */
    public static final TableKey<GraphDetails> KEY =
            new TableKey<>("graph_details", GraphDetails.class, 0, 2, GraphDetails::new);

    /** Number: {@link #graph}. */
    public static final int GRAPH = 0;
    /** Number: {@link #node}. */
    public static final int NODE = 1;

    private GraphDetails(DetailTable table) {
        super(table);
    }

    /**
     * {@return number of the instantiated graph, the same in all its launches; -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public long graph(int row) {
        return table.number(GRAPH, row);
    }

    /**
     * {@return number of the node, the same in all launches of the graph; -1 when absent}
     *
     * @param row row of this table, from 0
     */
    public long node(int row) {
        return table.number(NODE, row);
    }
}
