// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

/** What a communication kernel does, whatever a framework or library calls it. */
public enum CollectiveKind {
    ALL_REDUCE("all_reduce", true),
    REDUCE_SCATTER("reduce_scatter", true),
    ALL_GATHER("all_gather", true),
    ALL_TO_ALL("all_to_all", true),
    /** With sizes that differ from pair to pair. */
    ALL_TO_ALL_V("all_to_allv", true),
    BROADCAST("broadcast", false),
    REDUCE("reduce", false),
    GATHER("gather", false),
    SCATTER("scatter", false),
    SEND("send", false),
    RECEIVE("recv", false),
    /** Sends and receives in one kernel, of which no more is known. */
    SEND_RECEIVE("send_recv", false),
    BARRIER("barrier", true),
    OTHER("other", false);

    private final String word;
    private final boolean synchronising;

    CollectiveKind(String word, boolean synchronising) {
        this.word = word;
        this.synchronising = synchronising;
    }

    /** Stable word for sheets. */
    public String word() {
        return word;
    }

    /** Whether members wait for one another: none that has something to exchange can finish before the last has arrived. */
    public boolean synchronising() {
        return synchronising;
    }

    /** Whether it is one side of a message, and so joins two ranks. */
    public boolean pointToPoint() {
        return this == SEND || this == RECEIVE;
    }

    /** Whether it exchanges messages with single ranks, one side at a time or both. */
    public boolean exchangesMessages() {
        return pointToPoint() || this == SEND_RECEIVE;
    }
}
