// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.model.Flows;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongOrder;
import java.util.Arrays;

/**
 * Arrows from one activity of a device to another: recorders of graphs write down with them what each node waits for. Arrows from calls
 * to what they launched are none of these.
 */
final class DeviceArrows {
    private static final String CATEGORY = "ac2g";

    private final Slices slices;
    private final DeviceActivity activity;
    private final Flows flows;

    /** By track: its activities, in order of start; null where it has none. */
    private final IntList[] activities;

    /** Pairs: an activity, and one that had to end before. */
    final IntList waits = new IntList(4);

    DeviceArrows(Trace trace, DeviceActivity activity) {
        slices = trace.slices();
        this.activity = activity;
        flows = trace.flows();
        activities = new IntList[trace.tracks().size()];
        int category = trace.strings().find(CATEGORY);
        boolean[] onDevice = new boolean[activities.length];
        for (int a = 0; a < activity.size(); a++) {
            onDevice[slices.track(activity.slice(a))] = true;
        }
        LongIntMap starts = new LongIntMap(4);
        for (int i = 0; category >= 0 && i < flows.size(); i++) {
            if (flows.phase(i) == 's' && flows.category(i) == category && onDevice[flows.track(i)]) {
                starts.put(flows.id(i), i);
            }
        }
        if (starts.size() > 0) {
            join(starts, category, onDevice);
        }
    }

    private void join(LongIntMap starts, int category, boolean[] onDevice) {
        Arrays.setAll(activities, track -> new IntList(onDevice[track] ? 64 : 1));
        for (int a = 0; a < activity.size(); a++) {
            activities[slices.track(activity.slice(a))].add(a);
        }
        for (int i = 0; i < flows.size(); i++) {
            int start = flows.phase(i) == 'f' && flows.category(i) == category ? starts.get(flows.id(i)) : -1;
            int from = start < 0 ? -1 : from(flows.track(start), flows.ts(start));
            int to = from < 0 ? -1 : to(flows.track(i), flows.ts(i));
            if (to >= 0 && to != from) {
                waits.add(to);
                waits.add(from);
            }
        }
    }

    /** The activity that an arrow comes from: one that ends there, else the last that began by then; -1 for none. */
    private int from(int track, long ts) {
        IntList all = activities[track];
        int last = lastBy(all, ts);
        boolean before = last > 0 && slices.ts(slice(all, last)) == ts && slices.end(slice(all, last - 1)) == ts;
        return last < 0 ? -1 : all.get(before ? last - 1 : last);
    }

    /** The activity that an arrow leads to, which begins there; -1 for none. */
    private int to(int track, long ts) {
        IntList all = activities[track];
        int last = lastBy(all, ts);
        return last >= 0 && slices.ts(slice(all, last)) == ts ? all.get(last) : -1;
    }

    private int slice(IntList all, int place) {
        return activity.slice(all.get(place));
    }

    /** The place of the last activity that began by a moment, -1 for none. */
    private int lastBy(IntList all, long ts) {
        return LongOrder.leading(all.size(), place -> slices.ts(slice(all, place)) <= ts) - 1;
    }
}
