// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.check;

import dev.lockstep.goal.stored.Operations;
import dev.lockstep.goal.stored.StoredSchedule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Channels that carry several messages, so that these may meet in more than one order. Every message has a partner. */
final class SharedChannels {
    /**
     * A channel with as many sends as receives, two or more; each in order of the file.
     *
     * @param sends numbers of operations of the sending rank
     * @param receives numbers of operations of the receiving rank
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Channel(int from, int to, long tag, int[] sends, int[] receives) {}

    private final List<Channel> channels = new ArrayList<>();
    private final int[][] of;

    private SharedChannels(List<Operations> ranks) {
        of = new int[ranks.size()][];
        for (int rank = 0; rank < of.length; rank++) {
            of[rank] = new int[ranks.get(rank).size()];
            Arrays.fill(of[rank], -1);
        }
    }

    /** Those of a schedule. */
    static SharedChannels of(StoredSchedule schedule, Channels channels) {
        SharedChannels shared = new SharedChannels(schedule.ranks());
        channels.forEach((from, to, tag, sends, receives) -> {
            if (sends.size() > 1) {
                shared.add(new Channel(from, to, tag, operations(sends), operations(receives)));
            }
        });
        return shared;
    }

    private void add(Channel channel) {
        for (int send : channel.sends) {
            of[channel.from][send] = channels.size();
        }
        for (int receive : channel.receives) {
            of[channel.to][receive] = channels.size();
        }
        channels.add(channel);
    }

    private static int[] operations(Channels.Range range) {
        int[] operations = new int[range.size()];
        Arrays.setAll(operations, range::operation);
        return operations;
    }

    /** Number of channels. */
    int size() {
        return channels.size();
    }

    Channel get(int channel) {
        return channels.get(channel);
    }

    /** The channel of an operation, -1 where its message is alone. */
    int of(int rank, int operation) {
        return of[rank][operation];
    }

    /** Which operations of a rank have a message that is not alone. */
    boolean[] members(int rank) {
        boolean[] members = new boolean[of[rank].length];
        for (int i = 0; i < members.length; i++) {
            members[i] = of[rank][i] >= 0;
        }
        return members;
    }
}
