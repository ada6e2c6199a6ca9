// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.chakra;

import dev.lockstep.derive.CollectiveCall;
import dev.lockstep.derive.CollectiveKind;
import dev.lockstep.goal.kineto.Sizes;

/**
 * What a node exchanges.
 *
 * @param collective number that the format gives to the kind of a collective, -1 for messages
 * @param bytes that this rank puts in; of a message, its size
 * @param group number of the process group
 * @param from rank that sends a message, -1 for collectives
 * @param to rank that receives it, likewise
 * @param tag number of the message among those of the pair, likewise
 */
record Communication(NodeType type, int collective, long bytes, int group, int from, int to, int tag) {
    private static final int NONE = -1;

    static Communication collective(int kind, long bytes, int group) {
        return new Communication(NodeType.COLLECTIVE, kind, bytes, group, NONE, NONE, NONE);
    }

    static Communication message(boolean sent, long bytes, int group, int from, int to, int tag) {
        return new Communication(sent ? NodeType.SEND : NodeType.RECEIVE, NONE, bytes, group, from, to, tag);
    }

    /** The number of a kind of collective, -1 for one that the format does not know. */
    static int numberOf(CollectiveKind kind) {
        return switch (kind) {
            case ALL_REDUCE -> 0;
            case REDUCE -> 1;
            case ALL_GATHER -> 2;
            case GATHER -> 3;
            case SCATTER -> 4;
            case BROADCAST -> 5;
            case ALL_TO_ALL, ALL_TO_ALL_V -> 6;
            case REDUCE_SCATTER -> 7;
            case BARRIER -> 9;
            case SEND, RECEIVE, SEND_RECEIVE, OTHER -> NONE;
        };
    }

    /** The bytes that a rank puts in, by what it gets out where no more is on record; -1 where neither is. */
    static long bytes(CollectiveCall call, int members) {
        long in = Sizes.bytes(call, call.inElements());
        long out = Sizes.bytes(call, call.outElements());
        if (in >= 0 && call.kind() != CollectiveKind.RECEIVE || out < 0) {
            return in;
        }
        return switch (call.kind()) {
            case ALL_GATHER, GATHER -> out / members;
            case REDUCE_SCATTER, SCATTER -> out * members;
            default -> out;
        };
    }
}
