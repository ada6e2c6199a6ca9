// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.perfetto;

import dev.lockstep.model.Diagnostics.Weight;
import dev.lockstep.model.TraceBuilder;
import dev.lockstep.table.ByteList;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongList;
import dev.lockstep.table.LongOrder;
import java.util.Arrays;

/** What render stages say of each other and of the calls that submitted them, once all is read. */
final class StageLinks {
    private final IntList slices = new IntList(16);
    private final LongList ids = new LongList(16);
    private final ByteList assumed = new ByteList(16);
    /** Pairs: place of a stage among {@link #slices}; the id of one that it waited for. */
    private final LongList waits = new LongList(4);
    /** Pairs: a slice of the host; the id of a stage that it submitted. */
    private final LongList submissions = new LongList(4);

    /** Pairs: a slice of the host; the id of a stage that it waited for. */
    private final LongList awaited = new LongList(4);

    /** By id, then by start: places of stages. */
    private int[] order = {};

    private long[] sortedIds = {};
    /** By place: the slice that tells of the stage, which may be one of another track. */
    private int[] shown = {};

    /**
     * Adds a stage.
     *
     * @param isAssumed whether its number of a launch is its own id, since it names none
     */
    void stage(int slice, long id, boolean isAssumed, LongList waitedFor) {
        for (int i = 0; i < waitedFor.size(); i++) {
            waits.add(slices.size());
            waits.add(waitedFor.get(i));
        }
        slices.add(slice);
        ids.add(id);
        assumed.add(isAssumed ? 1 : 0);
    }

    /** Adds what a call submitted. */
    void submitted(int slice, LongList stages) {
        for (int i = 0; i < stages.size(); i++) {
            submissions.add(slice);
            submissions.add(stages.get(i));
        }
    }

    /** Adds what a call waited for. */
    void awaited(int slice, LongList stages) {
        for (int i = 0; i < stages.size(); i++) {
            awaited.add(slice);
            awaited.add(stages.get(i));
        }
    }

    /** Joins stages with their calls and with what they waited for; those that slices of tracks tell, too, are left out. */
    void resolve(TraceBuilder builder, FlowChains flows) {
        if (slices.size() == 0) {
            return;
        }
        sort(builder);
        joinLaunches(builder);
        leaveOutTwins(builder);
        for (int i = 0; i < submissions.size(); i += 2) {
            int call = (int) submissions.get(i);
            for (int k = first(submissions.get(i + 1)); isOf(k, submissions.get(i + 1)); k++) {
                int slice = shown[order[k]];
                if (builder.correlation(call) > 0 && builder.correlation(call) == builder.correlation(slice)) {
                    flows.launch(call, slice);
                }
            }
        }
        for (int i = 0; i < waits.size(); i += 2) {
            int stage = (int) waits.get(i);
            int before = before(waits.get(i + 1), builder.start(slices.get(stage)), builder);
            if (before >= 0 && shown[before] != shown[stage]) {
                flows.wait(shown[before], shown[stage]);
            }
        }
        for (int i = 0; i < awaited.size(); i += 2) {
            int call = (int) awaited.get(i);
            long end = builder.start(call) + Math.max(0, builder.duration(call));
            int before = before(awaited.get(i + 1), end, builder);
            if (before >= 0) {
                flows.wait(shown[before], call);
            }
        }
    }

    private void sort(TraceBuilder builder) {
        order = new int[slices.size()];
        sortedIds = new long[order.length];
        shown = slices.toArray();
        for (int i = 0; i < order.length; i++) {
            order[i] = i;
            sortedIds[i] = builder.start(slices.get(i));
        }
        LongOrder.sort(sortedIds, order);
        for (int i = 0; i < order.length; i++) {
            sortedIds[i] = ids.get(order[i]);
        }
        LongOrder.sort(sortedIds, order);
    }

    /** The first place in the order whose id is this one or a later one. */
    private int first(long id) {
        return LongOrder.countBelow(sortedIds, id);
    }

    private boolean isOf(int place, long id) {
        return place < order.length && sortedIds[place] == id;
    }

    /** The last stage of an id that began by a moment, else the first of them; -1 for none. Replays of a graph may share ids. */
    private int before(long id, long ts, TraceBuilder builder) {
        int found = -1;
        for (int i = first(id); isOf(i, id); i++) {
            if (found < 0 || builder.start(slices.get(order[i])) <= ts) {
                found = order[i];
            }
        }
        return found;
    }

    private void joinLaunches(TraceBuilder builder) {
        for (int i = 0; i < submissions.size(); i += 2) {
            long number = builder.correlation((int) submissions.get(i));
            long id = submissions.get(i + 1);
            for (int k = first(id); number > 0 && isOf(k, id); k++) {
                if (assumed.get(order[k]) == 1) {
                    join(order[k], number, builder);
                }
            }
        }
        // A launch of a graph names the graph's roots alone: what waits for one of them is of the same launch.
        int[] byStart = new int[waits.size() / 2];
        long[] starts = new long[byStart.length];
        for (int i = 0; i < byStart.length; i++) {
            byStart[i] = i;
            starts[i] = builder.start(slices.get((int) waits.get(2 * i)));
        }
        LongOrder.sort(starts, byStart);
        for (int i : byStart) {
            int stage = (int) waits.get(2 * i);
            int before = assumed.get(stage) == 1
                    ? before(waits.get(2 * i + 1), builder.start(slices.get(stage)), builder)
                    : -1;
            if (before >= 0 && assumed.get(before) != 1) {
                join(stage, builder.correlation(slices.get(before)), builder);
            }
        }
    }

    private void join(int stage, long number, TraceBuilder builder) {
        int slice = slices.get(stage);
        builder.join(slice, number, builder.externalId(slice));
        assumed.set(stage, 0);
    }

    /** Some recorders write the work of a device both ways. */
    private void leaveOutTwins(TraceBuilder builder) {
        LongIntMap byStart = new LongIntMap(16);
        int[] next = new int[builder.sliceCount()];
        Arrays.fill(next, -1);
        int stage = 0;
        for (int i = 0; i < next.length; i++) {
            if (stage < slices.size() && slices.get(stage) == i) {
                stage++;
            } else if (builder.kind(i).isOnDevice() && builder.duration(i) >= 0) {
                next[i] = byStart.put(builder.start(i), i);
            }
        }
        long twice = 0;
        for (int place = 0; byStart.size() > 0 && place < shown.length; place++) {
            int slice = slices.get(place);
            int twin = byStart.get(builder.start(slice));
            while (twin >= 0 && !isSame(twin, slice, builder)) {
                twin = next[twin];
            }
            if (twin >= 0) {
                shown[place] = twin;
                builder.leaveOut(slice);
                twice++;
            }
        }
        if (twice > 0) {
            builder.diagnostics()
                    .add(
                            Weight.OBSERVATION,
                            "recorded_twice",
                            "render stages tell what slices of tracks tell, too; each activity counts once",
                            -1,
                            twice);
        }
    }

    /** Whether a slice is the work that a stage is; recorders may cut a stage where the next one of its stream begins. */
    private static boolean isSame(int slice, int stage, TraceBuilder builder) {
        if (builder.kind(slice) != builder.kind(stage) || builder.duration(stage) > builder.duration(slice)) {
            return false;
        }
        long number = builder.correlation(stage);
        boolean numbered = number > 0 && builder.correlation(slice) > 0;
        return numbered
                ? number == builder.correlation(slice)
                : builder.name(slice) == builder.name(stage) && builder.duration(slice) == builder.duration(stage);
    }
}
