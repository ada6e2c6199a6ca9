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
import org.jspecify.annotations.Nullable;

/**
 * The work of single activities, and the least time that the device could need for it: what it would compute for at its peak, and move
 * bytes for at its bandwidth. Of an operator with several activities, each has the part that its duration has. Immutable.
 */
public final class KernelRooflines {
    /**
     * By these definitions.
     *
     * @param rules definitions; without a device no times are known
     */
    public record Key(WorkRules rules) implements Derived<KernelRooflines> {
        @Override
        public KernelRooflines derive(Trace trace, DerivedCache cache) {
            return new KernelRooflines(trace.slices(), cache, rules);
        }
    }

    private static final double NS_PER_S = 1e9;

    private static final long UNKNOWN = -1;

    private final LongIntMap rowOf = new LongIntMap(256);
    private final LongList flops = new LongList(256);
    private final LongList bytes = new LongList(256);
    private final LongList compute = new LongList(256);
    private final LongList memory = new LongList(256);

    private KernelRooflines(Slices slices, DerivedCache cache, WorkRules rules) {
        Device device = rules.device();
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
            if (work != null) {
                boolean timed = device != null && outcome.roofline() != null;
                divide(slices, activity, events.from(i), events.to(i), work, timed ? device : null);
            }
        }
    }

    private void divide(Slices slices, SubtreeActivity activity, int from, int to, Work work, @Nullable Device device) {
        double whole = 0;
        for (int i = from; i < to; i++) {
            whole += slices.dur(activity.activity(i));
        }
        for (int i = from; i < to && whole > 0; i++) {
            double part = slices.dur(activity.activity(i)) / whole;
            rowOf.put(activity.activity(i), compute.size());
            flops.add(Math.round(work.flops() * part));
            bytes.add(Math.round(work.bytes() * part));
            compute.add(
                    device == null
                            ? UNKNOWN
                            : Math.round(work.flops() / device.flopsPerSecond(work.computeSpec()) * NS_PER_S * part));
            memory.add(device == null ? UNKNOWN : Math.round(work.bytes() / device.bytesPerSecond() * NS_PER_S * part));
        }
    }

    /** {@return the operations of a device slice on numbers; 0 where they are not known} */
    public long flops(int slice) {
        int row = rowOf.get(slice);
        return row < 0 ? 0 : flops.get(row);
    }

    /** {@return the bytes that a device slice must move; 0 where they are not known} */
    public long bytes(int slice) {
        int row = rowOf.get(slice);
        return row < 0 ? 0 : bytes.get(row);
    }

    /** {@return whether the least time of a device slice is known} */
    public boolean isKnown(int slice) {
        int row = rowOf.get(slice);
        return row >= 0 && compute.get(row) != UNKNOWN;
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
