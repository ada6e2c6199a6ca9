// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.power;

/** A counter that begins anew at some value, as one that does not. It must be read more often than it wraps. */
public final class WrappingCounter {
    private final long range;
    private long last = -1;
    private long before;

    /** @param range how much it counts before it begins anew; 0 when it never does */
    public WrappingCounter(long range) {
        this.range = range;
    }

    /** What was counted in all, for a value just read. */
    public long total(long value) {
        if (last >= 0 && value < last) {
            before += range > 0 ? range : last;
        }
        last = value;
        return before + value;
    }
}
