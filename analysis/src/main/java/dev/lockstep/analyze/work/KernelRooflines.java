// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import dev.lockstep.analyze.WorkRules;
import dev.lockstep.derive.Derived;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.SubtreeActivity;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.options.Device;
import dev.lockstep.perfmodel.OpModel;
import dev.lockstep.perfmodel.Work;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongList;

/**
 * The least time that the device could need for single activities: what it would compute for at its peak, and move bytes for at its
 * bandwidth. Of an operator with several activities, each has the part that its duration has. Immutable.
 */
public final class KernelRooflines {
    /**
     * By these definitions.
     *
     * @param rules definitions; without a device nothing is known
     */
    public record Key(WorkRules rules) implements Derived<KernelRooflines> {
        @Override
        public KernelRooflines derive(Trace trace, DerivedCache cache) {
            return new KernelRooflines(trace.slices(), cache, rules);
        }
    }

    private static final double NS_PER_S = 1e9;

    private final LongIntMap rowOf = new LongIntMap(256);
    private final LongList compute = new LongList(256);
    private final LongList memory = new LongList(256);

    private KernelRooflines(Slices slices, DerivedCache cache, WorkRules rules) {
        Device device = rules.device();
        if (device == null) {
            return;
        }
        PerfEvents events = cache.get(new PerfEvents.Key(rules));
        SubtreeActivity activity = cache.get(rules.activity());
        Works works = cache.get(new Works.Key(rules));
        for (int i = 0; i < events.size(); i++) {
            OpModel model = events.model(i);
            if (model == null && events.forward(i) < 0) {
                continue;
            }
            Works.Outcome outcome = model == null ? works.backward(events.forward(i)) : works.forward(events.op(i));
            Work work = outcome.work();
            if (work != null && outcome.roofline() != null) {
                double computing = work.flops() / device.flopsPerSecond(work.computeSpec()) * NS_PER_S;
                double moving = work.bytes() / device.bytesPerSecond() * NS_PER_S;
                divide(slices, activity, events.from(i), events.to(i), computing, moving);
            }
        }
    }

    private void divide(Slices slices, SubtreeActivity activity, int from, int to, double computing, double moving) {
        double whole = 0;
        for (int i = from; i < to; i++) {
            whole += slices.dur(activity.activity(i));
        }
        for (int i = from; i < to && whole > 0; i++) {
            double part = slices.dur(activity.activity(i)) / whole;
            rowOf.put(activity.activity(i), compute.size());
            compute.add(Math.round(computing * part));
            memory.add(Math.round(moving * part));
        }
    }

    /** {@return whether the least time of a device slice is known} */
    public boolean isKnown(int slice) {
        return rowOf.get(slice) >= 0;
    }

    /** {@return for how long the device would compute at its peak, in ns} */
    public long computeNs(int slice) {
        return compute.get(rowOf.get(slice));
    }

    /** {@return for how long the device would move bytes at its bandwidth, in ns} */
    public long memoryNs(int slice) {
        return memory.get(rowOf.get(slice));
    }
}
