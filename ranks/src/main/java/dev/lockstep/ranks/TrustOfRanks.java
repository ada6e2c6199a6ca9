// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.ranks;

import dev.lockstep.report.Trust;
import dev.lockstep.report.Trust.Reason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** How far the traces of ranks can be believed, each for itself. */
public final class TrustOfRanks {
    private TrustOfRanks() {}

    /** What speaks against any of them; the worst rank is named, and how many more there are. */
    public static Trust of(SortedMap<Integer, Trust> byRank) {
        Map<String, List<Reason>> reasons = new LinkedHashMap<>();
        Map<String, List<Integer>> ranks = new HashMap<>();
        byRank.forEach((rank, trust) -> {
            for (Reason reason : trust.reasons()) {
                reasons.computeIfAbsent(reason.code(), code -> new ArrayList<>())
                        .add(reason);
                ranks.computeIfAbsent(reason.code(), code -> new ArrayList<>()).add(rank);
            }
        });
        List<Reason> all = new ArrayList<>();
        reasons.forEach((code, of) -> {
            int worst = 0;
            for (int i = 1; i < of.size(); i++) {
                worst = of.get(i).share() > of.get(worst).share() ? i : worst;
            }
            int rank = ranks.getOrDefault(code, List.of()).get(worst);
            String more = of.size() == 1 ? "" : " So, or less so, " + (of.size() - 1) + " more of the ranks.";
            all.add(of.get(worst).saying("Rank " + rank + ": " + of.get(worst).text() + more));
            all.addAll(of.subList(0, worst));
            all.addAll(of.subList(worst + 1, of.size()));
        });
        return new Trust(all);
    }
}
