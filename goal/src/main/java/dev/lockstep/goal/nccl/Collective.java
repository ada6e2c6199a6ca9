// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.nccl;

import org.jspecify.annotations.Nullable;

/** What an operation does, in the library's own names. */
public enum Collective {
    BROADCAST("Broadcast"),
    REDUCE("Reduce"),
    ALL_GATHER("AllGather"),
    REDUCE_SCATTER("ReduceScatter"),
    ALL_REDUCE("AllReduce"),
    SEND("Send"),
    RECV("Recv"),
    ALL_TO_ALL("AlltoAll"),
    GATHER("Gather"),
    SCATTER("Scatter");

    private static final Collective[] BY_TYPE = {BROADCAST, REDUCE, ALL_GATHER, REDUCE_SCATTER, ALL_REDUCE};

    private final String word;

    Collective(String word) {
        this.word = word;
    }

    /** The library's word, as in {@code AllReduce}. */
    public String word() {
        return word;
    }

    /** Whether it consists of messages between pairs that the plan lists one by one. */
    public boolean pairwise() {
        return this == SEND || this == RECV || this == ALL_TO_ALL || this == GATHER || this == SCATTER;
    }

    /** By the word in {@code ncclAllReduce()}; null for calls that move nothing. Upper and lower case do not matter. */
    public static @Nullable Collective named(String word) {
        for (Collective c : values()) {
            if (c.word.equalsIgnoreCase(word)) {
                return c;
            }
        }
        return null;
    }

    /** By the library's number; null for pairwise ones and for what is unknown. */
    static @Nullable Collective ofType(long type) {
        return type >= 0 && type < BY_TYPE.length ? BY_TYPE[(int) type] : null;
    }
}
