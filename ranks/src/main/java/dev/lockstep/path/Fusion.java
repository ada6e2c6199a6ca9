// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Kernels that follow each other on a stream become one: it is launched and waits as the first, and takes what all their work takes
 * at the roofline where that is known of all, else as long as they took, without the gaps between them. Kernels that themselves wait
 * for another stream stay.
 */
final class Fusion {
    private final DependencyGraph graph;
    private final long[] weights;
    private final long[] residuals;
    /** By vertex at the end of an activity: the start of the next on its stream, -1 where there is none. */
    private final int[] follower;
    /** By vertex: the vertex that its {@code run} edge leads to, and that edge; -1 where there is none. */
    private final int[] endOf;

    private final int[] runOf;

    private Fusion(DependencyGraph graph, long[] weights, long[] residuals) {
        this.graph = graph;
        this.weights = weights;
        this.residuals = residuals;
        follower = new int[graph.size()];
        endOf = new int[graph.size()];
        runOf = new int[graph.size()];
        Arrays.fill(follower, -1);
        Arrays.fill(endOf, -1);
        for (int v : graph.order) {
            boolean alone = true;
            int before = -1;
            for (int e = graph.firstEdge[v]; e < graph.firstEdge[v + 1]; e++) {
                switch (EdgeKind.of(graph.kind[e])) {
                    case RUN -> {
                        endOf[graph.source[e]] = v;
                        runOf[graph.source[e]] = e;
                    }
                    case STREAM, NODE -> before = graph.source[e];
                    case WAIT, INFERRED, MEMBER -> alone = false;
                    default -> {}
                }
            }
            if (before >= 0 && alone) {
                follower[before] = v;
            }
        }
    }

    /**
     * Fuses kernels.
     *
     * @param names which activities come first, second and so on, by the vertices at their ends
     * @param factor what the fused kernel takes of what they took, in millionths; -1 for what the roofline says
     */
    static void apply(DependencyGraph graph, long[] weights, long[] residuals, List<IntPredicate> names, long factor) {
        Fusion fusion = new Fusion(graph, weights, residuals);
        boolean[] fused = new boolean[graph.size()];
        for (int start : graph.order) {
            int[] ends = fusion.chain(start, names);
            if (ends.length > 0 && !fused[ends[0]]) {
                for (int end : ends) {
                    fused[end] = true;
                }
                fusion.fuse(start, ends, factor);
            }
        }
    }

    /** The ends of the activities that match, one after the other; empty where they do not. */
    private int[] chain(int start, List<IntPredicate> names) {
        int[] ends = new int[names.size()];
        int at = start;
        for (int i = 0; i < ends.length; i++) {
            int end = at < 0 ? -1 : endOf[at];
            if (end < 0 || !names.get(i).test(end)) {
                return new int[0];
            }
            ends[i] = end;
            at = follower[end];
        }
        return ends;
    }

    private void fuse(int start, int[] ends, long factor) {
        long together = weights[runOf[start]];
        boolean known = graph.rooflines.isKnown(ends[0]);
        for (int i = 1; i < ends.length; i++) {
            int next = follower[ends[i - 1]];
            together += weights[runOf[next]];
            known &= graph.rooflines.isKnown(ends[i]);
            weights[runOf[next]] = 0;
            residuals[next] = 0;
            for (int e = graph.firstEdge[next]; e < graph.firstEdge[next + 1]; e++) {
                together += graph.isOverlap(e) ? graph.weight[e] : 0; // what both ran at once counts once
                weights[e] = EdgeKind.of(graph.kind[e]).isOrderOfStream() ? 0 : TransferEdit.LONG_AGO;
            }
        }
        long time = together;
        if (factor >= 0) {
            time = Edit.times(together, factor);
        } else if (known) {
            time = graph.rooflines.attainable(together, ends);
        }
        weights[runOf[start]] = time;
    }
}
