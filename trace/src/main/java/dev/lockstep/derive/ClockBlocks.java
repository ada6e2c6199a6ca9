// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.derive.ClockOffsets.Sample;
import dev.lockstep.table.IntList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Moves the clocks of ranks together that agree among themselves and not with others. Groups of ranks are gone through from
 * the one with most collectives to that with fewest; ranks of which an earlier group has been gone through form a block, and
 * the blocks that meet in a group are joined, each moved by the median of how far its ends lie from those of the first. Not
 * thread-safe.
 */
final class ClockBlocks {
    private final Sample sample;
    private final long[] offset;
    private final long[] linked;
    private final int[] block;
    private final List<IntList> members = new ArrayList<>();
    private boolean moved;

    /**
     * @param offset how far each clock is ahead, ns; changed
     * @param linked receives by how much the place of a block that was moved may be wrong, ns, for each of its ranks
     */
    ClockBlocks(Sample sample, long[] offset, long[] linked) {
        this.sample = sample;
        this.offset = offset;
        this.linked = linked;
        block = new int[offset.length];
        for (int rank = 0; rank < block.length; rank++) {
            block[rank] = rank;
            members.add(new IntList(4));
            members.get(rank).add(rank);
        }
    }

    /** Moves what must be; says whether that was anything. */
    boolean move() {
        Map<List<Integer>, IntList> groups = new LinkedHashMap<>();
        for (int c = 0; c < sample.size(); c++) {
            List<Integer> ranks = new ArrayList<>();
            for (int m = sample.from(c); m < sample.to(c); m++) {
                ranks.add(sample.rank(m));
            }
            groups.computeIfAbsent(ranks, key -> new IntList(16)).add(c);
        }
        groups.values().stream()
                .sorted(Comparator.comparingInt(collectives -> -collectives.size()))
                .forEach(this::join);
        return moved;
    }

    /** Joins the blocks that meet in these collectives of one group. */
    private void join(IntList collectives) {
        Map<Integer, long[]> away = new TreeMap<>();
        for (int i = 0; i < collectives.size(); i++) {
            Map<Integer, Long> ends = ends(collectives.get(i));
            long first = ends.values().iterator().next();
            for (Map.Entry<Integer, Long> end : ends.entrySet()) {
                away.computeIfAbsent(end.getKey(), key -> new long[collectives.size()])[i] = end.getValue() - first;
            }
        }
        int into = -1;
        for (Map.Entry<Integer, long[]> one : away.entrySet()) {
            if (into < 0) {
                into = one.getKey();
            } else {
                join(into, one.getKey(), one.getValue());
            }
        }
    }

    private void join(int into, int other, long[] away) {
        long shift = ClockOffsets.median(away, 0);
        for (int i = 0; i < away.length; i++) {
            away[i] = Math.abs(away[i] - shift);
        }
        long scatter = ClockOffsets.median(away, 0);
        boolean apart = Math.abs(shift) > Math.max(ClockOffsets.LEAST_OUTLIER_NS, ClockOffsets.OUTLIER * scatter);
        moved |= apart;
        IntList ranks = members.get(other);
        for (int i = 0; i < ranks.size(); i++) {
            int rank = ranks.get(i);
            offset[rank] += apart ? shift : 0;
            linked[rank] += apart ? ClockOffsets.covered(away, scatter) : 0;
            block[rank] = into;
            members.get(into).add(rank);
        }
        ranks.clear();
    }

    /** When each block that takes part left a collective, by the first of its ranks. */
    private Map<Integer, Long> ends(int collective) {
        Map<Integer, long[]> ends = new HashMap<>();
        for (int m = sample.from(collective); m < sample.to(collective); m++) {
            long end = sample.end(m) - offset[sample.rank(m)];
            ends.merge(block[sample.rank(m)], new long[] {end}, (known, more) -> {
                long[] both = Arrays.copyOf(known, known.length + 1);
                both[known.length] = more[0];
                return both;
            });
        }
        Map<Integer, Long> medians = new TreeMap<>();
        ends.forEach((of, all) -> medians.put(of, ClockOffsets.median(all, 0)));
        return medians;
    }
}
