// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.model.Slices;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongList;
import dev.lockstep.table.LongOrder;
import dev.lockstep.table.Quantiles;
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

    /** Of larger rooms so many are tried, whatever they are. */
    private static final int TRIES = 20;

    /** So many calls say what is usual while the room is looked for. */
    private static final int SAMPLES = 4096;

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
            findIn(queue);
        }
    }

    /** Looks for the room of a queue: from as much as was ever taken down to a part less, and from what is found up again. */
    private void findIn(IntList queue) {
        int most = mostUnderWay(queue) + 1;
        int step = Math.max(1, most / TRIES / PART);
        for (int room = most; room >= LEAST_ROOM && room >= most - most / PART; room -= step) {
            if (isFullOften(queue, room)) {
                int found = room;
                for (int larger = room + step - 1; larger > room && found == room; larger--) {
                    found = isFullOften(queue, larger) ? larger : room;
                }
                add(queue, found);
                return;
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

    /** Whether many calls of a queue would find it full if it had so much room, and took longer than usual. */
    private boolean isFullOften(IntList queue, int room) {
        int full = 0;
        for (int i = room; i < queue.size() && full < FEWEST; i++) {
            full += isFull(queue, i, room) ? 1 : 0;
        }
        if (full < FEWEST) {
            return false;
        }
        long found = usual(queue, room, Math.max(1, queue.size() / SAMPLES));
        int longer = 0;
        for (int i = room; i < queue.size() && longer < FEWEST; i++) {
            longer += isFull(queue, i, room) && slices.dur(call(queue.get(i))) > LONGER * found ? 1 : 0;
        }
        return longer == FEWEST;
    }

    /** What calls take that find room, in ns; one of so many is looked at. */
    private long usual(IntList queue, int room, int oneOf) {
        LongList lengths = new LongList(64);
        for (int i = 0; i < queue.size(); i += oneOf) {
            if (!isFull(queue, i, room)) {
                lengths.add(slices.dur(call(queue.get(i))));
            }
        }
        long[] sorted = lengths.toArray();
        LongOrder.sort(sorted);
        return Quantiles.upperMedian(sorted, 0);
    }

    private void add(IntList queue, int room) {
        long found = usual(queue, room, 1);
        for (int i = room; i < queue.size(); i++) {
            waits.add(call(queue.get(i)));
            waits.add(queue.get(i - room));
            usual.add(found);
        }
    }

    /** Whether the call of an activity finds no room. */
    private boolean isFull(IntList queue, int i, int room) {
        return i >= room && slices.ts(call(queue.get(i))) < rank.end(queue.get(i - room));
    }
}
