// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

/** The threads and streams of a rank. A process group has a stream of its own. */
enum Lane {
    MAIN(0, 0, 0),
    AUTOGRAD(1, 640, 640),
    COMPUTE(2, 7, 0),
    WORLD(3, 16, 3),
    SHARD(4, 20, 4),
    REPLICATE(5, 24, 5),
    NORM(6, 28, 6),
    TENSOR(7, 32, 7),
    FORWARD_SEND(8, 36, 8),
    FORWARD_RECEIVE(9, 40, 9),
    BACKWARD_SEND(10, 44, 10),
    BACKWARD_RECEIVE(11, 48, 11),
    /** Not a stream: where the profiler puts what concerns all of them. */
    CONTEXT(12, -1, -1);

    private final int index;
    private final int cuda;
    private final int rocm;

    Lane(int index, int cuda, int rocm) {
        this.index = index;
        this.cuda = cuda;
        this.rocm = rocm;
    }

    /** Place among {@link #values}, for columns and tables. */
    int index() {
        return index;
    }

    boolean isThread() {
        return this == MAIN || this == AUTOGRAD;
    }

    /** The lane whose process group this one uses: those of a pipeline share theirs. */
    Lane ofGroup() {
        return this == FORWARD_RECEIVE || this == BACKWARD_SEND || this == BACKWARD_RECEIVE ? FORWARD_SEND : this;
    }

    /** The same where gradients have a group of their own. */
    Lane ofOwnGroup() {
        return this == BACKWARD_SEND || this == BACKWARD_RECEIVE ? BACKWARD_SEND : ofGroup();
    }

    /** Where the other end of a transfer lies. */
    Lane opposite() {
        return switch (this) {
            case FORWARD_SEND -> FORWARD_RECEIVE;
            case FORWARD_RECEIVE -> FORWARD_SEND;
            case BACKWARD_SEND -> BACKWARD_RECEIVE;
            case BACKWARD_RECEIVE -> BACKWARD_SEND;
            default -> throw new IllegalArgumentException("no transfers on " + this);
        };
    }

    /** By how many stages a transfer of this lane leads away: 1 for the next, -1 for the one before. */
    int towards() {
        return this == FORWARD_SEND || this == BACKWARD_RECEIVE ? 1 : -1;
    }

    /** Stream number; for threads, the distance of the thread id from the process id. */
    int number(Vendor vendor) {
        return vendor == Vendor.CUDA ? cuda : rocm;
    }
}
