// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.straggler;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What an operation does, and with whom it does so at once. */
enum OperationType {
    /** Forward pass of one micro-batch through one model chunk. */
    FORWARD_COMPUTE(Meeting.NOBODY, true),
    /** Its backward pass. */
    BACKWARD_COMPUTE(Meeting.NOBODY, true),
    /** Garbage collection of the host. */
    GC(Meeting.NOBODY, true),
    /** The optimizer, with which a step ends. */
    OPTIMIZER(Meeting.NOBODY, true),
    /** Activations leave for the next chunk. */
    FORWARD_SEND(Meeting.PEER, false),
    /** Activations arrive. */
    FORWARD_RECV(Meeting.PEER, false),
    /** Gradients leave for the chunk before. */
    BACKWARD_SEND(Meeting.PEER, false),
    /** Gradients arrive. */
    BACKWARD_RECV(Meeting.PEER, false),
    /** Parameters are put together from the data-parallel ranks of a stage. */
    PARAMS_ALL_GATHER(Meeting.DATA_PARALLEL, false),
    /** Gradients are summed over the data-parallel ranks of a stage. */
    GRADS_REDUCE_SCATTER(Meeting.DATA_PARALLEL, false),
    /** What is left of them when summing overlaps with computation. */
    SEPARATE_GRADS_ALL_REDUCE(Meeting.DATA_PARALLEL, false),
    /** First and last stage sum the gradients of the embedding that they share. */
    EMBEDDING_GRADS_ALL_REDUCE(Meeting.ENDS, false),
    /** All stages and ranks agree on the length of the gradient. */
    OPTIMIZER_CLIP_MAIN_GRAD(Meeting.ALL, false),
    /** Replayed as computation: the ranks that it waits for are not in the table. */
    LAYERNORM_GRADS_ALL_REDUCE(Meeting.NOBODY, false);

    /** Who has to be there before an operation can transfer. */
    enum Meeting {
        /** It is a computation. */
        NOBODY,
        /** The other end of the transfer. */
        PEER,
        /** All data-parallel ranks of the stage. */
        DATA_PARALLEL,
        /** First and last stage of one data-parallel rank. */
        ENDS,
        /** All stages of all data-parallel ranks. */
        ALL
    }

    final Meeting meeting;
    /** Whether the typical duration is the mean; else it is the median. */
    final boolean mean;

    private final String spelling = name().toLowerCase(Locale.ROOT).replace('_', '-');

    OperationType(Meeting meeting, boolean mean) {
        this.meeting = meeting;
        this.mean = mean;
    }

    static @Nullable OperationType of(String spelling) {
        return Arrays.stream(values())
                .filter(type -> type.spelling.equals(spelling))
                .findFirst()
                .orElse(null);
    }

    static List<String> spellings() {
        return Arrays.stream(values()).map(OperationType::spelling).toList();
    }

    /** As tables spell it. */
    String spelling() {
        return spelling;
    }

    /** The group of operations whose price is asked for: its own, but both ends of a transfer are one. */
    String label() {
        return switch (this) {
            case FORWARD_SEND, FORWARD_RECV -> "forward-pp-comm";
            case BACKWARD_SEND, BACKWARD_RECV -> "backward-pp-comm";
            default -> spelling;
        };
    }

    boolean isComputation() {
        return meeting == Meeting.NOBODY;
    }

    /** Whether it computes a micro-batch. */
    boolean isPass() {
        return this == FORWARD_COMPUTE || this == BACKWARD_COMPUTE;
    }

    boolean isReceive() {
        return this == FORWARD_RECV || this == BACKWARD_RECV;
    }

    boolean isForward() {
        return this == FORWARD_COMPUTE || this == FORWARD_SEND || this == FORWARD_RECV;
    }

    /** The other end of a transfer. */
    OperationType opposite() {
        return switch (this) {
            case FORWARD_SEND -> FORWARD_RECV;
            case FORWARD_RECV -> FORWARD_SEND;
            case BACKWARD_SEND -> BACKWARD_RECV;
            case BACKWARD_RECV -> BACKWARD_SEND;
            default -> throw new IllegalArgumentException(spelling);
        };
    }
}
