// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;

/**
 * Calls whose names do not say that they wait, but which return when all that was launched before is done: what gives memory back,
 * pins it, or loads code does so in some versions of some libraries. All calls of a name count together. They wait if one of them was
 * begun while work was under way and returned just after the last of it, and none returned while some was left.
 */
final class ImplicitWaits {
    /** A call that returns this soon after the last activity ended, in ns, waited for it. */
    static final long RETURNS_WITHIN = 50_000;

    private final Slices slices;
    /** By name: how many calls returned just after the device was through, later than that, and before. */
    private final int[] waited;

    private final int[] outlasted;
    private final int[] returned;
    /** By name: how many returned so long before that clocks do not explain it. */
    private final int[] left;

    private long lastEnd = Long.MIN_VALUE;

    ImplicitWaits(Trace trace) {
        slices = trace.slices();
        waited = new int[trace.strings().size()];
        outlasted = new int[waited.length];
        returned = new int[waited.length];
        left = new int[waited.length];
    }

    /** Takes note of an activity that was launched, in the order of the calls. */
    void enqueued(int slice) {
        lastEnd = Math.max(lastEnd, slices.end(slice));
    }

    /** Takes note of a call that launches nothing, likewise. */
    void called(int call) {
        int name = slices.name(call);
        long end = slices.end(call);
        if (lastEnd > end) {
            returned[name]++;
            left[name] += lastEnd > end + GraphBuilder.CLOCK_ERROR ? 1 : 0;
        } else if (lastEnd > slices.ts(call)) {
            waited[name] += end - lastEnd <= RETURNS_WITHIN ? 1 : 0;
            outlasted[name] += end - lastEnd <= RETURNS_WITHIN ? 0 : 1;
        }
    }

    /** Whether calls of a name that says nothing of it wait for everything. */
    boolean wait(int name) {
        return returned[name] == 0 && waited[name] > outlasted[name];
    }

    /** Whether calls of a name do that usually wait for everything. */
    boolean mayWait(int name) {
        return left[name] == 0;
    }
}
