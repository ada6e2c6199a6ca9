// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.output;

import dev.lockstep.aiu.pipeline.DeviceTimes;
import dev.lockstep.table.DoubleList;

/** Executions of one kernel on one process. */
public final class KernelGroup {
    final long pid;
    final String name;
    final DoubleList durations = new DoubleList(4);
    /** Cycles from each counter to the next one. */
    final DoubleList[] steps = new DoubleList[DeviceTimes.COUNT - 1];

    double start = 1e30;
    double end;

    public KernelGroup(long pid, String name) {
        this.pid = pid;
        this.name = name;
        for (int i = 0; i < steps.length; i++) {
            steps[i] = new DoubleList(4);
        }
    }

    public void add(double ts, double dur, long[] cycles) {
        durations.add(dur);
        for (int i = 0; i < steps.length; i++) {
            steps[i].add((double) (cycles[i + 1] - cycles[i]));
        }
        start = Math.min(start, ts);
        end = Math.max(end, ts + dur);
    }
}
