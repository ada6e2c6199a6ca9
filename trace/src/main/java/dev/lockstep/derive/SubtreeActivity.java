// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongOrder;
import java.util.Arrays;

/**
 * The device activity that was launched at any depth inside each node of the call tree. Activities stand in the order in
 * which the walk through the tree meets their launches, so that those of a node are a range, {@link #from} to {@link #to}.
 */
public final class SubtreeActivity {
    /** Activities below the nodes of this tree, by these links. */
    public record Key(CallTree.Key tree, LaunchRule links) implements Derived<SubtreeActivity> {
        @Override
        public SubtreeActivity derive(Trace trace, DerivedCache cache) {
            return new SubtreeActivity(trace, cache.get(tree), cache.get(new LaunchLinks.Key(links)));
        }
    }

    /** In how many ranges an activity is on average, at most, for joining each range to cost less than the walk. */
    private static final int FEW_SHARED = 64;

    private final Slices slices;
    private final CallTree tree;
    private final int[] activities;
    private final int[] before;

    private SubtreeActivity(Trace trace, CallTree tree, LaunchLinks links) {
        this.slices = trace.slices();
        this.tree = tree;
        IntList linked = new IntList(1024);
        before = new int[tree.size() + 1];
        for (int i = 0; i < slices.size(); i++) {
            int call = slices.kind(i).isDeviceActivity() ? links.launchOf(i) : -1;
            if (call >= 0) {
                linked.add(i);
                before[tree.enter(call) + 1]++;
            }
        }
        for (int i = 1; i < before.length; i++) {
            before[i] += before[i - 1];
        }
        activities = linked.toArray();
        long[] entries = new long[activities.length];
        for (int i = 0; i < entries.length; i++) {
            entries[i] = tree.enter(links.launchOf(activities[i]));
        }
        LongOrder.sort(entries, activities);
    }

    /** Number of activities with a known launch. */
    public int size() {
        return activities.length;
    }

    /** The device slice of the {@code i}-th activity; those of one launch stand by their start. */
    public int activity(int i) {
        return activities[i];
    }

    /** Where the activities below the node, or of the node itself, begin. */
    public int from(int node) {
        return tree.isMember(node) ? before[tree.enter(node)] : 0;
    }

    /** Where they end, exclusive. */
    public int to(int node) {
        return tree.isMember(node) ? before[tree.exit(node)] : 0;
    }

    /** Whether anything was launched inside the node. */
    public boolean hasAny(int node) {
        return to(node) > from(node);
    }

    /** Time in ns in which any activity of a range ran. */
    public long busy(int from, int to) {
        if (to - from == 1) {
            return slices.dur(activities[from]);
        }
        return busy(slices, activities, from, to);
    }

    /**
     * Time in ns in which any activity of each range ran. Ranges that share few activities are joined one by one; else all
     * are in one walk over the activities, so that the nesting of calls costs nothing.
     *
     * @param from where each range begins
     * @param to where it ends, exclusive
     */
    public long[] busy(int[] from, int[] to) {
        long joined = 0;
        for (int i = 0; i < from.length; i++) {
            joined += to[i] - from[i];
        }
        if (joined > (long) FEW_SHARED * activities.length) {
            return CoveredTime.of(slices, activities, from, to);
        }
        long[] busy = new long[from.length];
        for (int i = 0; i < busy.length; i++) {
            busy[i] = busy(from[i], to[i]);
        }
        return busy;
    }

    /** The device slices of a range. */
    public int[] range(int from, int to) {
        return Arrays.copyOfRange(activities, from, to);
    }

    /** The device slices of a range, in order of their rows, which is the order of their starts. */
    public int[] sorted(int from, int to) {
        int[] rows = Arrays.copyOfRange(activities, from, to);
        Arrays.sort(rows);
        return rows;
    }

    /** Length in ns of the union of slices, in any order. */
    public static long busy(Slices slices, int[] rows, int from, int to) {
        for (int i = from + 1; i < to; i++) {
            if (rows[i] < rows[i - 1]) {
                int[] sorted = Arrays.copyOfRange(rows, from, to);
                Arrays.sort(sorted);
                return union(slices, sorted, 0, sorted.length);
            }
        }
        return union(slices, rows, from, to);
    }

    /** Slices in order of their rows are in order of their starts. */
    private static long union(Slices slices, int[] rows, int from, int to) {
        long total = 0;
        long reached = Long.MIN_VALUE;
        for (int i = from; i < to; i++) {
            long start = Math.max(slices.ts(rows[i]), reached);
            long end = slices.end(rows[i]);
            if (end > start) {
                total += end - start;
            }
            reached = Math.max(reached, end);
        }
        return total;
    }
}
