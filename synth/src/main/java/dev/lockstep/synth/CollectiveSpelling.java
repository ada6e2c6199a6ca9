// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

/** The collectives and transfers of a job, with the names each level of the software gives them. */
enum CollectiveSpelling {
    ALL_GATHER("_allgather_base", "c10d::_allgather_base_", "nccl:_all_gather_base", "AllGather"),
    REDUCE_SCATTER(
            "_reduce_scatter_base",
            "c10d::_reduce_scatter_base_",
            "nccl:_reduce_scatter_base",
            "ReduceScatter_Sum_bf16"),
    ALL_REDUCE("allreduce", "c10d::allreduce_", "nccl:all_reduce", "AllReduce_Sum_"),
    SEND("send", "c10d::send", "nccl:send", "SendRecv"),
    RECEIVE("recv", "c10d::recv_", "nccl:recv", "SendRecv");

    private final String recorded;
    private final String op;
    private final String annotation;
    private final String stem;

    CollectiveSpelling(String recorded, String op, String annotation, String stem) {
        this.recorded = recorded;
        this.op = op;
        this.annotation = annotation;
        this.stem = stem;
    }

    /** {@code Collective name} in the trace. */
    String recorded() {
        return recorded;
    }

    /** Whether it joins two ranks. */
    boolean isTransfer() {
        return this == SEND || this == RECEIVE;
    }

    String op() {
        return op;
    }

    String annotation() {
        return annotation;
    }

    /** The part of the kernel's name that says what it does. */
    String stem(boolean wide) {
        return this == ALL_REDUCE ? stem + (wide ? "f32" : "bf16") : stem;
    }

    /** Bytes on the busiest link, relative to the full message, in a ring of {@code size}. */
    double busFactor(int size) {
        if (isTransfer()) {
            return 1;
        }
        double share = (size - 1.0) / size;
        return this == ALL_REDUCE ? 2 * share : share;
    }

    long inputElements(long full, int size) {
        return this == ALL_GATHER ? full / size : full;
    }

    long outputElements(long full, int size) {
        return this == REDUCE_SCATTER ? full / size : full;
    }
}
