// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.time;

import dev.lockstep.analyze.time.GpuTimeline.Parts;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.derive.HostCollectives;
import dev.lockstep.derive.KernelClass;
import dev.lockstep.derive.Steps;
import dev.lockstep.derive.Steps.Step;
import dev.lockstep.model.IntervalSet;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Steps of a rank whose host exchanges data with other ranks. Such a step lasts as long as its mark on the host, its parts are what
 * devices did meanwhile, and exchanges of the host are communication. In a trace without devices they are exposed while no operator
 * of the host computes, and nothing else has a part.
 */
public final class HostSteps {
    private final Steps steps;
    private final IntervalSet exchange;
    /** When devices did anything, and hosts exchanged data as communication. */
    private final Map<KernelClass, IntervalSet> busy;

    private final boolean devices;
    private final IntervalSet computing;
    private final int[] operators;

    private HostSteps(DerivedCache trace, DeviceActivity activity, Steps steps, HostCollectives host) {
        this.steps = steps;
        devices = activity.size() > 0;
        computing = devices ? IntervalSet.EMPTY : host.computing();
        exchange = host.exchanging();
        busy = new EnumMap<>(activity.busyByClass(1, i -> 0).getFirst());
        busy.merge(KernelClass.COMMUNICATION, exchange, IntervalSet::union);
        operators = new int[steps.steps().size()];
        Slices slices = trace.trace().slices();
        for (int i = 0; i < slices.size() && !devices; i++) {
            int step = slices.kind(i) == SliceKind.CPU_OP ? steps.at(slices.ts(i)) : -1;
            if (step >= 0) {
                operators[step]++;
            }
        }
    }

    /** Of a rank whose host exchanges nothing, or that has no steps, null. */
    public static @Nullable HostSteps of(DerivedCache trace, DeviceActivity activity, Steps steps) {
        HostCollectives host = trace.get(new HostCollectives.Key());
        return host.size() == 0 || steps.steps().isEmpty() ? null : new HostSteps(trace, activity, steps, host);
    }

    /** Whether devices did anything. */
    public boolean hasDevices() {
        return devices;
    }

    /** When a step begins, in ns. */
    public long start(int step) {
        return steps.steps().get(step).start();
    }

    /** How many operators of the host a step has, in a trace without devices; else 0. */
    public int operators(int step) {
        return operators[step];
    }

    /** The parts of a step. */
    public Parts parts(int step) {
        Step of = steps.steps().get(step);
        IntervalSet window = IntervalSet.of(of.start(), of.end());
        long total = of.end() - of.start();
        if (!devices) {
            IntervalSet own = exchange.intersect(window);
            return new Parts(total, 0, own.minus(computing).total(), 0, 0, own.total(), 0, -1, 0);
        }
        Map<KernelClass, IntervalSet> own = new EnumMap<>(KernelClass.class);
        busy.forEach((kernelClass, when) -> own.put(kernelClass, when.intersect(window)));
        return GpuTimeline.parts(own, -1).lasting(total);
    }
}
