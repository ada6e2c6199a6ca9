// SPDX-License-Identifier: Apache-2.0
package dev.lockstep;

import dev.lockstep.report.Report;

/**
 * What sets two recordings apart.
 *
 * @param report facts, findings in words, tables; not yet written
 * @param baselineNs total time of the baseline, from the first to the last activity, in ns
 * @param candidateNs that of the candidate
 * @param byChance whether the times of steps scatter so much that the difference may be chance
 */
public record DiffResult(Report report, long baselineNs, long candidateNs, boolean byChance) {
    private static final double PERCENT = 100;

    /**
     * {@return whether the candidate takes longer than the baseline by more than this, and not by chance as far as steps tell}
     *
     * @param percent of the baseline's total time; whatever takes time is slower than what takes none
     */
    public boolean isSlowerBy(double percent) {
        return !byChance
                && candidateNs > baselineNs
                && (baselineNs == 0 || PERCENT * (candidateNs - baselineNs) > percent * baselineNs);
    }
}
