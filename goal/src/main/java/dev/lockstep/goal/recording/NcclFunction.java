// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.recording;

import org.jspecify.annotations.Nullable;

/** What an operation does, in the library's own names. */
public enum NcclFunction {
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

    private static final NcclFunction[] BY_TYPE = {BROADCAST, REDUCE, ALL_GATHER, REDUCE_SCATTER, ALL_REDUCE};

    private final String word;

    NcclFunction(String word) {
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
    public static @Nullable NcclFunction named(String word) {
        for (NcclFunction c : values()) {
            if (c.word.equalsIgnoreCase(word)) {
                return c;
            }
        }
        return null;
    }

    /** By the library's number; null for pairwise ones and for what is unknown. */
    public static @Nullable NcclFunction ofType(long type) {
        return type >= 0 && type < BY_TYPE.length ? BY_TYPE[(int) type] : null;
    }
}
