// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

/** How slices of one thread that do not nest cleanly find their place in the call tree. */
public enum Nesting {
    /**
     * Slices stand by start, longest first. One that outlives the slice it starts in becomes a child of the innermost
     * slice that contains it whole.
     */
    BY_TIME,
    /**
     * Slices stand by start, in the order of the file where starts are equal. Times are doubles of microseconds, so that
     * where the clock counts from long ago, ends that are equal may differ. One that outlives its parent by starting
     * less than a microsecond before the parent's end becomes the parent's sibling; any other that outlives its parent
     * has no place in the tree. Times are doubles of microseconds, whose rounding may make a slice outlive its parent.
     */
    BY_FILE_ORDER
}
