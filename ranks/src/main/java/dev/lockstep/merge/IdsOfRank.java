// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import dev.lockstep.model.Flows;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.LongList;
import dev.lockstep.timeline.RankIds;
import java.util.stream.LongStream;

/**
 * Finds the numbers of a rank that do not fit into 32 bits. Where all numbers are those that a merge gave to this rank,
 * they stay.
 */
final class IdsOfRank {
    private final LongList others = new LongList(16);
    private boolean anySmall;

    private IdsOfRank() {}

    static RankIds of(Trace trace, int rank) {
        IdsOfRank ids = new IdsOfRank();
        Slices slices = trace.slices();
        for (int i = 0; i < slices.size(); i++) {
            ids.add(slices.correlation(i));
            ids.add(slices.externalId(i));
        }
        Flows flows = trace.flows();
        for (int i = 0; i < flows.size(); i++) {
            ids.add(flows.id(i));
        }
        return ids.of(rank);
    }

    private void add(long id) {
        if (RankIds.isOther(id)) {
            others.add(id);
        } else {
            anySmall |= id != -1;
        }
    }

    private RankIds of(int rank) {
        long[] numbers = LongStream.of(others.toArray()).sorted().distinct().toArray();
        boolean given = !anySmall
                && numbers.length > 0
                && RankIds.isGiven(rank, numbers[0])
                && RankIds.isGiven(rank, numbers[numbers.length - 1]);
        return new RankIds(rank, given ? new long[0] : numbers);
    }
}
