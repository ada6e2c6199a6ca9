// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import java.util.List;

/** What a thread does; times are nominal and vary a little from one execution to the next. */
sealed interface HostAction {

    /** How an op takes part in the numbering that links forward ops and backward nodes. */
    enum Numbering {
        NONE,
        /** Takes the next number and leaves it for the backward pass. */
        FORWARD,
        /** Takes the number that was left last. */
        BACKWARD,
        /** The same, and leaves it for {@link #PUT_OFF}. */
        INPUTS,
        /** Takes the number that was last put off. */
        PUT_OFF,
        /** Shares the number of the op around it. */
        SAME
    }

    /** An op, an annotation or a Python frame: {@code lead} ns, then the body, then {@code tail} ns. */
    record Call(EventKind kind, long lead, long tail, Numbering numbering, List<HostAction> body)
            implements HostAction {
        public Call {
            body = List.copyOf(body);
        }
    }

    /** A runtime call of {@code host} ns that enqueues work on the compute stream. */
    record Launch(EventKind runtime, long host, EventKind device, Work work) implements HostAction {}

    /**
     * A runtime call that launches a captured graph on the compute stream.
     *
     * @param host how long the call takes, ns
     * @param graph its number in the rank
     * @param atOnce whether all nodes can run when the call has returned, or each in its turn while it goes through them
     */
    record GraphLaunch(EventKind runtime, long host, int graph, boolean atOnce, List<Node> nodes)
            implements HostAction {
        public GraphLaunch {
            nodes = List.copyOf(nodes);
        }
    }

    /** What a graph runs in the place of a launch, and how it is recorded there. */
    record Node(Launch launch, EventKind device) {}

    /** A runtime call that enqueues nothing. */
    record RuntimeCall(EventKind runtime, long host) implements HostAction {}

    /** A runtime call that returns when the compute stream has drained, or all have. */
    record Synchronize(EventKind runtime, boolean all) implements HostAction {}

    /**
     * Device work.
     *
     * @param nanos nominal duration, undisturbed
     * @param spread standard deviation of the duration, relative
     * @param contention how much a running collective slows it: 0 not at all, 1 by the share of the device that the
     *     collective occupies
     * @param bytes moved, for copies and fills; else 0
     */
    record Work(long nanos, double spread, double contention, long bytes) {}
}
