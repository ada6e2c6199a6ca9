// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep;

import dev.lockstep.runs.Configuration;
import dev.lockstep.runs.Coverage;
import dev.lockstep.session.RankSet;
import dev.lockstep.session.RankSet.Member;
import dev.lockstep.session.RankSet.Status;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A configuration whose traces were all read.
 *
 * @param configuration which one
 * @param ranks its ranks and what was taken from them, null when it has no traces
 * @param coverage what of it was there
 */
public record ConfigurationRun(
        Configuration configuration, @Nullable RankSet<RankExtracts> ranks, Coverage coverage) {
    /** What was taken from every rank that could be read, whole or not, by rank. */
    public <T> SortedMap<Integer, T> all(Extract<T> extract) {
        return taken(extract, true);
    }

    /** What was taken from ranks of which nothing is missing, by rank. */
    public <T> SortedMap<Integer, T> whole(Extract<T> extract) {
        return taken(extract, false);
    }

    private <T> SortedMap<Integer, T> taken(Extract<T> extract, boolean partial) {
        SortedMap<Integer, T> taken = new TreeMap<>();
        if (ranks != null) {
            for (Member<RankExtracts> member : ranks.present()) {
                if (partial || member.status() == Status.READ) {
                    taken.put(
                            member.rank(), Objects.requireNonNull(member.kept()).of(extract));
                }
            }
        }
        return taken;
    }

    /** Whether a trace says how many ranks there are. */
    public boolean sizeStated() {
        return ranks != null
                && ranks.present().stream()
                        .anyMatch(
                                member -> Objects.requireNonNull(member.info()).worldSize() > 0);
    }

    void discard() {
        if (ranks != null) {
            ranks.present()
                    .forEach(member -> Objects.requireNonNull(member.kept()).discard());
        }
    }
}
