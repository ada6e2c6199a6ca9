// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import java.util.Locale;

/** What a stretch of time on a path went into. */
public enum PathClass {
    /** A kernel that is no collective. */
    COMPUTATION,
    /** A collective, of devices or of the host; over several ranks only from the start of its last member on. */
    COMMUNICATION,
    /** A copy or fill of device memory. */
    COPY,
    /** The host: between calls, in calls, and from thread to thread. */
    HOST,
    /** From when a launch call hands over to the device to the start of what it launched. */
    LAUNCH_LATENCY,
    /** From the end of an activity to the start of the next that had to wait for it. */
    KERNEL_GAP,
    /** From the end of an activity to the return of the call that waited for it. */
    SYNC_LATENCY,
    /** Longer than such edges take: something waited for what the trace does not show. */
    UNRESOLVED;

    private static final PathClass[] ALL = values();

    static PathClass of(int ordinal) {
        return ALL[ordinal];
    }

    /** As sheets and edits spell it. */
    public String spelling() {
        return name().toLowerCase(Locale.ROOT);
    }
}
