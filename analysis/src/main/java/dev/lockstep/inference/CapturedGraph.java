// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.inference;

import dev.lockstep.derive.CallTree;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.OpDetails;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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

    /**
     * The captures of a trace, in order of time. The tree must have Python frames.
     *
     * @param framed whether only what stands inside a frame or an operator counts, as tools do it that need stacks
     */
    public static List<CapturedGraph> of(Trace trace, CallTree.Key key, boolean framed) {
        CallTree tree = new DerivedCache(trace).get(key);
        Roots roots = new Roots(trace, tree, framed);
        Children children = new Children(tree, trace.slices().size());
        List<CapturedGraph> graphs = new ArrayList<>();
        for (int[] capture : captures(trace)) {
            graphs.add(between(trace, tree, children, roots.of(capture)));
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

    /** Whether the same operators, on inputs of the same shapes, made the same calls in the same places. */
    boolean looksLike(CapturedGraph other) {
        if (trace != other.trace || !Arrays.equals(parents, other.parents)) {
            return false;
        }
        OpDetails details = trace.view(OpDetails.KEY);
        for (int i = 0; i < nodes.length; i++) {
            boolean same = trace.slices().name(nodes[i]) == trace.slices().name(other.nodes[i]);
            if (!same || dims(details, nodes[i]) != dims(details, other.nodes[i])) {
                return false;
            }
        }
        return true;
    }

    private static int dims(@Nullable OpDetails details, int slice) {
        int row = details == null ? -1 : details.of(slice);
        return row < 0 || details == null ? -1 : details.inputDims(row);
    }

    /** The name of the operator around a call, "" if there is none. */
    String operatorOf(int number) {
        for (int around = parent(number); around > 0; around = parent(around)) {
            if (trace.slices().kind(slice(around)) == SliceKind.CPU_OP) {
                return trace.name(slice(around));
            }
        }
        return "";
    }

    /** How many captures the trace holds from begin to end. */
    static int count(Trace trace) {
        return captures(trace).size();
    }

    /** The calls that begin and end each capture, in order of their beginnings. A thread captures one graph at a time. */
    private static List<int[]> captures(Trace trace) {
        Slices slices = trace.slices();
        Map<Integer, Integer> open = new HashMap<>();
        List<int[]> found = new ArrayList<>();
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i) == SliceKind.RUNTIME_CALL && trace.name(i).contains(BEGIN)) {
                open.put(slices.track(i), i);
            } else if (slices.kind(i) == SliceKind.RUNTIME_CALL && trace.name(i).contains(END)) {
                Integer begin = open.remove(slices.track(i));
                if (begin != null) {
                    found.add(new int[] {begin, i});
                }
            }
        }
        found.sort(Comparator.comparingInt(capture -> capture[0]));
        return found;
    }

    private static CapturedGraph between(Trace trace, CallTree tree, Children children, IntList walk) {
        Slices slices = trace.slices();
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
            int parent = tree.parent(nodes[i]);
            parents[i] = parent < 0 ? 0 : numberOf[parent];
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

    /** What is outermost among the slices of a capture. */
    private record Roots(Trace trace, CallTree tree, boolean framed) {
        private IntList of(int[] capture) {
            Slices slices = trace.slices();
            long from = slices.end(capture[0]);
            long to = slices.ts(capture[1]);
            int first = firstFrom(slices, from);
            Set<Integer> tracks = new HashSet<>(Set.of(slices.track(capture[0])));
            for (int i = first; i < slices.size() && slices.ts(i) <= to; i++) {
                if (isLaunch(i)) {
                    tracks.add(slices.track(i));
                }
            }
            IntList found = new IntList(1024);
            for (int i = first; i < slices.size() && slices.ts(i) <= to; i++) {
                SliceKind kind = slices.kind(i);
                boolean counts = kind == SliceKind.CPU_OP || kind == SliceKind.PYTHON || !framed && isLaunch(i);
                if (counts && slices.end(i) <= to && isOutermost(tree.parent(i), from, to, tracks, i)) {
                    found.add(i);
                }
            }
            return found;
        }

        /** Without stacks nothing stands around the operators of a capture; then threads that enqueue nothing do not count. */
        private boolean isOutermost(int parent, long from, long to, Set<Integer> tracks, int slice) {
            Slices slices = trace.slices();
            return parent < 0
                    ? !framed && tracks.contains(slices.track(slice))
                    : slices.ts(parent) < from || slices.end(parent) > to;
        }

        private boolean isLaunch(int slice) {
            return trace.slices().kind(slice).isLaunchCall() && enqueues(trace.name(slice));
        }
    }

    private static int firstFrom(Slices slices, long ts) {
        return LongOrder.leading(slices.size(), place -> slices.ts(place) < ts);
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
