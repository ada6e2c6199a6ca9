// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.generate;

import java.util.Arrays;

/** How many messages an operation exchanges with which ranks. */
public final class MessageCounts implements MessageTags {
    private int[] peers = new int[2];
    private int[] sent = new int[2];
    private int[] received = new int[2];
    private int size;
    private int last;

    @Override
    public long send(int to) {
        int at = place(to);
        sent[at]++;
        return 0;
    }

    @Override
    public long recv(int from) {
        int at = place(from);
        received[at]++;
        return 0;
    }

    /** Number of ranks it has to do with. */
    public int size() {
        return size;
    }

    /** The i-th of the ranks. */
    public int peer(int i) {
        return peers[i];
    }

    /** Messages to the i-th of the ranks. */
    public int sent(int i) {
        return sent[i];
    }

    /** Messages from the i-th of the ranks. */
    public int received(int i) {
        return received[i];
    }

    /** Where a rank is among those it has to do with. */
    private int place(int peer) {
        if (last < size && peers[last] == peer) {
            return last;
        }
        for (last = 0; last < size; last++) {
            if (peers[last] == peer) {
                return last;
            }
        }
        if (size == peers.length) {
            peers = Arrays.copyOf(peers, 2 * size);
            sent = Arrays.copyOf(sent, 2 * size);
            received = Arrays.copyOf(received, 2 * size);
        }
        peers[size] = peer;
        return size++;
    }
}
