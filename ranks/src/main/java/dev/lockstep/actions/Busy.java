// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.actions;

import dev.lockstep.derive.KernelClass;
import dev.lockstep.model.IntervalSet;

/**
 * What the devices do at a time.
 *
 * @param any when anything runs: the union of the others
 * @param computation when a kernel computes
 * @param communication when communication runs beside none
 * @param rest when only other work runs, such as copies
 */
record Busy(IntervalSet any, IntervalSet computation, IntervalSet communication, IntervalSet rest) {
    static Busy of(ActionTrace trace) {
        IntervalSet.Builder computation = new IntervalSet.Builder();
        IntervalSet.Builder communication = new IntervalSet.Builder();
        for (int a = 0; a < trace.activity.size(); a++) {
            int slice = trace.activity.slice(a);
            if (trace.isComputation(slice)) {
                computation.add(trace.slices.ts(slice), trace.slices.end(slice));
            } else if (trace.activity.classOf(slice) == KernelClass.COMMUNICATION) {
                communication.add(trace.slices.ts(slice), trace.slices.end(slice));
            }
        }
        IntervalSet any = trace.activity.busy();
        IntervalSet computing = computation.build();
        IntervalSet exposed = communication.build().minus(computing);
        return new Busy(any, computing, exposed, any.minus(computing).minus(exposed));
    }
}
