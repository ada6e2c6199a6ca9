// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.reports;

import dev.lockstep.compare.sheets.Amount;
import org.jspecify.annotations.Nullable;

/**
 * What one part, category, operator or kernel adds to the difference between two reports.
 *
 * @param candidate name of the report that is compared
 * @param what the part, category, operator or kernel
 * @param presence {@code both}, {@code baseline only}, {@code candidate only}; empty for what is left over
 * @param baselineNs its time in the baseline
 * @param candidateNs its time in the candidate
 * @param baselineCount how many there; -1 when unknown
 * @param candidateCount how many here; -1 when unknown
 */
public record Contribution(
        String candidate,
        String what,
        String presence,
        long baselineNs,
        long candidateNs,
        long baselineCount,
        long candidateCount) {

    static Contribution of(String candidate, String what, @Nullable Amount a, @Nullable Amount b) {
        return new Contribution(
                candidate,
                what,
                a == null ? "candidate only" : b == null ? "baseline only" : "both",
                a == null ? 0 : a.ns(),
                b == null ? 0 : b.ns(),
                a == null ? 0 : a.count(),
                b == null ? 0 : b.count());
    }

    static Contribution rest(String candidate, String what, long baselineNs, long candidateNs) {
        return new Contribution(candidate, what, "", baselineNs, candidateNs, -1, -1);
    }

    public long differenceNs() {
        return candidateNs - baselineNs;
    }

    /** The part of the difference that a changed number explains, at the baseline's time for one; null when unknown. */
    public @Nullable Long byCountNs() {
        if (baselineCount < 0 || candidateCount < 0) {
            return null;
        }
        if (baselineCount == 0) {
            return differenceNs();
        }
        return Math.round((double) (candidateCount - baselineCount) * baselineNs / baselineCount);
    }

    /** The rest: one takes longer or shorter; null when numbers are unknown. */
    @Nullable
    Long byDurationNs() {
        Long byCount = byCountNs();
        return byCount == null ? null : differenceNs() - byCount;
    }
}
