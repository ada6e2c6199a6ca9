// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.iterations;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.derive.LaunchRule;
import dev.lockstep.model.EndEvents;
import dev.lockstep.model.Flows;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.LongIntMap;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which iteration each event belongs to. On the host, the one in which it starts; slices that are longer than the
 * iteration enclose several and belong to none. On the device, the one that launched it, whenever it runs. Arrows stay with
 * what they start at, so that none is torn apart.
 */
public final class EventOwners {
    /** In no iteration: before, behind, or around several. */
    public static final int OUTSIDE = -1;

    /** Not among the slices: decided by its time. */
    private static final int UNKNOWN = -2;

    private final long[] starts;
    private final long[] ends;
    private final int[] byEvent;
    private final LongIntMap byCorrelation = new LongIntMap(1024);
    private final Map<String, LongIntMap> byArrow = new HashMap<>();

    private EventOwners(List<Window> windows, int events) {
        starts = windows.stream().mapToLong(Window::start).toArray();
        ends = windows.stream().mapToLong(Window::end).toArray();
        byEvent = new int[events];
        Arrays.fill(byEvent, UNKNOWN);
    }

    /** The owners of all events of a trace. */
    public static EventOwners of(DerivedCache cache, List<Window> windows) {
        Trace trace = cache.trace();
        EventOwners owners =
                new EventOwners(windows, Math.toIntExact(trace.counts().events()) + 1);
        owners.host(trace.slices());
        owners.device(trace.slices(), cache.get(new LaunchLinks.Key(LaunchRule.CORRELATION)));
        owners.arrows(trace);
        owners.ends(trace);
        return owners;
    }

    /** The iteration in which a moment lies, or {@link #OUTSIDE}. */
    public int at(long ts) {
        int place = Arrays.binarySearch(starts, ts);
        int i = place >= 0 ? place : -place - 2;
        return i >= 0 && ts < ends[i] ? i : OUTSIDE;
    }

    /**
     * The owner of a slice.
     *
     * @param event place among the events of the file
     * @param ts its time, which decides about what is no slice
     */
    public int ofSlice(int event, long ts) {
        int owner = event < byEvent.length ? byEvent[event] : UNKNOWN;
        return owner == UNKNOWN ? at(ts) : owner;
    }

    /**
     * The owner of an end of an arrow.
     *
     * @param category as in the file, empty when there is none
     * @param id of the arrow
     */
    int ofArrow(String category, long id, long ts) {
        LongIntMap known = byArrow.get(category);
        int owner = known == null ? -1 : known.get(id) - 1;
        if (owner == -2) {
            owner = byCorrelation.get(id) - 1;
        }
        return owner == -2 ? at(ts) : owner;
    }

    private void host(Slices slices) {
        for (int i = 0; i < slices.size(); i++) {
            SliceKind kind = slices.kind(i);
            if (kind.isOnDevice()) {
                continue;
            }
            int owner = at(slices.ts(i));
            if (owner >= 0 && slices.dur(i) > ends[owner] - starts[owner]) {
                owner = OUTSIDE;
            }
            own(slices, i, owner);
            if (kind.isLaunchCall() && slices.correlation(i) >= 0) {
                byCorrelation.put(slices.correlation(i), owner + 1);
            }
        }
    }

    private void device(Slices slices, LaunchLinks links) {
        Map<Integer, Integer> latest = new HashMap<>();
        for (int i = slices.size() - 1; i >= 0; i--) {
            SliceKind kind = slices.kind(i);
            if (!kind.isOnDevice()) {
                continue;
            }
            int owner;
            if (kind == SliceKind.DEVICE_ANNOTATION) {
                // Backwards in time: what was met last on its track is what runs first inside.
                owner = latest.getOrDefault(slices.track(i), at(slices.ts(i)));
            } else {
                int call = kind.isDeviceActivity() ? links.launchOf(i) : -1;
                int known = call >= 0 ? byEvent[slices.index(call)] : byCorrelation.get(slices.correlation(i)) - 1;
                owner = known == UNKNOWN ? at(slices.ts(i)) : known;
                latest.put(slices.track(i), owner);
            }
            own(slices, i, owner);
        }
    }

    private void arrows(Trace trace) {
        Flows flows = trace.flows();
        for (int i = 0; i < flows.size(); i++) {
            if (flows.phase(i) == 's') {
                String category = flows.category(i) < 0 ? "" : trace.strings().get(flows.category(i));
                int known = byCorrelation.get(flows.id(i)) - 1;
                boolean launch = category.contains("ac2g") || category.contains("gpu");
                int owner = launch && known != UNKNOWN ? known : at(flows.ts(i));
                byArrow.computeIfAbsent(category, c -> new LongIntMap(16)).put(flows.id(i), owner + 1);
            }
        }
    }

    /** Events that end slices go with those that begin them. */
    private void ends(Trace trace) {
        EndEvents ends = trace.view(EndEvents.KEY);
        for (int row = 0; ends != null && row < ends.size(); row++) {
            byEvent[ends.index(row)] = byEvent[trace.slices().index(ends.slice(row))];
        }
    }

    private void own(Slices slices, int slice, int owner) {
        int event = slices.index(slice);
        if (event >= 0 && event < byEvent.length) {
            byEvent[event] = owner;
        }
    }
}
