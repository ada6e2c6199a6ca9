// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
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
            return new WorkTree(
                    trace,
                    cache.get(tree),
                    cache.get(new LaunchLinks.Key(links)),
                    cache.get(new SubtreeActivity.Key(tree, links)));
        }
    }

    private final CallTree tree;
    private final int[] parent;
    private final int[] firstChild;
    private final int[] children;
    private final SubtreeActivity work;

    private WorkTree(Trace trace, CallTree tree, LaunchLinks links, SubtreeActivity work) {
        this.tree = tree;
        this.work = work;
        Slices slices = trace.slices();
        int n = slices.size();
        parent = new int[n];
        Arrays.fill(parent, -1);
        for (int i = 0; i < tree.size(); i++) {
            parent[tree.node(i)] = tree.parent(tree.node(i));
        }
        for (int i = 0; i < work.size(); i++) {
            parent[work.activity(i)] = links.launchOf(work.activity(i));
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
        for (int i = 0; i < work.size(); i++) {
            children[next[parent[work.activity(i)]]++] = work.activity(i);
        }
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

    /** The {@code k}-th child: calls by start, then activities by start. */
    public int child(int slice, int k) {
        return children[firstChild[slice] + k];
    }

    /** The activities that were launched inside calls. */
    public SubtreeActivity work() {
        return work;
    }
}
