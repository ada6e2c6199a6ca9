// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.ranks;

import dev.lockstep.analyze.comm.Collective;
import dev.lockstep.analyze.comm.Collectives;
import dev.lockstep.analyze.comm.FleetSteps;
import dev.lockstep.analyze.comm.RankGains;
import dev.lockstep.analyze.comm.RankKinds;
import dev.lockstep.analyze.comm.SlowRanks;
import dev.lockstep.analyze.comm.StepsByRank;
import dev.lockstep.analyze.comm.Stragglers;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.path.RankPart;
import dev.lockstep.path.RunDependencies;
import dev.lockstep.path.WorkerThreads;
import dev.lockstep.session.RankSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What reports across ranks are made from: every command that compares ranks asks it. What is found is computed when first asked for, once.
 * Confined to one thread.
 */
public final class MatchedRanks {
    /** Of so many ranks, slow or suspected, it is said what the run gains without them. */
    private static final int MOST_PRICED = 8;

    /** Ranks that are not slow are priced as well where others wait most for them. */
    private static final int MOST_SUSPECTS = 3;

    private final @Nullable RankSet<KeptRank> ranks;
    private final String source;
    private final CollectiveOptions options;
    private final WorkerThreads threads;
    private final List<KeptRank> present;
    private @Nullable Collectives collectives;
    private @Nullable Map<Integer, Integer> kinds;
    private @Nullable FleetSteps steps;
    private @Nullable SlowRanks slow;
    private @Nullable RunDependencies dependencies;
    private @Nullable RankGains gains;
    private @Nullable List<Stragglers.Row> stragglers;

    private MatchedRanks(
            @Nullable RankSet<KeptRank> ranks,
            List<KeptRank> present,
            String source,
            CollectiveOptions options,
            WorkerThreads threads) {
        this.ranks = ranks;
        this.present = present;
        this.source = source;
        this.options = options;
        this.threads = threads;
    }

    /**
     * The ranks of a run.
     *
     * @param source what it is made from, as the user named it
     * @param threads replay the dependency graph
     */
    public MatchedRanks(RankSet<KeptRank> ranks, String source, CollectiveOptions options, WorkerThreads threads) {
        this(ranks, numbered(ranks), source, options, threads);
    }

    /** The same of ranks that are all there, under the numbers that their traces say. */
    public static MatchedRanks of(
            List<KeptRank> ranks, String source, CollectiveOptions options, WorkerThreads threads) {
        return new MatchedRanks(null, List.copyOf(ranks), source, options, threads);
    }

    /** The ranks that were read, under the numbers that are believed. */
    private static List<KeptRank> numbered(RankSet<KeptRank> ranks) {
        return ranks.present().stream()
                .map(member -> {
                    KeptRank kept = Objects.requireNonNull(member.kept());
                    RankCollectives numbered = kept.collectives().withInfo(Objects.requireNonNull(member.info()));
                    return new KeptRank(numbered, kept.steps(), kept.part());
                })
                .toList();
    }

    /** All ranks, those that are missing included. */
    public RankSet<KeptRank> ranks() {
        return Objects.requireNonNull(ranks, "files were read");
    }

    public String source() {
        return source;
    }

    public CollectiveOptions options() {
        return options;
    }

    /** The communication kernels of the ranks that were read, under the numbers that are believed. */
    public List<RankCollectives> present() {
        return present.stream().map(KeptRank::collectives).toList();
    }

    /** What the ranks did together. */
    public Collectives collectives() {
        if (collectives == null) {
            collectives = Collectives.of(present(), options);
        }
        return collectives;
    }

    /** By number of a rank: ranks of one kind do the same work, and are compared. */
    public Map<Integer, Integer> kinds() {
        if (kinds == null) {
            kinds = RankKinds.of(present());
        }
        return kinds;
    }

    /** What each rank took in each step; where ranks mark none, in each repetition of the collectives. */
    public FleetSteps steps() {
        if (steps == null) {
            StepsByRank byRank = new StepsByRank();
            for (KeptRank rank : present) {
                rank.steps().forEach(step -> byRank.add(rank.collectives().rank(), step));
            }
            int[] numbers = byRank.ranks();
            steps = numbers.length == 0
                    ? StepsByRank.ofRepetitions(collectives(), kinds())
                    : byRank.sideBySide(Arrays.stream(numbers)
                            .map(rank -> kinds().getOrDefault(rank, 0))
                            .toArray());
        }
        return steps;
    }

    /** The ranks that are slow. */
    public SlowRanks slow() {
        if (slow == null) {
            slow = SlowRanks.of(steps());
        }
        return slow;
    }

    /** What waited for what over all ranks; null where that was not kept of each. */
    public @Nullable RunDependencies dependencies() {
        if (dependencies == null) {
            List<RankPart> parts = new ArrayList<>();
            for (KeptRank rank : present) {
                RankPart part = rank.part();
                if (part == null) {
                    return null;
                }
                parts.add(part);
            }
            dependencies = RunDependencies.joined(parts, collectives());
        }
        return dependencies;
    }

    /**
     * What the run gains without slow ranks, and without those for which others wait most. {@link RankGains#NONE} where the dependencies
     * were not kept.
     */
    public RankGains gains() {
        if (gains == null) {
            RunDependencies graph = present.size() > 1 && isTied() ? dependencies() : null;
            gains = graph == null ? RankGains.NONE : graph.gains(named(), suspects(), threads);
        }
        return gains;
    }

    /** Whether ranks wait for one another at all. */
    private boolean isTied() {
        return collectives().all().stream().anyMatch(Collective::waits);
    }

    private List<Integer> named() {
        return slow().slow().stream()
                .map(SlowRanks.Slow::rank)
                .limit(MOST_PRICED)
                .toList();
    }

    private List<Integer> suspects() {
        return Stragglers.of(collectives(), RankGains.NONE).stream()
                .filter(row -> row.caused() > 0)
                .sorted(Comparator.comparingLong(Stragglers.Row::caused).reversed())
                .limit(MOST_SUSPECTS)
                .map(Stragglers.Row::rank)
                .toList();
    }

    /** Who waits and for whom, the rank for which the others wait most first. */
    public List<Stragglers.Row> stragglers() {
        if (stragglers == null) {
            stragglers = Stragglers.of(collectives(), gains());
        }
        return stragglers;
    }
}
