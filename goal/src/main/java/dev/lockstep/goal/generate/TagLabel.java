// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.generate;

/** What tags say about the operation that a message belongs to: a number that both sides know. */
public interface TagLabel {
    /** Says nothing. */
    TagLabel NONE = facts -> 0;

    /** The label of an operation; not negative. */
    long of(Facts facts);

    /**
     * What labels can be made of; the same on all ranks that take part.
     *
     * @param parallelism 2 for communicators of data parallelism, 1 for those of pipelines, 0 for others
     * @param communicator its place among all communicators
     * @param collective kind of the operation, its place in {@link dev.lockstep.goal.recording.NcclFunction}
     * @param sequence number among the operations that meet
     */
    record Facts(long parallelism, long communicator, long collective, long sequence) {}
}
