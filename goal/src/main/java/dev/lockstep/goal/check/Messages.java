// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.check;

import dev.lockstep.goal.stored.Operations;
import dev.lockstep.table.LongOrder;
import java.util.Arrays;

/** The messages of one rank in one direction, by peer and tag; those that are alike in both, in order of the file. */
final class Messages {
    private static final int PEER_SHIFT = 32;

    private final long[] keys;
    private final int[] operations;

    private Messages(long[] keys, int[] operations) {
        this.keys = keys;
        this.operations = operations;
    }

    /** Messages from or to any of the ranks; wildcards and peers that do not exist are left out. */
    static Messages of(Operations rank, byte kind, int ranks) {
        int count = 0;
        for (int i = 0; i < rank.size(); i++) {
            count += counts(rank, i, kind, ranks) ? 1 : 0;
        }
        long[] keys = new long[count];
        int[] operations = new int[count];
        int at = 0;
        for (int i = 0; i < rank.size(); i++) {
            if (counts(rank, i, kind, ranks)) {
                keys[at] = (long) rank.peer(i) << PEER_SHIFT | rank.tag(i) & 0xFFFFFFFFL;
                operations[at++] = i;
            }
        }
        LongOrder.sort(keys, operations);
        return new Messages(keys, operations);
    }

    private static boolean counts(Operations rank, int operation, byte kind, int ranks) {
        int peer = rank.peer(operation);
        return rank.kind(operation) == kind && peer >= 0 && peer < ranks;
    }

    int size() {
        return keys.length;
    }

    int peer(int i) {
        return (int) (keys[i] >> PEER_SHIFT);
    }

    long tag(int i) {
        return keys[i] & 0xFFFFFFFFL;
    }

    int operation(int i) {
        return operations[i];
    }

    /** Where the messages of a peer begin, or would. */
    int from(int peer) {
        int found = Arrays.binarySearch(keys, (long) peer << PEER_SHIFT);
        int at = found < 0 ? -found - 1 : found;
        while (at > 0 && keys[at - 1] == (long) peer << PEER_SHIFT) {
            at--;
        }
        return at;
    }

    /** Where the messages of a peer end. */
    int to(int from, int peer) {
        int at = from;
        while (at < keys.length && peer(at) == peer) {
            at++;
        }
        return at;
    }

    /** Behind the messages that have peer and tag of the one at {@code from}. */
    int alike(int from) {
        int at = from;
        while (at < keys.length && keys[at] == keys[from]) {
            at++;
        }
        return at;
    }
}
