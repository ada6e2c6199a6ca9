// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.ranks;

import dev.lockstep.analyze.comm.Collective;
import dev.lockstep.analyze.comm.Collectives;
import dev.lockstep.analyze.comm.FleetSteps;
import dev.lockstep.analyze.comm.RankGains;
import dev.lockstep.analyze.comm.RankKinds;
import dev.lockstep.analyze.comm.SlowRanks;
import dev.lockstep.analyze.comm.StepsByRank;
import dev.lockstep.analyze.comm.StepsByRank.HostTimes;
import dev.lockstep.analyze.comm.Stragglers;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.derive.RecordingTool;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.FileNames;
import dev.lockstep.error.UserException;
import dev.lockstep.model.Rank;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.path.RankPart;
import dev.lockstep.path.RunDependencies;
import dev.lockstep.path.WorkerThreads;
import dev.lockstep.read.TraceInput;
import dev.lockstep.report.Topic;
import dev.lockstep.report.Trust;
import dev.lockstep.report.Trust.Reason;
import dev.lockstep.session.RankSet;
import dev.lockstep.session.Session;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What reports across ranks are made from: every command that compares ranks asks it. What is found is computed when first asked for, once.
 * Confined to one thread.
 */
public final class MatchedRanks {
    /** Ranks that are not slow are priced as well where others wait most for them. */
    private static final int MOST_SUSPECTS = 3;

    /** By such a share of the run at least its collectives must have been held up by a rank. */
    private static final double LEAST_DELAY = 0.01;

    private final @Nullable RankSet<KeptRank> ranks;
    private final String source;
    private final CollectiveOptions options;
    private final @Nullable Session session;
    private final WorkerThreads threads;
    private final List<KeptRank> present;
    private @Nullable Collectives collectives;
    private @Nullable MatchedRanks compared;
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
            @Nullable Session session) {
        this.ranks = ranks;
        this.present = present;
        this.source = source;
        this.options = options;
        this.session = session;
        threads = session == null ? WorkerThreads.none() : new WorkerThreads(session.pool(), session.jobs());
    }

    /**
     * The ranks of a run.
     *
     * @param source what it is made from, as the user named it
     * @param session lends its threads, and reads again what was not kept; null where there is none
     */
    public MatchedRanks(RankSet<KeptRank> ranks, String source, CollectiveOptions options, @Nullable Session session) {
        this(ranks, numbered(ranks), source, options, session);
    }

    /** The same of ranks that are all there, under the numbers that their traces say, in memory alone. */
    public static MatchedRanks of(List<KeptRank> ranks, String source, CollectiveOptions options) {
        return new MatchedRanks(null, List.copyOf(ranks), source, options, null);
    }

    /** The ranks that were read, under the numbers that are believed. */
    private static List<KeptRank> numbered(RankSet<KeptRank> ranks) {
        return ranks.present().stream()
                .map(member -> {
                    KeptRank kept = Objects.requireNonNull(member.kept());
                    RankCollectives numbered = kept.collectives().withInfo(Objects.requireNonNull(member.info()));
                    return new KeptRank(numbered, kept.steps(), kept.part(), kept.trust());
                })
                .toList();
    }

    /** All ranks, those that are missing included. */
    public RankSet<KeptRank> ranks() {
        return Objects.requireNonNull(ranks, "files were read");
    }

    /** How many ranks of the run were read, in words. */
    public String count() {
        return ranks == null ? RankCount.of(present.size(), present.size(), List.of()) : RankCount.of(ranks);
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

    /**
     * Demands that there is something to match.
     *
     * @param source what was read, for the message
     * @throws UserException where no rank has a collective; it says what was not read
     */
    public void demandCollectives(String source) {
        if (!present.stream().allMatch(rank -> rank.collectives().size() == 0)) {
            return;
        }
        String unread = trust().reasons().stream()
                .filter(reason -> reason.withheld().contains(Topic.ABSENCE))
                .map(Reason::text)
                .collect(Collectors.joining(" "));
        RecordingTool recorder =
                RecordingTool.of(present().stream().map(RankCollectives::info).toList());
        throw new UserException(
                ErrorCode.NOTHING_TO_DO,
                source + ": no rank has a collective" + (unread.isEmpty() ? "" : ", as far as the traces were read"),
                unread.isEmpty() ? "A run of one rank has none. " + recorder.devices() : unread);
    }

    /** How far the traces of the ranks can be believed, each for itself; those of several are named. */
    public Trust trust() {
        return TrustOfRanks.of(trustByRank());
    }

    /** How far the trace of each rank can be believed, by rank. */
    public SortedMap<Integer, Trust> trustByRank() {
        SortedMap<Integer, Trust> byRank = new TreeMap<>();
        present.forEach(one -> byRank.put(one.collectives().rank(), one.trust()));
        return byRank;
    }

    /** What the ranks did together. */
    public Collectives collectives() {
        if (collectives == null) {
            collectives = Collectives.of(present(), options);
        }
        return collectives;
    }

    /**
     * The ranks whose times are compared with those of the reference, which alone can be replayed together; this where those are all. Where
     * nothing ties any two, it is one rank.
     */
    public MatchedRanks compared() {
        if (compared == null) {
            Collectives all = collectives();
            int reference = all.clocks().reference();
            List<KeptRank> tied = IntStream.range(0, present.size())
                    .filter(place -> all.clock().compares(place, reference))
                    .mapToObj(present::get)
                    .toList();
            compared = tied.size() == present.size() ? this : new MatchedRanks(null, tied, source, options, session);
        }
        return compared;
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

    /** In which stage of a step the host of a slow rank is late, for a sentence that names the rank; empty where that is not known. */
    public String lateStage(SlowRanks.Slow one) {
        Map<Integer, List<StepsByRank.Step>> alike = new TreeMap<>();
        int kind = kinds().getOrDefault(one.rank(), 0);
        for (KeptRank rank : present) {
            int number = rank.collectives().rank();
            if (number == one.rank() || kinds().getOrDefault(number, 0) == kind) {
                alike.put(number, rank.steps());
            }
        }
        HostTimes.Stage stage = new LateStage(steps(), alike).of(one);
        return stage == null ? "" : ", mostly " + stage.words();
    }

    /** Threads that replay the dependency graph. */
    public WorkerThreads threads() {
        return threads;
    }

    /** What waited for what over the {@linkplain #compared ranks that are compared}; null where that was not kept of each. */
    public @Nullable RunDependencies dependencies() {
        if (compared() != this) {
            return compared().dependencies();
        }
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
     * What the run gains without slow ranks, and without those for which others wait most, as far as their times are {@linkplain #compared
     * compared} with those of others. {@link RankGains#NONE} where none are, or where the dependencies were not kept.
     */
    public RankGains gains() {
        if (gains == null) {
            MatchedRanks tied = compared();
            Set<Integer> numbers =
                    tied.present().stream().map(RankCollectives::rank).collect(Collectors.toSet());
            List<Integer> slowest = named().stream().filter(numbers::contains).toList();
            List<Integer> suspects =
                    suspects().stream().filter(numbers::contains).toList();
            boolean any = !slowest.isEmpty() || !suspects.isEmpty();
            gains = any && numbers.size() > 1 ? tied.priced(slowest, suspects) : RankGains.NONE;
        }
        return gains;
    }

    private RankGains priced(List<Integer> slowest, List<Integer> suspects) {
        List<Integer> both =
                Stream.concat(slowest.stream(), suspects.stream()).distinct().toList();
        Set<Integer> sample = new HashSet<>(
                PricingSample.of(present().stream().map(RankCollectives::rank).toList(), steps(), both));
        if (sample.size() == present.size() && present.stream().allMatch(rank -> rank.part() != null)) {
            return Objects.requireNonNull(dependencies()).gains(slowest, suspects, threads);
        }
        List<KeptRank> whole = new ArrayList<>();
        for (KeptRank rank : present) {
            KeptRank again = !sample.contains(rank.collectives().rank()) || rank.part() != null ? rank : reread(rank);
            if (again == null) {
                return RankGains.NONE;
            }
            if (sample.contains(rank.collectives().rank())) {
                whole.add(again);
            }
        }
        return PricingSample.gains(whole, options, slowest, suspects, threads);
    }

    /** A rank with what waited for what on it, from its file; null where that cannot be read. */
    private @Nullable KeptRank reread(KeptRank rank) {
        if (session == null) {
            return null;
        }
        TraceInfo info = rank.collectives().info();
        try {
            List<Trace> traces = session.read(TraceInput.of(FileNames.path(info.source())), bytes -> {});
            int inside = inside(rank, traces);
            if (inside < traces.size()) {
                KeptRank again =
                        KeptRank.of(DerivedCache.believing(traces.get(inside).withRank(info.rank())));
                return rank.withPart(Objects.requireNonNull(again.part()));
            }
            return null;
        } catch (IOException e) {
            return null; // it was there when it was read first
        }
    }

    /** The place of a rank among those of its file: the one that says its number, else by the order in which they got theirs. */
    private int inside(KeptRank rank, List<Trace> traces) {
        TraceInfo info = rank.collectives().info();
        for (int place = 0; place < traces.size() && info.rank().origin() == Rank.Origin.TRACE; place++) {
            if (traces.get(place).info().rank().index() == info.rank().index()) {
                return place;
            }
        }
        return (int) present.stream()
                .map(KeptRank::collectives)
                .filter(one -> one.info().source().equals(info.source())
                        && one.rank() < info.rank().index())
                .count();
    }

    private List<Integer> named() {
        return slow().priced();
    }

    /** Ranks for which the others wait so much that the run could gain from it. */
    private List<Integer> suspects() {
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        for (Collective one : collectives().all()) {
            first = Math.min(first, one.firstStart());
            last = Math.max(last, one.lastEnd());
        }
        long least = Math.round(LEAST_DELAY * Math.max(0, last - first));
        return Stragglers.of(collectives(), RankGains.NONE).stream()
                .filter(row -> row.delay() > least)
                .sorted(Comparator.comparingLong(Stragglers.Row::delay)
                        .reversed()
                        .thenComparingInt(Stragglers.Row::rank))
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
