// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

/**
 * The events by which a trace says which stream and which call waits for what.
 *
 * @param table where kinds are defined
 * @param record the call that records an event in a stream
 * @param await the call that makes a stream wait for an event
 */
record SyncKinds(KindTable table, EventKind record, EventKind await) {
    static SyncKinds of(KindTable table) {
        return new SyncKinds(
                table,
                table.runtime(Category.CUDA_RUNTIME, "cudaEventRecord", 135, false, ""),
                table.runtime(Category.CUDA_RUNTIME, "cudaStreamWaitEvent", 147, false, ""));
    }

    EventKind streamWait(Lane on, Lane from) {
        return table.sync("Stream Wait Event", on, from);
    }

    EventKind blocked(boolean all) {
        return all ? table.sync("Context Sync", Lane.CONTEXT, null) : table.sync("Stream Sync", Lane.COMPUTE, null);
    }

    /** Defines all that a rank may need, so that their number is known before anything is written. */
    SyncKinds defineAll() {
        for (Lane on : Lane.values()) {
            for (Lane from : Lane.values()) {
                streamWait(on, from);
            }
        }
        blocked(true);
        blocked(false);
        return this;
    }
}
