// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.hangs.wait;

import java.util.Locale;

/** What keeps a job from going on. The gravest evidence first. */
public enum HangKind {
    /** A rank called another operation than the others. */
    OTHER_OPERATION,
    /** A rank called the operation with another size. */
    OTHER_SIZE,
    /** A rank called the operation with another type of elements. */
    OTHER_TYPE,
    /** A rank made the call in another group. */
    OTHER_GROUP,
    /** A rank left a call out. */
    SKIPPED_CALL,
    /** A rank made a call more. */
    EXTRA_CALL,
    /** A rank exchanged two calls. */
    SWAPPED_CALLS,
    /** A rank left the order of its calls, and several changes explain it. */
    OTHER_ORDER,
    /** A rank left a receive out: the message has no receiver. */
    UNMATCHED_SEND,
    /** A rank left a send out: the receiver waits. */
    UNMATCHED_RECEIVE,
    /** A rank waits for nobody and does not make the call that others wait for. */
    NEVER_ARRIVED,
    /** All members made the call, and the devices of few do not begin it or do not end it. */
    STUCK_ON_DEVICE,
    /** All members made the call, and it ends on none. */
    COLLECTIVE_STUCK,
    /** Ranks wait for each other in a circle, and nothing says whose order is wrong. */
    CIRCULAR_WAIT,
    /** The rank that others wait for left no dump. */
    NO_DUMP;

    /** The word in files. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
