// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.comm.Collectives;
import dev.lockstep.analyze.comm.Mending;
import dev.lockstep.analyze.comm.Stragglers;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.session.RankSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What reports across ranks are made from. What is found is computed when first asked for, once. Confined to one thread. */
public final class MatchedRanks {
    private final RankSet<RankCollectives> ranks;
    private final String source;
    private final CollectiveOptions options;
    private final List<RankCollectives> present;
    private @Nullable Collectives collectives;
    private @Nullable Mending mending;
    private @Nullable List<Stragglers.Row> stragglers;

    /** @param source what it is made from, as the user named it */
    public MatchedRanks(RankSet<RankCollectives> ranks, String source, CollectiveOptions options) {
        this.ranks = ranks;
        this.source = source;
        this.options = options;
        present = present(ranks);
    }

    /** The ranks that were read, under the numbers that are believed. */
    public static List<RankCollectives> present(RankSet<RankCollectives> ranks) {
        return ranks.present().stream()
                .map(member -> Objects.requireNonNull(member.kept()).withInfo(Objects.requireNonNull(member.info())))
                .toList();
    }

    /** All ranks, those that are missing included. */
    public RankSet<RankCollectives> ranks() {
        return ranks;
    }

    public String source() {
        return source;
    }

    public CollectiveOptions options() {
        return options;
    }

    /** The ranks that were read, under the numbers that are believed. */
    public List<RankCollectives> present() {
        return present;
    }

    /** What the ranks did together. */
    public Collectives collectives() {
        if (collectives == null) {
            collectives = Collectives.of(present, options);
        }
        return collectives;
    }

    /** What it would save if late ranks came in time. */
    public Mending mending() {
        if (mending == null) {
            mending = Mending.of(collectives());
        }
        return mending;
    }

    /** Who waits and for whom, the rank that costs the others most first. */
    public List<Stragglers.Row> stragglers() {
        if (stragglers == null) {
            stragglers = Stragglers.of(collectives(), mending());
        }
        return stragglers;
    }
}
