// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

/** A number that differs from event to event in an otherwise fixed text; {@link #mark()} stands for it in that text. */
enum Slot {
    /** Start, microseconds with three decimals. */
    TIME('\1'),
    /** Duration, microseconds with three decimals. */
    DURATION('\2'),
    /** The row's first number: external id, or Python id. */
    FIRST('\3'),
    /** The row's second number: correlation id, or the parent's Python id; {@code null} when negative. */
    SECOND('\4'),
    /** The row's third number: autograd or collective sequence number, bytes, step, or id of a graph's node. */
    THIRD('\5'),
    /** Running number of the host event in its rank. */
    INDEX('\6'),
    /** The third number as bytes over the duration, in GB/s. */
    BANDWIDTH('\7'),
    /** The upper half of the third number: the graph that a node is part of. */
    GRAPH('\10');

    private final char mark;

    Slot(char mark) {
        this.mark = mark;
    }

    String mark() {
        return String.valueOf(mark);
    }

    /** The slot that a mark stands for. */
    static Slot of(char mark) {
        for (Slot slot : values()) {
            if (slot.mark == mark) {
                return slot;
            }
        }
        throw new IllegalArgumentException("not a mark: " + (int) mark);
    }

    static boolean isMark(char c) {
        return c >= TIME.mark && c <= GRAPH.mark;
    }
}
