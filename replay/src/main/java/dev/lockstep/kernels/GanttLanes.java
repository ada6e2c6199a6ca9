// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.derive.KernelRules;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.StringPool;
import dev.lockstep.words.ShownNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * When the kernels of a rank ran: lanes for each device and stream, as many as activities of the stream ran at a time.
 *
 * @param lanes in order of device, stream and level; may be empty
 * @param names what the ids of lanes stand for
 * @param start first start of all, 0 without activity
 * @param end last end of all, 0 without activity
 * @param crowded activities that had to share a lane with one that still ran, because the stream had no more
 * @param leftOut activities of devices that do not count
 */
public record GanttLanes(List<GanttLane> lanes, StringPool names, long start, long end, long crowded, long leftOut) {
    /** As many activities of a stream can be told apart at a time. */
    static final int MOST_LEVELS = 8;

    /** Activities that overlap by no more than this follow each other: clocks of devices are no finer. */
    private static final long TOLERANCE_NS = 100;

    public GanttLanes {
        lanes = List.copyOf(lanes);
    }

    /**
     * The lanes of a trace.
     *
     * @param devices that count; empty for all
     */
    public static GanttLanes of(Trace trace, Set<String> devices) {
        DeviceActivity activity = new DerivedCache(trace).get(new DeviceActivity.Key(KernelRules.standard(), null));
        return new Placing(trace, activity, devices).lanes();
    }

    /** The name of an activity as people read it, by its number. */
    public String name(int number) {
        return ShownNames.of(names.get(number));
    }

    /** Number of activities. */
    public long size() {
        return lanes.stream().mapToLong(GanttLane::size).sum();
    }

    private static final class Placing {
        private final Slices slices;
        private final Trace trace;
        private final DeviceActivity activity;
        private final Set<String> devices;
        private long crowded;

        private Placing(Trace trace, DeviceActivity activity, Set<String> devices) {
            this.trace = trace;
            this.slices = trace.slices();
            this.activity = activity;
            this.devices = devices;
        }

        private GanttLanes lanes() {
            int streams = activity.streams().size();
            long[][] ends = new long[streams][MOST_LEVELS];
            int[] levels = new int[streams];
            IntList[] members = new IntList[streams * MOST_LEVELS];
            for (int i = 0; i < activity.size(); i++) {
                int stream = activity.streamOf(i);
                int level = level(ends[stream], levels, stream, i);
                int place = stream * MOST_LEVELS + level;
                if (members[place] == null) {
                    members[place] = new IntList(64);
                }
                members[place].add(activity.slice(i));
            }
            List<GanttLane> lanes = new ArrayList<>();
            long leftOut = 0;
            for (int place = 0; place < members.length; place++) {
                if (members[place] == null) {
                    continue;
                }
                DeviceActivity.Stream stream = activity.streams().get(place / MOST_LEVELS);
                if (devices.isEmpty() || devices.contains(stream.device())) {
                    lanes.add(lane(stream, place % MOST_LEVELS, members[place]));
                } else {
                    leftOut += members[place].size();
                }
            }
            long start = lanes.stream().mapToLong(lane -> lane.start()[0]).min().orElse(0);
            long end = Long.MIN_VALUE;
            for (GanttLane lane : lanes) {
                for (long e : lane.end()) {
                    end = Math.max(end, e);
                }
            }
            return new GanttLanes(lanes, trace.strings(), start, lanes.isEmpty() ? 0 : end, crowded, leftOut);
        }

        /** The first lane of the stream that is free, else a new one, else the one that is free soonest. */
        private int level(long[] ends, int[] levels, int stream, int i) {
            long start = slices.ts(activity.slice(i));
            long end = slices.end(activity.slice(i));
            int soonest = 0;
            for (int level = 0; level < levels[stream]; level++) {
                if (ends[level] <= start + TOLERANCE_NS) {
                    ends[level] = Math.max(ends[level], end);
                    return level;
                }
                soonest = ends[level] < ends[soonest] ? level : soonest;
            }
            int level = soonest;
            if (levels[stream] < MOST_LEVELS) {
                level = levels[stream]++;
                ends[level] = Long.MIN_VALUE;
            } else {
                crowded++;
            }
            ends[level] = Math.max(ends[level], end);
            return level;
        }

        private GanttLane lane(DeviceActivity.Stream stream, int level, IntList members) {
            int n = members.size();
            long origin = trace.info().originNs();
            long[] start = new long[n];
            long[] end = new long[n];
            byte[] kind = new byte[n];
            int[] name = new int[n];
            for (int i = 0; i < n; i++) {
                int slice = members.get(i);
                start[i] = slices.ts(slice) + origin;
                end[i] = slices.end(slice) + origin;
                kind[i] = (byte) activity.classOf(slice).ordinal();
                name[i] = slices.name(slice);
            }
            return new GanttLane(stream.device(), stream.stream(), level, start, end, kind, name);
        }
    }
}
