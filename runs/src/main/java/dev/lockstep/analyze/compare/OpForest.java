// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.compare;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.derive.CallTree;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.derive.Launchers;
import dev.lockstep.model.OpDetails;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.IntTuples;
import dev.lockstep.table.LongOrder;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The operators of one trace that have to do with device work: those that launched any, and all operators around them.
 * Nodes are numbered by start, parents before children. Launch calls outside of any operator are nodes, too.
 */
final class OpForest {
    private final Trace trace;
    private final DeviceActivity activity;
    private final int[] slice;
    private final int[] parent;
    private final int[] firstChild;
    private final int[] children;
    private final int[] launched;
    private final int[] launcher;
    private final int[] name;
    private final int[] signature;

    /**
     * @param names numbers names for both traces
     * @param signatures numbers names with shapes for both traces
     */
    OpForest(DerivedCache cache, AnalysisRules rules, SharedNames names, IntTuples signatures) {
        trace = cache.trace();
        Slices slices = trace.slices();
        activity = cache.get(rules.activity());
        Launchers launchers = cache.get(rules.launchers());
        CallTree tree = cache.get(rules.tree());
        slice = members(slices, tree, launchers);
        int[] nodeOf = new int[slices.size()];
        Arrays.fill(nodeOf, -1);
        for (int node = 0; node < slice.length; node++) {
            nodeOf[slice[node]] = node;
        }
        parent = parents(slices, tree, nodeOf);
        firstChild = new int[slice.length + 2];
        for (int above : parent) {
            firstChild[above + 2]++;
        }
        for (int i = 1; i < firstChild.length; i++) {
            firstChild[i] += firstChild[i - 1];
        }
        children = new int[slice.length];
        int[] next = Arrays.copyOf(firstChild, slice.length + 1);
        for (int node = 0; node < slice.length; node++) {
            children[next[parent[node] + 1]++] = node;
        }
        launched = inOrderOfLaunch(cache, rules);
        launcher = new int[slices.size()];
        Arrays.fill(launcher, -1);
        for (int device : launched) {
            int by = launchers.launcherOf(device);
            launcher[device] = by < 0 ? -1 : nodeOf[by];
        }
        name = new int[slice.length];
        signature = new int[slice.length];
        number(names, signatures);
    }

    private static int[] members(Slices slices, CallTree tree, Launchers launchers) {
        BitSet seen = new BitSet(slices.size());
        IntList found = new IntList(launchers.size());
        for (int i = 0; i < launchers.size(); i++) {
            int node = launchers.slice(i);
            if (slices.kind(node) != SliceKind.CPU_OP) {
                found.add(node);
            }
            for (; node >= 0 && !seen.get(node); node = tree.parent(node)) {
                seen.set(node);
                if (slices.kind(node) == SliceKind.CPU_OP) {
                    found.add(node);
                }
            }
        }
        int[] members = found.toArray();
        Arrays.sort(members);
        return members;
    }

    private int[] parents(Slices slices, CallTree tree, int[] nodeOf) {
        int[] above = new int[slice.length];
        for (int node = 0; node < slice.length; node++) {
            int at = tree.parent(slice[node]);
            while (at >= 0 && (nodeOf[at] < 0 || slices.kind(at) != SliceKind.CPU_OP)) {
                at = tree.parent(at);
            }
            above[node] = at < 0 ? -1 : nodeOf[at];
        }
        return above;
    }

    /** All device activity by start of the call that launched it; what has no known launch comes last, by start. */
    private int[] inOrderOfLaunch(DerivedCache cache, AnalysisRules rules) {
        LaunchLinks links = cache.get(new LaunchLinks.Key(rules.links()));
        int[] order = new int[activity.size()];
        long[] calls = new long[order.length];
        for (int i = 0; i < order.length; i++) {
            order[i] = activity.slice(i);
            int call = links.launchOf(order[i]);
            calls[i] = call < 0 ? Long.MAX_VALUE >> 1 : call;
        }
        LongOrder.sort(calls, order);
        return order;
    }

    private void number(SharedNames names, IntTuples signatures) {
        OpDetails details = trace.view(OpDetails.KEY);
        int[] known = new int[trace.strings().size()];
        Arrays.fill(known, -1);
        for (int node = 0; node < slice.length; node++) {
            int text = trace.slices().name(slice[node]);
            boolean op = trace.slices().kind(slice[node]) == SliceKind.CPU_OP;
            if (known[text] < 0) {
                String spelt = trace.strings().get(text);
                known[text] = op ? names.op(spelt) : names.call(spelt);
            }
            name[node] = known[text];
            int row = details == null ? -1 : details.of(slice[node]);
            int tuple = signatures.then(IntTuples.ROOT, name[node]);
            tuple = signatures.then(tuple, shared(details == null || row < 0 ? -1 : details.inputDims(row), names));
            signature[node] =
                    signatures.then(tuple, shared(details == null || row < 0 ? -1 : details.inputTypes(row), names));
        }
    }

    private int shared(int text, SharedNames names) {
        return text < 0 ? -1 : names.text(trace.strings().get(text));
    }

    Trace trace() {
        return trace;
    }

    DeviceActivity activity() {
        return activity;
    }

    /** Number of nodes. */
    int size() {
        return slice.length;
    }

    int slice(int node) {
        return slice[node];
    }

    /** The node around, or -1. */
    int parent(int node) {
        return parent[node];
    }

    /** The children by start; of -1 the outermost nodes of all threads. */
    int[] children(int node) {
        return Arrays.copyOfRange(children, firstChild[node + 1], firstChild[node + 2]);
    }

    /** All device activity, in order of launch. */
    int[] launched() {
        return launched;
    }

    /** The node that launched the device slice, or -1. */
    int launcher(int deviceSlice) {
        return launcher[deviceSlice];
    }

    /** Number of the node's name, in both traces the same. */
    int name(int node) {
        return name[node];
    }

    /** Number of the node's name with the shapes and types of its inputs, in both traces the same. */
    int signature(int node) {
        return signature[node];
    }
}
