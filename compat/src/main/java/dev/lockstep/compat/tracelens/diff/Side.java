// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens.diff;

import dev.lockstep.derive.CallTree;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.LaunchRule;
import dev.lockstep.derive.MicrosecondDoubles;
import dev.lockstep.derive.Nesting;
import dev.lockstep.derive.WorkTree;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongOrder;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/** One of the two traces as the tool sees it: a tree of slices with what it asks of them. */
final class Side {
    private static final int UNKNOWN = -1;

    private final Trace trace;
    private final Slices slices;
    private final WorkTree tree;
    private final NodeNames names;
    private final int[] strict;
    private final int[] loose;
    private final int graphCuda;
    private final int graphHip;
    /** A root whose only descendants down to a branch were passed over has the children of that branch. */
    private final Map<Integer, Integer> shortened = new HashMap<>();

    Side(DerivedCache cache, boolean python, NodeNames names) {
        trace = cache.trace();
        slices = trace.slices();
        tree = cache.get(new WorkTree.Key(new CallTree.Key(Nesting.BY_FILE_ORDER, python), LaunchRule.FLOW_ARROWS));
        this.names = names;
        strict = new int[trace.strings().size()];
        loose = new int[strict.length];
        Arrays.fill(strict, UNKNOWN);
        Arrays.fill(loose, UNKNOWN);
        graphCuda = trace.strings().find("cudaGraphLaunch");
        graphHip = trace.strings().find("hipGraphLaunch");
    }

    Trace trace() {
        return trace;
    }

    WorkTree tree() {
        return tree;
    }

    /** Number of the name as it is compared. */
    int name(int node) {
        int text = slices.name(node);
        if (strict[text] == UNKNOWN) {
            strict[text] = names.number(trace.strings().get(text), false);
        }
        return strict[text];
    }

    /** Number of the name as it is compared loosely. */
    int looseName(int node) {
        int text = slices.name(node);
        if (loose[text] == UNKNOWN) {
            loose[text] = names.number(trace.strings().get(text), true);
        }
        return loose[text];
    }

    /** Whether device work hangs below the node, or the node is such work. */
    boolean isOnPath(int node) {
        return slices.kind(node).isDeviceActivity() || tree.work().hasAny(node);
    }

    /** Whether the node is a call of the runtime or driver, other than one that launches a graph. */
    boolean isDispatch(int node) {
        return slices.kind(node).isLaunchCall() && !isGraphLaunch(node);
    }

    boolean isGraphLaunch(int node) {
        int name = slices.name(node);
        return name == graphCuda || name == graphHip;
    }

    boolean isOp(int node) {
        return slices.kind(node) == SliceKind.CPU_OP;
    }

    boolean isKernel(int node) {
        return slices.kind(node) == SliceKind.KERNEL;
    }

    /** Whether the tool lists the node by itself: kernels and copies, but no fills. */
    boolean isListed(int node) {
        SliceKind kind = slices.kind(node);
        return kind == SliceKind.KERNEL || kind == SliceKind.MEMCPY;
    }

    int childCount(int node) {
        return tree.childCount(source(node));
    }

    int child(int node, int k) {
        return tree.child(source(node), k);
    }

    /** The children with device work: calls by start, then, in the order of the file, what a graph launched. */
    IntList childrenOnPath(int node) {
        IntList found = new IntList(childCount(node));
        for (int k = 0; k < childCount(node); k++) {
            if (isOnPath(child(node, k))) {
                found.add(child(node, k));
            }
        }
        return isGraphLaunch(source(node)) ? activitiesInFileOrder(found) : found;
    }

    private IntList activitiesInFileOrder(IntList nodes) {
        int[] rows = nodes.toArray();
        long[] places = new long[rows.length];
        for (int i = 0; i < rows.length; i++) {
            places[i] = slices.kind(rows[i]).isDeviceActivity() ? slices.index(rows[i]) : -1;
        }
        LongOrder.sort(places, rows);
        IntList sorted = new IntList(rows.length);
        for (int row : rows) {
            sorted.add(row);
        }
        return sorted;
    }

    /** Orders nodes by start; those that start together stay as they are. */
    int[] byStart(IntList nodes) {
        int[] rows = nodes.toArray();
        MicrosecondDoubles.sortByStart(slices, rows);
        return rows;
    }

    /** The activities launched below a call, in the order in which their calls, then they themselves, stand in the file. */
    int[] workInFileOrder(int call) {
        int[] rows = tree.work().range(tree.work().from(call), tree.work().to(call));
        long[] places = new long[rows.length];
        for (int k = 0; k < rows.length; k++) {
            places[k] = slices.index(rows[k]);
        }
        LongOrder.sort(places, rows);
        for (int k = 0; k < rows.length; k++) {
            places[k] = slices.index(tree.parent(rows[k]));
        }
        LongOrder.sort(places, rows);
        return rows;
    }

    /** The operator around the launch of an activity, or -1. */
    int opAround(int activity) {
        int node = tree.parent(activity);
        while (node >= 0 && !isOp(node)) {
            node = tree.parent(node);
        }
        return node;
    }

    /** The tops of the trees that hold operators, each once, in order of their first operator. */
    int[] roots() {
        BitSet seen = new BitSet();
        IntList roots = new IntList(64);
        for (int op : outermostOps()) {
            int root = shorten(top(op));
            if (!seen.get(root)) {
                seen.set(root);
                roots.add(root);
            }
        }
        return roots.toArray();
    }

    private int[] outermostOps() {
        CallTree calls = tree.calls();
        IntList found = new IntList(256);
        for (int i = 0; i < calls.size(); i++) {
            int node = calls.node(i);
            if (isOp(node) && !calls.isUnplaced(node) && !isInsideOp(node)) {
                found.add(node);
            }
        }
        int[] ops = found.toArray();
        long[] keys = new long[ops.length];
        for (int i = 0; i < ops.length; i++) {
            keys[i] = slices.index(ops[i]);
        }
        LongOrder.sort(keys, ops);
        MicrosecondDoubles.sortByStart(slices, ops);
        return ops;
    }

    private boolean isInsideOp(int node) {
        for (int above = tree.parent(node); above >= 0; above = tree.parent(above)) {
            if (isOp(above)) {
                return true;
            }
        }
        return false;
    }

    private int top(int node) {
        int top = node;
        while (tree.parent(top) >= 0) {
            top = tree.parent(top);
        }
        return top;
    }

    /**
     * Passes over nodes with a single child, down to the first that branches or whose child is an operator or a call.
     * The root gets that node's children, so that it is taken for another root when it is asked for again, as the tool does.
     */
    private int shorten(int root) {
        int node = root;
        while (childCount(node) == 1) {
            int child = child(node, 0);
            if ((isOp(child) || slices.kind(child).isLaunchCall()) && !isGraphLaunch(child)) {
                break;
            }
            node = child;
        }
        if (node != root) {
            shortened.put(root, source(node));
        }
        return node;
    }

    private int source(int node) {
        return shortened.isEmpty() ? node : shortened.getOrDefault(node, node);
    }
}
