// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.model.Flows;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongOrder;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Arrows from one activity of a device to another: recorders of graphs write down with them what each node waits for. Nodes that only
 * mark a moment hand on what they wait for themselves. Arrows from calls to what they launched are none of these. An arrow to a call
 * of the host says that it waited for an activity.
 */
final class DeviceArrows {
    private static final String CATEGORY = "ac2g";

    /** Where and when something of the host begins. */
    private record Begin(int track, long ts) {}

    private final Slices slices;
    private final DeviceActivity activity;
    private final Flows flows;

    /** By track: its activities and markers, slices in order of start. */
    private final IntList[] nodes;

    /** By slice: which activity it is, -1 for none. */
    private int[] activityOf = {};

    /** By slice that only marks a moment: the arrows that lead there, as a chain through {@link #next}. */
    private final LongIntMap intoMarkers = new LongIntMap(4);

    private final IntList next = new IntList(4);
    private final IntList sources = new IntList(4);

    /** While a marker is followed: nodes that are still to be looked at, and those that were. */
    private final IntList open = new IntList(4);

    private final IntList visited = new IntList(4);
    private final BitSet seen = new BitSet();

    /** The activities that calls waited for. */
    private final Map<Begin, IntList> ofHost = new HashMap<>();

    /** Pairs: an activity, and one that had to end before. */
    final IntList waits = new IntList(4);

    DeviceArrows(Trace trace, DeviceActivity activity) {
        slices = trace.slices();
        this.activity = activity;
        flows = trace.flows();
        nodes = new IntList[trace.tracks().size()];
        int category = trace.strings().find(CATEGORY);
        boolean[] onDevice = new boolean[nodes.length];
        for (int a = 0; a < activity.size(); a++) {
            onDevice[slices.track(activity.slice(a))] = true;
        }
        for (int i = 0; category >= 0 && i < slices.size(); i++) {
            onDevice[slices.track(i)] |= slices.kind(i) == SliceKind.DEVICE_SYNC;
        }
        LongIntMap starts = new LongIntMap(4);
        for (int i = 0; category >= 0 && i < flows.size(); i++) {
            if (flows.phase(i) == 's' && flows.category(i) == category && onDevice[flows.track(i)]) {
                starts.put(flows.id(i), i);
            }
        }
        if (starts.size() > 0) {
            place(onDevice);
            join(starts, category, onDevice);
        }
    }

    private void place(boolean[] onDevice) {
        Arrays.setAll(nodes, track -> new IntList(onDevice[track] ? 64 : 1));
        activityOf = new int[slices.size()];
        Arrays.fill(activityOf, -1);
        for (int a = 0; a < activity.size(); a++) {
            activityOf[activity.slice(a)] = a;
        }
        for (int i = 0; i < activityOf.length; i++) {
            if (activityOf[i] >= 0 || onDevice[slices.track(i)] && slices.kind(i) == SliceKind.DEVICE_SYNC) {
                nodes[slices.track(i)].add(i);
            }
        }
    }

    private void join(LongIntMap starts, int category, boolean[] onDevice) {
        IntList targets = new IntList(4);
        IntList from = new IntList(4);
        for (int i = 0; i < flows.size(); i++) {
            int start = flows.phase(i) == 'f' && flows.category(i) == category ? starts.get(flows.id(i)) : -1;
            int source = start < 0 ? -1 : from(nodes[flows.track(start)], flows.ts(start));
            if (source >= 0 && activityOf[source] >= 0 && !onDevice[flows.track(i)]) {
                ofHost.computeIfAbsent(new Begin(flows.track(i), flows.ts(i)), begin -> new IntList(1))
                        .add(activityOf[source]);
            }
            int target = source < 0 ? -1 : to(nodes[flows.track(i)], flows.ts(i));
            if (target < 0 || target == source) {
                continue;
            }
            if (activityOf[target] >= 0) {
                targets.add(target);
                from.add(source);
            } else {
                next.add(intoMarkers.get(target));
                intoMarkers.put(target, sources.size());
                sources.add(source);
            }
        }
        for (int i = 0; i < targets.size(); i++) {
            int target = activityOf[targets.get(i)];
            int source = activityOf[from.get(i)];
            if (source < 0) {
                waitForMarker(target, from.get(i));
            } else {
                wait(target, source);
            }
        }
    }

    /** The activities that a call waited for by arrows; null for none. */
    @Nullable
    IntList awaitedBy(int call) {
        return ofHost.isEmpty() ? null : ofHost.get(new Begin(slices.track(call), slices.ts(call)));
    }

    private void wait(int target, int source) {
        if (source != target) {
            waits.add(target);
            waits.add(source);
        }
    }

    /** Adds that an activity waited for what a marker waits for. */
    private void waitForMarker(int target, int marker) {
        open.add(marker);
        while (open.size() > 0) {
            int node = open.removeLast();
            if (seen.get(node)) {
                continue;
            }
            seen.set(node);
            visited.add(node);
            int source = activityOf[node];
            if (source < 0) {
                for (int i = intoMarkers.get(node); i >= 0; i = next.get(i)) {
                    open.add(sources.get(i));
                }
                source = intoMarkers.get(node) >= 0 ? -1 : endedBy(node);
            }
            if (source >= 0) {
                wait(target, source);
            }
        }
        for (int i = 0; i < visited.size(); i++) {
            seen.clear(visited.get(i));
        }
        visited.clear();
    }

    /** The last activity on the track of a marker that ended by then, which is what it marks where no arrow says more; -1 for none. */
    private int endedBy(int marker) {
        IntList all = nodes[slices.track(marker)];
        for (int place = lastBy(all, slices.ts(marker)); place >= 0; place--) {
            int a = activityOf[all.get(place)];
            if (a >= 0 && slices.end(all.get(place)) <= slices.ts(marker)) {
                return a;
            }
        }
        return -1;
    }

    /** The node that an arrow comes from: one that ends there, else the last that began by then; -1 for none. */
    private int from(IntList all, long ts) {
        int last = lastBy(all, ts);
        for (int place = last; place >= 0 && slices.ts(all.get(place)) == ts; place--) {
            boolean before = place > 0 && slices.ts(all.get(place - 1)) < ts;
            if (before && slices.end(all.get(place - 1)) == ts) {
                return all.get(place - 1);
            }
        }
        return last < 0 ? -1 : all.get(last);
    }

    /** The node that an arrow leads to, which begins there, an activity rather than a marker; -1 for none. */
    private int to(IntList all, long ts) {
        int found = -1;
        for (int place = lastBy(all, ts); place >= 0 && slices.ts(all.get(place)) == ts; place--) {
            found = found < 0 || activityOf[found] < 0 ? all.get(place) : found;
        }
        return found;
    }

    /** The place of the last node that began by a moment, -1 for none. */
    private int lastBy(IntList all, long ts) {
        return LongOrder.leading(all.size(), place -> slices.ts(all.get(place)) <= ts) - 1;
    }
}
