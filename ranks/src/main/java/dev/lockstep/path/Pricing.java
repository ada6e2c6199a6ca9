// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.analyze.comm.RankGains;
import java.util.ArrayList;
import java.util.List;

/** Replays a run without some of its ranks: each takes what the median rank of its role takes. */
final class Pricing {
    private Pricing() {}

    /**
     * What the run gains without ranks.
     *
     * @param length of the run as recorded, in ns
     * @param confidence share of its critical path that rests on recorded dependencies
     * @param slow ranks that are slow: each is priced alone, and as the only one that is left of them
     * @param others ranks that are priced alone
     */
    static RankGains of(
            Scenarios run,
            long length,
            double confidence,
            List<Integer> slow,
            List<Integer> others,
            WorkerThreads threads) {
        List<Integer> priced = new ArrayList<>(slow);
        others.stream().filter(rank -> !slow.contains(rank)).forEach(priced::add);
        List<List<Edit>> scenarios = new ArrayList<>();
        priced.forEach(rank -> scenarios.add(Edit.medianRanks(List.of(rank))));
        boolean several = slow.size() > 1;
        if (several) {
            scenarios.add(Edit.medianRanks(slow));
            for (int left : slow) {
                scenarios.add(Edit.medianRanks(
                        slow.stream().filter(rank -> rank != left).toList()));
            }
        }
        long[] lengths = run.lengths(scenarios, threads);
        int together = priced.size();
        List<RankGains.Row> rows = new ArrayList<>();
        for (int i = 0; i < priced.size(); i++) {
            long alone = length - lengths[i];
            boolean beside = several && i < slow.size();
            rows.add(new RankGains.Row(
                    priced.get(i), alone, beside ? lengths[together + 1 + i] - lengths[together] : alone));
        }
        long all = several
                ? length - lengths[together]
                : slow.isEmpty() ? 0 : rows.getFirst().aloneNs();
        return new RankGains(length, all, confidence, slow, rows);
    }
}
