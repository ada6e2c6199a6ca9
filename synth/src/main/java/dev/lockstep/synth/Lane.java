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
    NORM(6, 28, 6);

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

    /** Stream number; for threads, the distance of the thread id from the process id. */
    int number(Vendor vendor) {
        return vendor == Vendor.CUDA ? cuda : rocm;
    }
}
