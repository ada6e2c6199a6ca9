// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import java.util.Locale;

/** What computation waited for in a gap. */
public enum GapCause {
    /** The next computation was not launched yet, or there was none. */
    LAUNCH_STARVED,
    /** It had to wait for a collective. */
    BLOCKED_BY_COMMUNICATION,
    /** It had to wait for a copy or fill. */
    BLOCKED_BY_COPY,
    /** It had to wait for computation on another stream. */
    BLOCKED_BY_KERNEL,
    /** What following on a stream costs. */
    KERNEL_GAP,
    /** What launching costs. */
    LAUNCH_LATENCY,
    /** Nothing in the trace explains it. */
    UNRESOLVED;

    /** As sheets spell it. */
    String spelling() {
        return name().toLowerCase(Locale.ROOT);
    }
}
