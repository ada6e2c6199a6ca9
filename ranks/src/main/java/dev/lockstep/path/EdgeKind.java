// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import java.util.Locale;

/** Why one moment cannot come before another. The order breaks ties: of two that bind alike, the earlier kind counts. */
enum EdgeKind {
    /** A device activity runs from its start to its end. */
    RUN(PathClass.COMPUTATION),
    /** Activities of one stream run one after the other. */
    STREAM(PathClass.KERNEL_GAP),
    /** So do those of one stream that one call launched as a graph, which follow each other sooner. */
    NODE(PathClass.KERNEL_GAP),
    /** A stream waits for an event that was recorded in another. */
    WAIT(PathClass.KERNEL_GAP),
    /** No record says so, but an activity of another stream ended just before. */
    INFERRED(PathClass.KERNEL_GAP),
    /** A collective runs when its last member has begun. */
    MEMBER(PathClass.COMMUNICATION),
    /** A call of the host returns when the device has done what it waits for. */
    SYNC(PathClass.SYNC_LATENCY),
    /** An activity starts after its launch call has handed it to the device. */
    LAUNCH(PathClass.LAUNCH_LATENCY),
    /** A host thread does one thing after the other. */
    THREAD(PathClass.HOST),
    /** A thread that had nothing to do goes on with what another one gave it. */
    HAND_OVER(PathClass.HOST);

    private static final EdgeKind[] ALL = values();
    private final PathClass pathClass;

    EdgeKind(PathClass pathClass) {
        this.pathClass = pathClass;
    }

    static EdgeKind of(byte ordinal) {
        return ALL[ordinal];
    }

    /** The class of the time that such an edge takes; of runs that of the activity counts instead. */
    PathClass pathClass() {
        return pathClass;
    }

    /** Whether the time that it takes is a latency, learnt from the trace. */
    boolean isLatency() {
        return switch (this) {
            case STREAM, NODE, WAIT, INFERRED, SYNC, LAUNCH, HAND_OVER -> true;
            case RUN, MEMBER, THREAD -> false;
        };
    }

    /** Whether it is the order of a stream. */
    boolean isOrderOfStream() {
        return this == STREAM || this == NODE;
    }

    /** As sheets spell it. */
    String spelling() {
        return name().toLowerCase(Locale.ROOT);
    }
}
