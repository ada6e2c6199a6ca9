// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.recording;

import java.util.List;

/**
 * A GPU of the run, which is a process.
 *
 * @param node name of its machine
 * @param device number on its machine; -1 if unknown
 * @param windowStart when profiling began, nanoseconds; the first operation's start if unknown
 * @param windowEnd when profiling ended; the last operation's end if unknown
 * @param operations in the order in which they were called
 */
public record Gpu(
        String node, int device, long pid, long windowStart, long windowEnd, List<RecordedOperation> operations) {
    public Gpu {
        operations = List.copyOf(operations);
    }
}
