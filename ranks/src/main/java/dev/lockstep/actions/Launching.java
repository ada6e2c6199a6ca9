// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.actions;

import dev.lockstep.table.IntList;
import dev.lockstep.table.LongOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * An operator and the activities that it launches itself, not through another operator.
 *
 * @param operator its slice
 * @param name its name
 * @param activities slices, in order of launches
 * @param inputs the tensors it got
 */
record Launching(int operator, String name, IntList activities, TensorInputs inputs) {
    /** All of a recording, in the order of the launches of what they launch first. */
    static List<Launching> all(ActionTrace trace) {
        int[] activities = new int[trace.activity.size()];
        long[] calls = new long[activities.length];
        int count = 0;
        for (int a = 0; a < trace.activity.size(); a++) {
            int slice = trace.activity.slice(a);
            int call = trace.links.launchOf(slice);
            if (trace.operatorOf(call) >= 0) {
                activities[count] = slice;
                calls[count++] = call;
            }
        }
        if (count == 0) {
            return List.of();
        }
        activities = Arrays.copyOf(activities, count);
        LongOrder.sort(Arrays.copyOf(calls, count), activities);
        List<Launching> all = new ArrayList<>();
        for (int from = 0; from < count; ) {
            int operator = trace.operatorOf(trace.links.launchOf(activities[from]));
            int to = from + 1;
            while (to < count && trace.operatorOf(trace.links.launchOf(activities[to])) == operator) {
                to++;
            }
            IntList own = new IntList(to - from);
            for (int i = from; i < to; i++) {
                own.add(activities[i]);
            }
            all.add(new Launching(operator, trace.trace.name(operator), own, trace.inputs(operator)));
            from = to;
        }
        return all;
    }

    /** When the call begins that launches its first activity. */
    long launched(ActionTrace trace) {
        return trace.slices.ts(trace.links.launchOf(activities.get(0)));
    }

    /** For how long its activities run in sum, in ns. */
    long time(ActionTrace trace) {
        long time = 0;
        for (int i = 0; i < activities.size(); i++) {
            time += trace.slices.dur(activities.get(i));
        }
        return time;
    }
}
