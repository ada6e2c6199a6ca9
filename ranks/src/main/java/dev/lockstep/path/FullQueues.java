// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.model.Slices;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongList;
import dev.lockstep.table.LongOrder;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Launch calls that wait because the queue of their stream is full: as many launches are under way as there ever are when a call
 * returns, and so the call returns when the oldest is done. Where many calls find the queue so, none of its calls can return sooner.
 */
final class FullQueues {
    /** No queue of a device has room for fewer. */
    private static final int LEAST_ROOM = 100;

    /** The room differs by less than this part of it: what is no activity takes some, too. */
    private static final int PART = 50;

    /** Fewer calls that find a queue full are chance. */
    private static final int FEWEST = 10;

    /** Such a call takes so many times what is usual. */
    private static final int LONGER = 2;

    private final RankGraph rank;
    private final Slices slices;
    private final LaunchLinks links;

    /** Pairs: a launch call, and the activity that had to end before there was room for its own. */
    final IntList waits = new IntList(16);

    /** For each pair, what calls of the queue usually take that find room, in ns. */
    final LongList usual = new LongList(16);

    FullQueues(RankGraph rank, Slices slices, LaunchLinks links) {
        this.rank = rank;
        this.slices = slices;
        this.links = links;
        IntList[] queues = new IntList[rank.activity.streams().size()];
        Arrays.setAll(queues, stream -> new IntList(16));
        BitSet seen = new BitSet();
        for (int a = 0; a < rank.activity.size(); a++) {
            int call = call(a);
            if (call >= 0 && slices.kind(call).isLaunchCall() && !seen.get(call)) {
                seen.set(call);
                queues[rank.activity.streamOf(a)].add(a);
            }
        }
        for (IntList queue : queues) {
            int most = mostUnderWay(queue) + 1;
            for (int room = most; room >= LEAST_ROOM && room > most - Math.max(1, most / PART); room--) {
                if (find(queue, room)) {
                    break;
                }
            }
        }
    }

    private int call(int a) {
        return links.launchOf(rank.activity.slice(a));
    }

    /** How many launches before it are under way when a call returns, at the most. */
    private int mostUnderWay(IntList queue) {
        int most = 0;
        int done = 0;
        for (int i = 0; i < queue.size(); i++) {
            long returned = slices.end(call(queue.get(i)));
            while (done < i && rank.end(queue.get(done)) <= returned) {
                done++;
            }
            most = Math.max(most, i - done);
        }
        return most;
    }

    /** Adds what calls of a queue wait for if it has so much room, and is full often enough; says whether it is. */
    private boolean find(IntList queue, int room) {
        LongList others = new LongList(64);
        for (int i = 0; i < queue.size(); i++) {
            if (!isFull(queue, i, room)) {
                others.add(slices.dur(call(queue.get(i))));
            }
        }
        long[] sorted = others.toArray();
        LongOrder.sort(sorted);
        long found = sorted.length == 0 ? 0 : sorted[sorted.length / 2];
        int full = 0;
        for (int i = room; i < queue.size(); i++) {
            full += isFull(queue, i, room) && slices.dur(call(queue.get(i))) > LONGER * found ? 1 : 0;
        }
        for (int i = room; full >= FEWEST && i < queue.size(); i++) {
            waits.add(call(queue.get(i)));
            waits.add(queue.get(i - room));
            usual.add(found);
        }
        return full >= FEWEST;
    }

    /** Whether the call of an activity finds no room. */
    private boolean isFull(IntList queue, int i, int room) {
        return i >= room && slices.ts(call(queue.get(i))) < rank.end(queue.get(i - room));
    }
}
