// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import dev.lockstep.model.Flows;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.LongList;
import dev.lockstep.write.RankIds;
import java.util.stream.LongStream;

/** Finds the numbers of a rank that do not fit into 32 bits. */
final class IdsOfRank {
    private IdsOfRank() {}

    static RankIds of(Trace trace, int rank) {
        LongList others = new LongList(16);
        Slices slices = trace.slices();
        for (int i = 0; i < slices.size(); i++) {
            addIfOther(slices.correlation(i), others);
            addIfOther(slices.externalId(i), others);
        }
        Flows flows = trace.flows();
        for (int i = 0; i < flows.size(); i++) {
            addIfOther(flows.id(i), others);
        }
        return new RankIds(
                rank, LongStream.of(others.toArray()).sorted().distinct().toArray());
    }

    private static void addIfOther(long id, LongList others) {
        if (RankIds.isOther(id)) {
            others.add(id);
        }
    }
}
