// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.hta;

import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongOrder;

/** The steps that the profiler marked on the host, as {@code ProfilerStep#N}. */
final class HtaSteps {
    private static final String NAME = "ProfilerStep#";

    /** The step of events outside of all. */
    static final long NO_STEP = -1;

    private final Slices slices;
    private final IntList marks = new IntList(16);
    private final long[] numbers;
    private final long[] latestEnd;
    private final long cut;

    HtaSteps(Trace trace, HtaEvents events) {
        this.slices = trace.slices();
        LongIntMap distinct = new LongIntMap(16);
        long last = Long.MIN_VALUE;
        long[] numberOfName = new long[trace.strings().size()];
        for (int i = 0; i < slices.size(); i++) {
            SliceKind kind = slices.kind(i);
            if (!events.isHost(i) || kind != SliceKind.ANNOTATION && kind != SliceKind.CPU_OP) {
                continue;
            }
            int name = slices.name(i);
            if (numberOfName[name] == 0) {
                numberOfName[name] = number(trace.name(i)) + 2;
            }
            if (numberOfName[name] > 1) {
                marks.add(i);
                distinct.put(numberOfName[name] - 2, 1);
                last = Math.max(last, slices.ts(i));
            }
        }
        numbers = new long[marks.size()];
        latestEnd = new long[marks.size()];
        for (int m = 0; m < numbers.length; m++) {
            numbers[m] = numberOfName[slices.name(marks.get(m))] - 2;
            long end = slices.end(marks.get(m));
            latestEnd[m] = m == 0 ? end : Math.max(end, latestEnd[m - 1]);
        }
        cut = distinct.size() > 1 ? last : Long.MAX_VALUE;
    }

    private static long number(String name) {
        String digits = name.startsWith(NAME) ? name.substring(NAME.length()) : "";
        return digits.matches("\\d{1,18}") ? Long.parseLong(digits) : NO_STEP;
    }

    /** Whether the last of several steps is left out. */
    boolean cuts() {
        return cut != Long.MAX_VALUE;
    }

    /** Where the step begins that is left out. */
    long cut() {
        return cut;
    }

    /** The step in which a slice of the host starts; {@link #NO_STEP} outside. Of steps that overlap, the one begun last. */
    long of(int slice) {
        long ts = slices.ts(slice);
        int low = LongOrder.leading(marks.size(), place -> slices.ts(marks.get(place)) <= ts);
        for (int m = low - 1; m >= 0 && ts < latestEnd[m]; m--) {
            if (ts < slices.end(marks.get(m))) {
                return numbers[m];
            }
        }
        return NO_STEP;
    }
}
