// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.rocprofv1;

import dev.lockstep.model.TraceBuilder;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongList;
import dev.lockstep.table.LongOrder;
import java.util.HashMap;
import java.util.Map;

/**
 * Joins calls with what they launched, by the arrows of the file: one starts in the middle of its call, and ends where its task
 * begins, to the microsecond.
 */
final class TaskArrows {
    private static final String ARROW = "DataFlow";

    /** Slices of a lane of a section, and when they begin and end as the file shows it. */
    private static final class Lane {
        private final LongList begins = new LongList(16);
        private final LongList ends = new LongList(16);
        private final IntList slices = new IntList(16);
        private int[] order = {};
        private long[] sorted = {};

        private void sort() {
            order = new int[slices.size()];
            sorted = begins.toArray();
            for (int i = 0; i < order.length; i++) {
                order[i] = i;
            }
            LongOrder.sort(sorted, order);
        }

        /** The slice in which a moment is, that which began last; -1 for none. */
        private int at(long moment) {
            int place = LongOrder.countBelow(sorted, moment + 1) - 1;
            for (int i = place; i >= 0 && i > place - OPEN; i--) {
                if (ends.get(order[i]) >= moment) {
                    return slices.get(order[i]);
                }
            }
            return -1;
        }

        /** The slice that begins at a moment; -1 for none. */
        private int from(long moment) {
            int place = LongOrder.countBelow(sorted, moment);
            return place < sorted.length && sorted[place] == moment ? slices.get(order[place]) : -1;
        }
    }

    /** The most finished calls that are looked at before the call around a moment is given up. */
    private static final int OPEN = 64;

    private final Map<Long, Lane> lanes = new HashMap<>();
    private final LongList arrows = new LongList(16);

    void slice(SectionEvent f, int slice) {
        if (f.shown != SectionEvent.ABSENT) {
            Lane lane = lanes.computeIfAbsent(key(f.section, f.lane), k -> new Lane());
            lane.begins.add(f.shown);
            lane.ends.add(f.shown + Math.max(0, f.shownDuration));
            lane.slices.add(slice);
        }
    }

    /** Adds an end of an arrow. */
    void arrow(SectionEvent f) {
        if (f.id >= 0 && f.shown != SectionEvent.ABSENT) {
            arrows.add(f.phase.equals("s") ? 0 : 1);
            arrows.add(f.id);
            arrows.add(key(f.section, f.lane));
            arrows.add(f.shown);
        }
    }

    private static long key(long section, long lane) {
        return section << Integer.SIZE | lane & 0xFFFFFFFFL;
    }

    /** Says in the trace what belongs together. */
    void join(TraceBuilder builder) {
        lanes.values().forEach(Lane::sort);
        LongIntMap calls = new LongIntMap(16);
        for (int i = 0; i < arrows.size(); i += 4) {
            Lane lane = lanes.get(arrows.get(i + 2));
            int call = lane == null || arrows.get(i) != 0 ? -1 : lane.at(arrows.get(i + 3));
            if (call >= 0) {
                calls.put(arrows.get(i + 1), call);
            }
        }
        int category = builder.strings().intern(ARROW);
        for (int i = 0; i < arrows.size(); i += 4) {
            Lane lane = lanes.get(arrows.get(i + 2));
            int task = lane == null || arrows.get(i) == 0 ? -1 : lane.from(arrows.get(i + 3));
            int call = task < 0 ? -1 : calls.get(arrows.get(i + 1));
            if (call >= 0 && builder.correlation(task) < 0) {
                long known = builder.correlation(call);
                long number = known > 0 ? known : arrows.get(i + 1) + 1;
                builder.join(call, number, -1);
                builder.join(task, number, -1);
                builder.flow(arrows.get(i + 1), 's', builder.start(call), builder.trackOf(call), category);
                builder.flow(arrows.get(i + 1), 'f', builder.start(task), builder.trackOf(task), category);
            }
        }
    }
}
