// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongList;

/**
 * The moments between the first and the last device activity in which no stream of any device did anything, in order of
 * time. Their lengths add up to the idle time of the timeline.
 */
public final class DeviceGaps {
    /** The gaps of this activity. */
    public record Key(DeviceActivity.Key activity) implements Derived<DeviceGaps> {
        @Override
        public DeviceGaps derive(Trace trace, DerivedCache cache) {
            return new DeviceGaps(trace.slices(), cache.get(activity));
        }
    }

    private final LongList starts = new LongList(64);
    private final LongList ends = new LongList(64);
    private final IntList last = new IntList(64);
    private final IntList next = new IntList(64);
    private final int first;
    private final int furthest;
    private final long start;
    private final long end;

    private DeviceGaps(Slices slices, DeviceActivity activity) {
        int earliest = -1;
        int latest = -1;
        long reached = 0;
        for (int i = 0; i < activity.size(); i++) {
            int slice = activity.slice(i);
            if (slices.dur(slice) == 0) {
                continue;
            }
            long ts = slices.ts(slice);
            if (latest < 0) {
                earliest = slice;
            } else if (ts > reached) {
                starts.add(reached);
                ends.add(ts);
                last.add(latest);
                next.add(slice);
            }
            if (latest < 0 || slices.end(slice) > reached) {
                reached = slices.end(slice);
                latest = slice;
            }
        }
        first = earliest;
        furthest = latest;
        start = earliest < 0 ? 0 : slices.ts(earliest);
        end = reached;
    }

    /** Number of gaps. */
    public int size() {
        return starts.size();
    }

    /** When the device ran dry, in ns. */
    public long start(int gap) {
        return starts.get(gap);
    }

    /** When the device went on, in ns. */
    public long end(int gap) {
        return ends.get(gap);
    }

    /** Length in ns, more than 0. */
    public long length(int gap) {
        return ends.get(gap) - starts.get(gap);
    }

    /** The activity that had run last when the gap began. */
    public int last(int gap) {
        return last.get(gap);
    }

    /** The activity that ends the gap. */
    public int next(int gap) {
        return next.get(gap);
    }

    /** The activity that starts first, or -1. */
    public int first() {
        return first;
    }

    /** The activity that ends last, or -1. */
    public int furthest() {
        return furthest;
    }

    /** The first start of device activity in ns; 0 without activity. */
    public long spanStart() {
        return start;
    }

    /** The last end of device activity in ns; 0 without activity. */
    public long spanEnd() {
        return end;
    }

    /** From the first start to the last end of device activity in ns, 0 without activity. */
    public long span() {
        return end - start;
    }
}
