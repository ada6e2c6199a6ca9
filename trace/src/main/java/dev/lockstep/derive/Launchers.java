// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.Grafts;
import dev.lockstep.model.Grafts.Role;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The operators that launched device work: the innermost operator around each launch call, or the call itself where
 * there is none. Every device activity with a known launch belongs to exactly one launcher.
 */
public final class Launchers {
    /**
     * Launchers by these rules.
     *
     * @param tree the call tree in which operators are sought
     * @param links how launches are known
     * @param leftOut class of activities that are passed over, or null
     * @param rules judge activities for {@code leftOut}
     */
    public record Key(
            CallTree.Key tree, LaunchRule links, @Nullable KernelClass leftOut, KernelRules rules)
            implements Derived<Launchers> {
        @Override
        public Launchers derive(Trace trace, DerivedCache cache) {
            return new Launchers(trace, cache, this);
        }
    }

    /** The operator that wraps whole graphs and means nothing by itself. */
    private static final String WRAPPER = "execute";

    private final int[] launcher;
    private final int[] firstActivity;
    private final int[] activities;
    private final int[] launcherOf;
    private final CallTree tree;
    private final @Nullable Grafts grafts;
    private final SubtreeActivity inside;

    private Launchers(Trace trace, DerivedCache cache, Key key) {
        grafts = trace.view(Grafts.KEY);
        Slices slices = trace.slices();
        tree = cache.get(key.tree);
        inside = cache.get(new SubtreeActivity.Key(key.tree, key.links));
        LaunchLinks links = cache.get(new LaunchLinks.Key(key.links));
        DeviceActivity all = cache.get(new DeviceActivity.Key(key.rules, null));
        int wrapper = trace.strings().find(WRAPPER);
        launcherOf = new int[slices.size()];
        Arrays.fill(launcherOf, -1);
        IntList owned = new IntList(all.size());
        for (int i = 0; i < all.size(); i++) {
            int slice = all.slice(i);
            int call = links.launchOf(slice);
            if (call < 0) {
                continue;
            }
            if (all.classOf(slice) != key.leftOut) {
                launcherOf[slice] = operatorOf(slices, call, wrapper);
                owned.add(slice);
            }
        }
        activities = owned.toArray();
        long[] keys = new long[activities.length];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = launcherOf[activities[i]];
        }
        LongOrder.sort(keys, activities);
        IntList distinct = new IntList(activities.length / 2);
        IntList firsts = new IntList(activities.length / 2);
        for (int i = 0; i < activities.length; i++) {
            if (i == 0 || keys[i] != keys[i - 1]) {
                distinct.add((int) keys[i]);
                firsts.add(i);
            }
        }
        firsts.add(activities.length);
        launcher = distinct.toArray();
        firstActivity = firsts.toArray();
    }

    /** Number of launchers; they are numbered in order of start. */
    public int size() {
        return launcher.length;
    }

    /** The slice of a launcher. */
    public int slice(int i) {
        return launcher[i];
    }

    /** The number of the launcher with this slice, or -1. */
    public int indexOf(int slice) {
        int i = Arrays.binarySearch(launcher, slice);
        return i < 0 ? -1 : i;
    }

    /** Number of activities that belong to the launcher itself. */
    public int activityCount(int i) {
        return firstActivity[i + 1] - firstActivity[i];
    }

    /** The {@code k}-th of these by start. */
    public int activity(int i, int k) {
        return activities[firstActivity[i] + k];
    }

    /** The slice of the launcher that the device activity belongs to, or -1. */
    public int launcherOf(int deviceSlice) {
        return launcherOf[deviceSlice];
    }

    /** Time in ns in which any of the launcher's own activities ran. */
    public long directBusy(Slices slices, int i) {
        return SubtreeActivity.busy(slices, activities, firstActivity[i], firstActivity[i + 1]);
    }

    /** Time in ns in which any activity ran that was launched inside each launcher, at any depth. */
    public long[] subtreeBusy(Slices slices) {
        long[] busy = new long[size()];
        IntList around = new IntList(64);
        for (int i = 0; i < busy.length; i++) {
            int node = launcher[i];
            if (!tree.isMember(node) || inside.to(node) - inside.from(node) == activityCount(i)) {
                busy[i] = directBusy(slices, i);
            } else {
                around.add(i);
            }
        }
        int[] from = new int[around.size()];
        int[] to = new int[around.size()];
        for (int k = 0; k < from.length; k++) {
            from[k] = inside.from(launcher[around.get(k)]);
            to[k] = inside.to(launcher[around.get(k)]);
        }
        long[] below = inside.busy(from, to);
        for (int k = 0; k < below.length; k++) {
            busy[around.get(k)] = below[k];
        }
        return busy;
    }

    /** The activities that were launched inside the slice, at any depth, in order of their rows. */
    public int[] inside(int i) {
        int node = launcher[i];
        return tree.isMember(node)
                ? inside.sorted(inside.from(node), inside.to(node))
                : Arrays.copyOfRange(activities, firstActivity[i], firstActivity[i + 1]);
    }

    /** Whether the operator only shows a part of the work of the one around it. */
    private boolean isView(int node) {
        int row = grafts == null ? -1 : grafts.of(node);
        return grafts != null && row >= 0 && grafts.role(row) == Role.ADDED_VIEW;
    }

    private int operatorOf(Slices slices, int call, int wrapper) {
        if (slices.kind(call) == SliceKind.CPU_OP) {
            return call;
        }
        for (int node = tree.parent(call); node >= 0; node = tree.parent(node)) {
            SliceKind kind = slices.kind(node);
            if (kind == SliceKind.CPU_OP && slices.name(node) != wrapper && !isView(node)) {
                return node;
            }
            if (kind != SliceKind.CPU_OP && kind != SliceKind.PYTHON) {
                break;
            }
        }
        return call;
    }
}
