// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.inference;

import dev.lockstep.derive.CallTree;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What the host did between the begin and the end of one capture of a stream: the calls that became the graph. Calls are
 * numbered in order of time, the outer before the inner, from 1; number 0 stands for the capture as a whole.
 */
public final class CapturedGraph {
    private static final String BEGIN = "StreamBeginCapture";
    private static final String END = "StreamEndCapture";

    private final Trace trace;
    private final int[] nodes;
    private final int[] parents;
    private final int[] launches;

    private CapturedGraph(Trace trace, int[] nodes, int[] parents, int[] launches) {
        this.trace = trace;
        this.nodes = nodes;
        this.parents = parents;
        this.launches = launches;
    }

    /** The captures of a trace, in order of time. The tree must have Python frames. */
    public static List<CapturedGraph> of(Trace trace, CallTree.Key key) {
        CallTree tree = new DerivedCache(trace).get(key);
        int[] begins = calls(trace, BEGIN);
        int[] ends = calls(trace, END);
        Children children = new Children(tree, trace.slices().size());
        List<CapturedGraph> graphs = new ArrayList<>();
        for (int i = 0; i < Math.min(begins.length, ends.length); i++) {
            graphs.add(between(
                    trace,
                    tree,
                    children,
                    trace.slices().end(begins[i]),
                    trace.slices().ts(ends[i])));
        }
        return graphs;
    }

    /** The trace in which it was recorded. */
    Trace trace() {
        return trace;
    }

    /** One more than the largest number of a call. */
    int size() {
        return nodes.length + 1;
    }

    /** The slice of a call, from 1. */
    int slice(int number) {
        return nodes[number - 1];
    }

    /** The number of the call around it, 0 for the capture itself. */
    int parent(int number) {
        return parents[number - 1];
    }

    /** How many calls enqueued work. */
    int launchCount() {
        return launches.length;
    }

    /** The number of the {@code i}-th of these. */
    int launch(int i) {
        return launches[i];
    }

    /** How many captures begin in the trace. */
    static int count(Trace trace) {
        return calls(trace, BEGIN).length;
    }

    private static int[] calls(Trace trace, String part) {
        Slices slices = trace.slices();
        IntList found = new IntList(16);
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i) == SliceKind.RUNTIME_CALL && trace.name(i).contains(part)) {
                found.add(i);
            }
        }
        return found.toArray();
    }

    private static CapturedGraph between(Trace trace, CallTree tree, Children children, long from, long to) {
        Slices slices = trace.slices();
        IntList walk = new IntList(1024);
        for (int i = firstFrom(slices, from); i < slices.size() && slices.ts(i) <= to; i++) {
            SliceKind kind = slices.kind(i);
            int parent = tree.parent(i);
            boolean outermost =
                    parent >= 0 && slices.end(i) <= to && (slices.ts(parent) < from || slices.end(parent) > to);
            if (outermost && (kind == SliceKind.CPU_OP || kind == SliceKind.PYTHON)) {
                walk.add(i);
            }
        }
        for (int i = 0; i < walk.size(); i++) {
            for (int child = children.first(walk.get(i)); child >= 0; child = children.next(child)) {
                walk.add(child);
            }
        }
        int[] nodes = walk.toArray();
        long[] starts = new long[nodes.length];
        for (int i = 0; i < nodes.length; i++) {
            starts[i] = slices.ts(nodes[i]);
        }
        LongOrder.sort(starts, nodes);
        return numbered(trace, tree, nodes);
    }

    private static CapturedGraph numbered(Trace trace, CallTree tree, int[] nodes) {
        Slices slices = trace.slices();
        int[] numberOf = new int[slices.size()];
        for (int i = 0; i < nodes.length; i++) {
            numberOf[nodes[i]] = i + 1;
        }
        int[] parents = new int[nodes.length];
        IntList launches = new IntList(256);
        for (int i = 0; i < nodes.length; i++) {
            parents[i] = numberOf[tree.parent(nodes[i])];
            if (slices.kind(nodes[i]).isLaunchCall() && enqueues(trace.name(nodes[i]))) {
                launches.add(i + 1);
            }
        }
        return new CapturedGraph(trace, nodes, parents, launches.toArray());
    }

    private static boolean enqueues(String call) {
        String lower = call.toLowerCase(Locale.ROOT);
        return lower.contains("launch") || lower.contains("memcpy") || lower.contains("memset");
    }

    private static int firstFrom(Slices slices, long ts) {
        int from = 0;
        int to = slices.size();
        while (from < to) {
            int middle = from + to >>> 1;
            if (slices.ts(middle) < ts) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from;
    }

    /** The children of nodes in the order of the tree. */
    private static final class Children {
        private final int[] first;
        private final int[] next;

        private Children(CallTree tree, int slices) {
            first = new int[slices];
            next = new int[slices];
            Arrays.fill(first, -1);
            Arrays.fill(next, -1);
            for (int i = tree.size() - 1; i >= 0; i--) {
                int node = tree.node(i);
                int parent = tree.parent(node);
                if (parent >= 0) {
                    next[node] = first[parent];
                    first[parent] = node;
                }
            }
        }

        private int first(int node) {
            return first[node];
        }

        private int next(int node) {
            return next[node];
        }
    }
}
