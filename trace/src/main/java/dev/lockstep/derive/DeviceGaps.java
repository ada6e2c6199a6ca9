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
    private final IntList next = new IntList(64);
    private final long span;

    private DeviceGaps(Slices slices, DeviceActivity activity) {
        long reached = Long.MIN_VALUE;
        long first = Long.MIN_VALUE;
        for (int i = 0; i < activity.size(); i++) {
            int slice = activity.slice(i);
            if (slices.dur(slice) == 0) {
                continue;
            }
            long ts = slices.ts(slice);
            if (first == Long.MIN_VALUE) {
                first = ts;
            } else if (ts > reached) {
                starts.add(reached);
                ends.add(ts);
                next.add(slice);
            }
            reached = Math.max(reached, slices.end(slice));
        }
        span = first == Long.MIN_VALUE ? 0 : reached - first;
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

    /** The activity that ends the gap. */
    public int next(int gap) {
        return next.get(gap);
    }

    /** From the first start to the last end of device activity in ns, 0 without activity. */
    public long span() {
        return span;
    }
}
