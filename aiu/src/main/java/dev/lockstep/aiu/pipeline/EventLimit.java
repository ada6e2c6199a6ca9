// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.pipeline;

/**
 * Which events are let in.
 *
 * @param skip events to pass over first
 * @param count events to let in then
 * @param tsStart microseconds; an event that ends before is not let in
 * @param tsEnd microseconds; an event that starts behind is not let in
 * @param free letters of phases that are always let in
 */
public record EventLimit(long skip, long count, double tsStart, double tsEnd, String free) {
    public static final EventLimit NONE = new EventLimit(0, 1L << 60, 0, Double.MAX_VALUE, "M");

    /** Whether it lets everything in that has no times before zero. */
    public boolean isNone() {
        return equals(NONE);
    }
}
