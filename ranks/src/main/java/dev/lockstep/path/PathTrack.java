// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import org.jspecify.annotations.Nullable;

/**
 * Where a part of a path lies.
 *
 * @param rank number of the rank
 * @param name of the thread or stream, as people know it
 * @param device of a stream, as the trace numbers it; null of a thread
 */
record PathTrack(int rank, String name, @Nullable String device) {
    /** Whether it is a stream. */
    boolean onDevice() {
        return device != null;
    }
}
