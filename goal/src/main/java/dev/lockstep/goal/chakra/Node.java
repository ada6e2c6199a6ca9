// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.chakra;

import org.jspecify.annotations.Nullable;

/**
 * A node of an execution trace.
 *
 * @param id from 1: some readers take 0 for none
 * @param track stream or thread, as people know it
 * @param onHost whether no device carries it out
 * @param dependencies ids of nodes that stand before it
 * @param startNs when it began in the recording, in ns since 1970 where that is known
 * @param durationNs how long it took
 * @param durationUs the same, rounded so that the sums of a track hold
 * @param flops operations on numbers, 0 where they are not known
 * @param bytes that it must move, likewise
 * @param communication null for computations
 */
@SuppressWarnings("ArrayRecordComponent")
record Node(
        int id,
        String name,
        String track,
        boolean onHost,
        int[] dependencies,
        long startNs,
        long durationNs,
        long durationUs,
        long flops,
        long bytes,
        @Nullable Communication communication) {
    NodeType type() {
        return communication == null ? NodeType.COMPUTE : communication.type();
    }
}
