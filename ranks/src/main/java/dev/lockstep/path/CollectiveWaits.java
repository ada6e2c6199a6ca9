// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.derive.DeviceActivity.Stream;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongList;
import dev.lockstep.table.LongOrder;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToLongFunction;

/**
 * Which collectives wait for what was launched last on another stream before them, where waits are not recorded: frameworks let the
 * stream of a collective wait for that of the program. Such a wait shows where it held the collective up. Where it did not, it is
 * taken to be there if it is there in all collectives alike (of one kernel, operator and stream) that could else have started sooner:
 * so it holds them up in scenarios in which they could.
 */
final class CollectiveWaits {
    /** Of fewer that were held up, nothing is concluded. */
    private static final int FEWEST = 4;

    /** One that did not wait is an odd one out among so many that did. */
    private static final int ODD_ONE_AMONG = 20;

    /** On so many streams no framework works; with more of them nothing is concluded, lest all be compared with all. */
    private static final int MOST_STREAMS = 64;

    private final RankGraph rank;
    private final DeviceActivity activity;
    private final long unexplained;
    private final LongIntMap numbers = new LongIntMap(64);
    private final LongList ready = new LongList(16);
    private final IntList heldBy = new IntList(16);
    private final IntList likeness = new IntList(16);

    /** Pairs: a collective, and what it waited for; without those that it is known to have waited for. */
    final IntList waits = new IntList(16);

    /** @param unexplained in ns: of less that is left unexplained, nothing is concluded */
    CollectiveWaits(RankGraph rank, long unexplained) {
        this.rank = rank;
        activity = rank.activity;
        this.unexplained = unexplained;
    }

    /**
     * Takes note of a collective whose launch is known, and that is in no graph.
     *
     * @param from when it could have started, but for other streams
     * @param by the activity of another stream that is known to have held it up, -1 for none
     * @param like a number that those alike share
     */
    void add(int a, long from, int by, int like) {
        numbers.put(a, ready.size());
        ready.add(from);
        heldBy.add(by);
        likeness.add(like);
    }

    /**
     * Finds {@link #waits}.
     *
     * @param launched by activity: when the call began that launched it
     */
    void find(IntToLongFunction launched) {
        int streams = activity.streams().size();
        if (ready.size() < FEWEST || streams < 2 || streams > MOST_STREAMS) {
            return;
        }
        int[] order = new int[activity.size()];
        Arrays.setAll(order, a -> a);
        long[] times = new long[order.length];
        Arrays.setAll(times, launched);
        LongOrder.sort(times, order);
        int[] groupOf = new int[ready.size()];
        int[] waited = new int[groups(groupOf) * streams];
        int[] didNot = new int[waited.length];
        walk(order, groupOf, (a, i, before) -> {
            int cell = groupOf[i] * streams + activity.streamOf(before);
            if (rank.end(before) > ready.get(i) + unexplained) {
                didNot[cell] += rank.start(a) < rank.end(before) ? 1 : 0;
                waited[cell] += heldBy.get(i) == before ? 1 : 0;
            }
        });
        walk(order, groupOf, (a, i, before) -> {
            int stream = activity.streamOf(before);
            int cell = groupOf[i] * streams + stream;
            boolean known = heldBy.get(i) >= 0 && activity.streamOf(heldBy.get(i)) == stream;
            if (waited[cell] >= FEWEST
                    && waited[cell] >= didNot[cell] * ODD_ONE_AMONG
                    && !known
                    && rank.start(a) >= rank.end(before)) {
                waits.add(a);
                waits.add(before);
            }
        });
    }

    /** Numbers what is alike, and tells how many there are; -1 for those of too few. */
    private int groups(int[] groupOf) {
        LongIntMap all = new LongIntMap(16);
        IntList sizes = new IntList(16);
        for (int i = 0; i < groupOf.length; i++) {
            groupOf[i] = all.numberOf(likeness.get(i));
            if (groupOf[i] == sizes.size()) {
                sizes.add(0);
            }
            sizes.set(groupOf[i], sizes.get(groupOf[i]) + 1);
        }
        LongIntMap large = new LongIntMap(16);
        for (int i = 0; i < groupOf.length; i++) {
            groupOf[i] = sizes.get(groupOf[i]) < FEWEST ? -1 : large.numberOf(groupOf[i]);
        }
        return large.size();
    }

    /** What is done with a collective, its number, and what was launched last before it on another stream of its device. */
    private interface Pairing {
        void with(int a, int i, int before);
    }

    private void walk(int[] order, int[] groupOf, Pairing pairing) {
        List<Stream> streams = activity.streams();
        int[] last = new int[streams.size()];
        Arrays.fill(last, -1);
        for (int a : order) {
            int own = activity.streamOf(a);
            int i = numbers.get(a);
            for (int stream = 0; i >= 0 && groupOf[i] >= 0 && stream < last.length; stream++) {
                int before = last[stream];
                if (before >= 0
                        && stream != own
                        && rank.classOf(before) != PathClass.COMMUNICATION
                        && streams.get(stream).device().equals(streams.get(own).device())) {
                    pairing.with(a, i, before);
                }
            }
            last[own] = a;
        }
    }
}
