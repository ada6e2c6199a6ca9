// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongOrder;
import java.util.Arrays;

/**
 * The call tree with the device activity that was launched in it: an activity is a child of the call that launched it,
 * behind the calls inside that call. Nodes are slice rows. What has no known launch takes no part.
 */
public final class WorkTree {
    /**
     * By these rules.
     *
     * @param tree the host part
     * @param links how launches are known
     */
    public record Key(CallTree.Key tree, LaunchRule links) implements Derived<WorkTree> {
        @Override
        public WorkTree derive(Trace trace, DerivedCache cache) {
            return new WorkTree(trace, cache.get(tree), cache.get(new LaunchLinks.Key(links)), tree.nesting());
        }
    }

    private final CallTree tree;
    private final int[] parent;
    private final int[] firstChild;
    private final int[] children;
    private final int[] work;
    private final int[] workBefore;

    private WorkTree(Trace trace, CallTree tree, LaunchLinks links, Nesting nesting) {
        this.tree = tree;
        Slices slices = trace.slices();
        int n = slices.size();
        parent = new int[n];
        Arrays.fill(parent, -1);
        int[] activities = linked(slices, links, nesting);
        for (int i = 0; i < tree.size(); i++) {
            parent[tree.node(i)] = tree.parent(tree.node(i));
        }
        for (int activity : activities) {
            parent[activity] = links.launchOf(activity);
        }
        firstChild = new int[n + 1];
        for (int i = 0; i < n; i++) {
            if (parent[i] >= 0) {
                firstChild[parent[i] + 1]++;
            }
        }
        for (int i = 0; i < n; i++) {
            firstChild[i + 1] += firstChild[i];
        }
        children = new int[firstChild[n]];
        int[] next = Arrays.copyOf(firstChild, n);
        for (int i = 0; i < tree.size(); i++) {
            int node = tree.node(i);
            if (parent[node] >= 0) {
                children[next[parent[node]]++] = node;
            }
        }
        workBefore = new int[tree.size() + 1];
        for (int activity : activities) {
            children[next[parent[activity]]++] = activity;
            workBefore[tree.enter(parent[activity]) + 1]++;
        }
        for (int i = 0; i < tree.size(); i++) {
            workBefore[i + 1] += workBefore[i];
        }
        work = new int[activities.length];
        int[] place = Arrays.copyOf(workBefore, tree.size());
        for (int activity : activities) {
            work[place[tree.enter(parent[activity])]++] = activity;
        }
    }

    private static int[] linked(Slices slices, LaunchLinks links, Nesting nesting) {
        IntList found = new IntList(slices.size() / 8);
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i).isDeviceActivity() && links.launchOf(i) >= 0) {
                found.add(i);
            }
        }
        int[] rows = found.toArray();
        if (nesting == Nesting.BY_FILE_ORDER) {
            long[] places = new long[rows.length];
            for (int i = 0; i < rows.length; i++) {
                places[i] = slices.index(rows[i]);
            }
            LongOrder.sort(places, rows);
        }
        return rows;
    }

    /** The host part alone. */
    public CallTree calls() {
        return tree;
    }

    /** The enclosing call, of an activity the call that launched it; -1 for none. */
    public int parent(int slice) {
        return parent[slice];
    }

    public int childCount(int slice) {
        return firstChild[slice + 1] - firstChild[slice];
    }

    /** The {@code k}-th child: calls by start, then activities. */
    public int child(int slice, int k) {
        return children[firstChild[slice] + k];
    }

    /** How many activities were launched inside a call, at any depth. */
    public int workCount(int call) {
        return tree.isMember(call) ? workBefore[tree.exit(call)] - workBefore[tree.enter(call)] : 0;
    }

    /** The {@code k}-th activity launched inside a call, in order of launch. */
    public int work(int call, int k) {
        return work[workBefore[tree.enter(call)] + k];
    }
}
