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
        @Nullable NodeExchange communication) {
    static final String ON_HOST = "is_cpu_op";
    static final String TRACK = "track";
    static final String START = "start_ns";
    static final String DURATION = "duration_ns";
    static final String FLOPS = "num_ops";
    static final String BYTES = "tensor_size";
    static final String COLLECTIVE = "comm_type";
    static final String FROM = "comm_src";
    static final String TO = "comm_dst";
    static final String TAG = "comm_tag";
    static final String EXCHANGED = "comm_size";
    static final String GROUP = "pg_name";

    NodeType type() {
        return communication == null ? NodeType.COMPUTE : communication.type();
    }
}
