// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.simulate;

import dev.lockstep.goal.check.Channels;
import dev.lockstep.goal.stored.Operations;
import dev.lockstep.goal.stored.StoredSchedule;
import dev.lockstep.table.IntList;
import java.util.Arrays;
import java.util.List;

/** For each channel, receives that were posted and messages that have arrived; first come, first served. */
final class Queues {
    private static final int NONE = -1;

    private final int[][] channel;
    private final int[][] next;
    private final int[] postedHead;
    private final int[] postedTail;
    private final int[] arrivedHead;
    private final int[] arrivedTail;

    private Queues(List<Operations> ranks, int[][] channel, int channels) {
        this.channel = channel;
        next = new int[ranks.size()][];
        for (int rank = 0; rank < next.length; rank++) {
            next[rank] = new int[ranks.get(rank).size()];
        }
        postedHead = new int[channels];
        postedTail = new int[channels];
        arrivedHead = new int[channels];
        arrivedTail = new int[channels];
        Arrays.fill(postedHead, NONE);
        Arrays.fill(arrivedHead, NONE);
    }

    /** Empty queues for every channel of a schedule. */
    static Queues of(StoredSchedule schedule) {
        int[][] numbers = new int[schedule.ranks().size()][];
        for (int rank = 0; rank < numbers.length; rank++) {
            numbers[rank] = new int[schedule.ranks().get(rank).size()];
        }
        IntList count = new IntList(1);
        count.add(0);
        Channels.of(schedule).forEach((from, to, tag, sends, receives) -> {
            int number = count.removeLast();
            for (int i = 0; i < sends.size(); i++) {
                numbers[from][sends.operation(i)] = number;
            }
            for (int i = 0; i < receives.size(); i++) {
                numbers[to][receives.operation(i)] = number;
            }
            count.add(Math.addExact(number, 1));
        });
        return new Queues(schedule.ranks(), numbers, count.removeLast());
    }

    /** A receive waits for its message. */
    void post(int rank, int receive) {
        int c = channel[rank][receive];
        next[rank][receive] = NONE;
        if (postedHead[c] == NONE) {
            postedHead[c] = receive;
        } else {
            next[rank][postedTail[c]] = receive;
        }
        postedTail[c] = receive;
    }

    /** The receive that a message of this rank finds posted at its destination, taken from the queue; or -1. */
    int takePosted(int sender, int send, int receiver) {
        int c = channel[sender][send];
        int first = postedHead[c];
        if (first != NONE) {
            postedHead[c] = next[receiver][first];
        }
        return first;
    }

    /** A message waits for its receive. */
    void arrive(int sender, int send) {
        int c = channel[sender][send];
        next[sender][send] = NONE;
        if (arrivedHead[c] == NONE) {
            arrivedHead[c] = send;
        } else {
            next[sender][arrivedTail[c]] = send;
        }
        arrivedTail[c] = send;
    }

    /** The message that a receive finds, taken from the queue; or -1. */
    int takeArrived(int rank, int receive, int sender) {
        int c = channel[rank][receive];
        int first = arrivedHead[c];
        if (first != NONE) {
            arrivedHead[c] = next[sender][first];
        }
        return first;
    }
}
