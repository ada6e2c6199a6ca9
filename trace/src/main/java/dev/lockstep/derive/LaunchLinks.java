// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.Flows;
import dev.lockstep.model.Grafts;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Which host call launched which device activity. */
public final class LaunchLinks {
    /** The links by a rule. */
    public record Key(LaunchRule rule) implements Derived<LaunchLinks> {
        @Override
        public LaunchLinks derive(Trace trace, DerivedCache cache) {
            LaunchLinks links = new LaunchLinks(trace.slices().size());
            if (rule == LaunchRule.FLOW_ARROWS) {
                links.linkByArrows(trace);
            } else {
                links.linkByCorrelation(trace);
            }
            Grafts grafts = trace.view(Grafts.KEY);
            if (grafts != null) {
                links.linkGrafts(grafts, new EventIndex(trace));
            }
            return links;
        }
    }

    /** Names of the calls that launch graphs. */
    public static final List<String> GRAPH_LAUNCHES = List.of("cudaGraphLaunch", "hipGraphLaunch");

    private final int[] launchOf;
    private long ambiguous;

    private LaunchLinks(int slices) {
        launchOf = new int[slices];
        Arrays.fill(launchOf, -1);
    }

    /** The call that launched the device activity, or -1. */
    public int launchOf(int deviceSlice) {
        return launchOf[deviceSlice];
    }

    /** How many calls share their correlation number with another call. */
    public long ambiguous() {
        return ambiguous;
    }

    /** Activities whose calls were added to the trace. */
    private void linkGrafts(Grafts grafts, EventIndex events) {
        for (int row = 0; row < grafts.size(); row++) {
            if (grafts.launch(row) >= 0) {
                launchOf[grafts.slice(row)] = events.slice(grafts.launch(row));
            }
        }
    }

    /** Of several calls of one number the one that ends last is the call, which is the outermost. */
    private void linkByCorrelation(Trace trace) {
        Slices slices = trace.slices();
        LongIntMap calls = new LongIntMap(slices.size() / 8);
        LongIntMap ops = new LongIntMap(16);
        for (int i = 0; i < slices.size(); i++) {
            SliceKind kind = slices.kind(i);
            if (kind.isLaunchCall() && slices.correlation(i) > 0) {
                int before = calls.put(slices.correlation(i), i);
                if (before >= 0) {
                    ambiguous++;
                    if (slices.end(before) >= slices.end(i)) {
                        calls.put(slices.correlation(i), before);
                    }
                }
            }
        }
        boolean opsKnown = false;
        for (int i = 0; i < slices.size(); i++) {
            if (!slices.kind(i).isDeviceActivity()) {
                continue;
            }
            int call = slices.correlation(i) > 0 ? calls.get(slices.correlation(i)) : -1;
            if (call < 0 && slices.externalId(i) > 0) {
                if (!opsKnown) {
                    opsKnown = true;
                    collectOps(slices, ops);
                }
                call = ops.get(slices.externalId(i));
            }
            launchOf[i] = call;
        }
    }

    /** The innermost, that is the last begun, operator of each External id. */
    private static void collectOps(Slices slices, LongIntMap ops) {
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i) == SliceKind.CPU_OP && slices.externalId(i) > 0) {
                ops.put(slices.externalId(i), i);
            }
        }
    }

    private void linkByArrows(Trace trace) {
        Slices slices = trace.slices();
        int[] inFileOrder = inFileOrder(slices);
        boolean byCorrelation = usesCorrelation(trace, inFileOrder);
        LongIntMap starts = new LongIntMap(1024);
        LongIntMap ends = new LongIntMap(1024);
        Flows flows = trace.flows();
        int ac2g = trace.strings().find("ac2g");
        for (int i = 0; i < flows.size(); i++) {
            if (flows.category(i) == ac2g && flows.phase(i) == 's') {
                starts.put(flows.id(i), i);
            } else if (flows.category(i) == ac2g && flows.phase(i) == 'f') {
                ends.put(flows.id(i), i);
            }
        }
        Groups activities = new Groups(slices, inFileOrder, byCorrelation);
        for (int call : inFileOrder) {
            if (!slices.kind(call).isLaunchCall()) {
                continue;
            }
            long key = key(slices, call, byCorrelation);
            if (key < 0) {
                continue;
            }
            String name = trace.name(call);
            if (GRAPH_LAUNCHES.contains(name)) {
                for (int i = activities.first(key); i >= 0; i = activities.next(i)) {
                    launchOf[activities.slice(i)] = call;
                }
            } else if (starts.get(key) >= 0 && ends.get(key) >= 0) {
                int found = -1;
                for (int i = activities.first(key); i >= 0; i = activities.next(i)) {
                    if (slices.track(activities.slice(i)) == flows.track(ends.get(key))) {
                        found = activities.slice(i);
                    }
                }
                if (found >= 0) {
                    launchOf[found] = call;
                }
            }
        }
    }

    /** Device activities by key, in the order of the file. */
    private static final class Groups {
        private final LongIntMap firsts = new LongIntMap(1024);
        private final LongIntMap lasts = new LongIntMap(1024);
        private final IntList slicesOf = new IntList(1024);
        private final IntList nexts = new IntList(1024);

        private Groups(Slices slices, int[] inFileOrder, boolean byCorrelation) {
            for (int slice : inFileOrder) {
                long key = slices.kind(slice).isDeviceActivity() ? key(slices, slice, byCorrelation) : -1;
                if (key < 0) {
                    continue;
                }
                int place = slicesOf.size();
                slicesOf.add(slice);
                nexts.add(-1);
                int before = lasts.put(key, place);
                if (before < 0) {
                    firsts.put(key, place);
                } else {
                    nexts.set(before, place);
                }
            }
        }

        private int first(long key) {
            return firsts.get(key);
        }

        private int next(int place) {
            return nexts.get(place);
        }

        private int slice(int place) {
            return slicesOf.get(place);
        }
    }

    private static long key(Slices slices, int slice, boolean byCorrelation) {
        return byCorrelation ? slices.correlation(slice) : slices.externalId(slice);
    }

    /** Whether the first launch call of the file has a correlation number. */
    private static boolean usesCorrelation(Trace trace, int[] inFileOrder) {
        for (int slice : inFileOrder) {
            if (trace.slices().kind(slice).isLaunchCall()
                    && trace.name(slice).toLowerCase(Locale.ROOT).contains("launch")) {
                return trace.slices().correlation(slice) >= 0;
            }
        }
        return false;
    }

    private static int[] inFileOrder(Slices slices) {
        IntList rows = new IntList(slices.size() / 4);
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i).isLaunchCall() || slices.kind(i).isDeviceActivity()) {
                rows.add(i);
            }
        }
        int[] order = rows.toArray();
        long[] places = new long[order.length];
        for (int i = 0; i < order.length; i++) {
            places[i] = slices.index(order[i]);
        }
        LongOrder.sort(places, order);
        return order;
    }
}
