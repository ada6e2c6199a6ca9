// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongList;
import java.util.function.IntPredicate;

/** The least time that devices could need for activities, by the vertices at their ends. */
final class Rooflines {
    /** What of a device's peak a good kernel reaches. */
    private static final double ATTAINABLE = 0.85;

    private final LongIntMap rowOf = new LongIntMap(256);
    private final LongList compute = new LongList(16);
    private final LongList memory = new LongList(16);

    /**
     * Adds what is known of an activity.
     *
     * @param end the vertex at its end
     * @param computeNs for how long the device would compute at its peak
     * @param memoryNs for how long it would move bytes at its bandwidth
     */
    void add(int end, long computeNs, long memoryNs) {
        rowOf.put(end, compute.size());
        compute.add(computeNs);
        memory.add(memoryNs);
    }

    boolean isKnown(int end) {
        return rowOf.get(end) >= 0;
    }

    /** What a good kernel takes for this activity and those before, in ns: no longer than they took. */
    long attainable(long recorded, int... ends) {
        long computing = 0;
        long moving = 0;
        for (int end : ends) {
            computing += compute.get(rowOf.get(end));
            moving += memory.get(rowOf.get(end));
        }
        return Math.min(recorded, Math.round(Math.max(computing, moving) / ATTAINABLE));
    }

    /**
     * Lets activities take what good kernels take, as far as that is known.
     *
     * @param weights of edges, to be changed
     * @throws UserException when it is known of none
     */
    static void apply(DependencyGraph graph, long[] weights, IntPredicate wanted) {
        if (graph.rooflines.rowOf.size() == 0) {
            throw new UserException(
                            ErrorCode.OPTION_INVALID,
                            "no roofline of a kernel is known",
                            "report knows those of operators with a model (sheet work_coverage) on a device that is known.")
                    .about("device");
        }
        for (int v = 0; v < graph.size(); v++) {
            for (int e = graph.firstEdge[v]; e < graph.firstEdge[v + 1]; e++) {
                if (graph.kind[e] == EdgeKind.RUN.ordinal() && wanted.test(v) && graph.rooflines.isKnown(v)) {
                    weights[e] = graph.rooflines.attainable(weights[e], v);
                }
            }
        }
    }
}
