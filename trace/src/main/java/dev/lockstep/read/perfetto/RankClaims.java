// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.perfetto;

import dev.lockstep.model.Diagnostics.Weight;
import dev.lockstep.model.Rank;
import dev.lockstep.read.RankNames;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Numbers the ranks of a file: by what each states, if no other states the same, else by the first that is free. */
final class RankClaims {
    private RankClaims() {}

    /** The numbers, in the order of the ranks; what had to be assumed is noted with each. */
    static List<Rank> settle(List<RankEvents> ranks, Path path) {
        Map<Integer, Integer> claims = new HashMap<>();
        for (RankEvents rank : ranks) {
            Rank stated = stated(rank);
            if (stated != null) {
                claims.merge(stated.index(), 1, Integer::sum);
            }
        }
        List<Rank> settled = new ArrayList<>();
        int free = 0;
        for (RankEvents rank : ranks) {
            Rank stated = stated(rank);
            if (stated != null && claims.getOrDefault(stated.index(), 0) == 1) {
                settled.add(stated);
                continue;
            }
            while (claims.getOrDefault(free, 0) == 1) {
                free++;
            }
            if (stated == null) {
                settled.add(RankNames.unstated(path, free, ranks.size() == 1, rank.diagnostics()));
            } else {
                settled.add(new Rank(free, Rank.Origin.ORDER));
                String said = "several parts of the file say that they are rank " + stated.index() + "; ";
                rank.diagnostics().add(Weight.OBSERVATION, "no_rank", said + free + " is assumed", -1);
            }
            free++;
        }
        return settled;
    }

    private static @Nullable Rank stated(RankEvents rank) {
        OwnFacts facts = rank.facts();
        return facts == null || facts.isRankAssumed() ? null : facts.rank();
    }
}
