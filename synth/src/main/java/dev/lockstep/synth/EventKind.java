// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import java.util.function.Function;

/**
 * All events that differ in numbers only.
 *
 * @param id dense, from 0, in the order of definition
 * @param name as written; may hold a {@link Slot} mark
 * @param arguments the text between the braces of {@code args}, with marks; it may depend on the rank
 * @param flow the flow event written after the event
 */
record EventKind(int id, Category category, String name, Function<RankPlace, String> arguments, Flow flow) {

    /** Flow events that accompany a complete event. */
    enum Flow {
        NONE,
        /** A launch: the start of an {@code ac2g} flow. */
        LAUNCH,
        /** Device activity: the end of an {@code ac2g} flow. */
        DEVICE,
        /** A forward op: the start of a {@code fwdbwd} flow. */
        FORWARD,
        /** A backward node: the end of a {@code fwdbwd} flow. */
        BACKWARD
    }
}
