// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.check;

import dev.lockstep.goal.model.ScheduleCounts;
import dev.lockstep.goal.model.ScheduleCounts.OfPair;
import dev.lockstep.goal.model.ScheduleCounts.OfRank;
import dev.lockstep.goal.stored.Operations;
import dev.lockstep.goal.stored.StoredSchedule;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Counts what the ranks of a schedule hold. */
public final class ScheduleCounting {
    private final int rank;
    private final Operations operations;
    private final long[] number = new long[4];
    private final long[] amount = new long[4];
    private final LongIntMap peers = new LongIntMap(16);
    private final LongList messages = new LongList(16);
    private final LongList bytes = new LongList(16);
    private final List<Integer> peerOf = new ArrayList<>();

    /**
     * Counts.
     *
     * @throws ArithmeticException when a sum is beyond what 64 bits can count
     */
    public static ScheduleCounts of(StoredSchedule schedule) {
        List<OfRank> ranks = new ArrayList<>();
        List<OfPair> pairs = new ArrayList<>();
        long bytes = 0; // of all ranks: whoever asks for them gets a number
        for (int rank = 0; rank < schedule.ranks().size(); rank++) {
            OfRank counted = new ScheduleCounting(rank, schedule.ranks().get(rank))
                    .count(pairs, schedule.ranks().size());
            bytes = Math.addExact(bytes, counted.bytesSent());
            ranks.add(counted);
        }
        return new ScheduleCounts(ranks, pairs);
    }

    private ScheduleCounting(int rank, Operations operations) {
        this.rank = rank;
        this.operations = operations;
    }

    private OfRank count(List<OfPair> pairs, int ranks) {
        long empty = 0;
        int cpu = 0;
        int nic = 0;
        for (int i = 0; i < operations.size(); i++) {
            byte kind = operations.kind(i);
            long size = operations.amount(i);
            number[kind]++;
            amount[kind] = Math.addExact(amount[kind], size);
            cpu = Math.max(cpu, operations.cpu(i));
            nic = Math.max(nic, operations.nic(i));
            int peer = operations.peer(i);
            if (kind == Operations.SEND && peer >= 0 && peer < ranks) {
                send(peer, size);
            } else if (kind == Operations.CALC && size == 0) {
                empty++;
            }
        }
        add(pairs);
        return new OfRank(
                rank,
                number[Operations.CALC],
                empty,
                amount[Operations.CALC],
                number[Operations.SEND],
                number[Operations.RECV],
                amount[Operations.SEND],
                amount[Operations.RECV],
                operations.afterEnd().size(),
                operations.afterStart().size(),
                cpu + 1,
                nic + 1);
    }

    private void send(int peer, long size) {
        int at = peers.get(peer);
        if (at < 0) {
            at = peers.size();
            peers.put(peer, at);
            peerOf.add(peer);
            messages.add(0);
            bytes.add(0);
        }
        messages.set(at, messages.get(at) + 1);
        bytes.set(at, bytes.get(at) + size);
    }

    private void add(List<OfPair> pairs) {
        OfPair[] mine = new OfPair[peerOf.size()];
        for (int i = 0; i < mine.length; i++) {
            mine[i] = new OfPair(rank, peerOf.get(i), messages.get(i), bytes.get(i));
        }
        Arrays.sort(mine, Comparator.comparingInt(OfPair::to));
        pairs.addAll(Arrays.asList(mine));
    }
}
