// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.recording;

import org.jspecify.annotations.Nullable;

/**
 * A call of the library by one GPU.
 *
 * @param communicator place in {@link RecordedRun#communicators()}
 * @param sequence number among the operations of its kind that have to meet: collectives of the communicator, or messages
 *     of a pair of ranks; -1 where nothing is known to meet it
 * @param stream what its stream is called
 * @param group number of the group it belongs to, -1 if to none; in a GPU's order
 * @param start when the GPU began with it, nanoseconds
 * @param end when the GPU had finished
 * @param peer the other side of a message as its rank in the communicator, -1 if there is none
 * @param bytes size that the call names
 * @param plan how it was carried out; null when the recording does not say
 */
public record RecordedOperation(
        NcclFunction kind,
        int communicator,
        long sequence,
        String stream,
        int group,
        long start,
        long end,
        int peer,
        long bytes,
        @Nullable Plan plan) {

    /** Whether it is one side of a message. */
    public boolean message() {
        return kind == NcclFunction.SEND || kind == NcclFunction.RECV;
    }

    /** The same operation with another sequence number and plan. */
    public RecordedOperation as(long newSequence, @Nullable Plan newPlan) {
        return new RecordedOperation(kind, communicator, newSequence, stream, group, start, end, peer, bytes, newPlan);
    }
}
