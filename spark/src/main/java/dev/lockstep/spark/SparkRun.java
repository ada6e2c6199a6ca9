// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.spark;

import dev.lockstep.analyze.comm.Collectives;
import dev.lockstep.analyze.comm.FleetSteps;
import dev.lockstep.analyze.comm.RankGains;
import dev.lockstep.analyze.comm.RankKinds;
import dev.lockstep.analyze.comm.StepsByRank;
import dev.lockstep.clocks.ClockLine;
import dev.lockstep.clocks.Clocks;
import dev.lockstep.derive.CollectiveMatch.Group;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.HostNames;
import dev.lockstep.fleet.FleetRun;
import dev.lockstep.fleet.FleetSource;
import dev.lockstep.fleet.SlowLinks;
import dev.lockstep.model.Trace;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.path.WorkerThreads;
import dev.lockstep.ranks.KeptRank;
import dev.lockstep.ranks.PricingSample;
import dev.lockstep.ranks.TrustOfRanks;
import dev.lockstep.ranks.trust.RunFacts;
import dev.lockstep.ranks.trust.RunTrust;
import dev.lockstep.read.TraceInput;
import dev.lockstep.report.Trust;
import dev.lockstep.session.RankSet;
import dev.lockstep.session.Session;
import dev.lockstep.spark.Matching.Names;
import dev.lockstep.spark.RankShare.Head;
import dev.lockstep.spark.RankShare.KernelName;
import dev.lockstep.spark.RankShare.Sums;
import dev.lockstep.table.LongColumn;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/** The sums of a run whose ranks lie on executors. What is asked of them is what {@code FleetTables} asks a database. */
final class SparkRun implements FleetSource {
    private static final int FEWEST_RANKS = 3;
    private static final int MOST_KERNELS = 5;

    private final JavaSparkContext spark;
    private final JavaPairRDD<Integer, RankShare> shares;
    private final RankSet<Head> ranks;
    private final Map<Path, String> named;
    private final RemoteFiles remote;
    private final Matching matching;
    private final Clocks clocks;
    private final Broadcast<RunClock> clock;

    /** What is known of the clocks of ranks, by number. */
    private final Map<Integer, FleetRun.Clock> lines = new HashMap<>();

    private final Broadcast<Names> names;

    /**
     * A run that was read.
     *
     * @param shares what was kept of each rank, by its number
     * @param ranks who is who
     * @param named files as the user named them: URIs are no paths
     * @param remote reads files
     */
    SparkRun(
            JavaSparkContext spark,
            JavaPairRDD<Integer, RankShare> shares,
            RankSet<Head> ranks,
            Map<Path, String> named,
            RemoteFiles remote) {
        this.remote = remote;
        this.spark = spark;
        this.shares = shares;
        this.ranks = ranks;
        this.named = named;
        List<RankSet.Member<Head>> present = ranks.present();
        long kernels = present.stream()
                .mapToLong(member -> Objects.requireNonNull(member.kept()).collectives())
                .sum();
        matching = Matching.of(spark, shares, kernels);
        names = spark.broadcast(matching.names());
        HashMap<Integer, Integer> places = new HashMap<>();
        present.forEach(member -> places.put(member.rank(), places.size()));
        clocks = matching.clocks(present, places);
        clock = spark.broadcast(new RunClock(clocks.believed(), places));
        places.forEach((rank, place) -> {
            if (clocks.isTied(place)) {
                ClockLine line = clocks.line(place);
                lines.put(rank, new FleetRun.Clock(line.offsetNs(), line.errorNs(), line.driftPpm()));
            }
        });
    }

    @Override
    public FleetSteps steps() {
        StepsByRank steps = new StepsByRank();
        for (RankSet.Member<Head> member : ranks.present()) {
            Objects.requireNonNull(member.kept()).steps().forEach(step -> steps.add(member.rank(), step));
        }
        return steps.sideBySide(kinds(steps.ranks()));
    }

    private int[] kinds(int[] ranksWithSteps) {
        JavaPairRDD<Integer, RankKinds.Work> works = shares.filter(
                        rank -> !rank._2.names().isEmpty())
                .mapToPair(rank -> new Tuple2<>(rank._1, rank._2.work(rank._1)));
        List<Tuple2<RankKinds.Work, Integer>> firsts = new ArrayList<>(
                works.mapToPair(Tuple2::swap).reduceByKey(Math::min).collect());
        firsts.sort(Comparator.comparingInt(Tuple2::_2));
        HashMap<RankKinds.Work, Integer> places = new HashMap<>();
        firsts.forEach(first -> places.put(first._1, places.size()));
        Broadcast<HashMap<RankKinds.Work, Integer>> all = spark.broadcast(places);
        TreeMap<Integer, RankKinds.Member> members = new TreeMap<>();
        works.mapValues(work -> all.value().get(work))
                .join(shares.mapValues(share -> new ArrayList<>(
                        RankKinds.groupsOfStage(share.communication().calls()))))
                .collect()
                .forEach(rank -> members.put(
                        rank._1, new RankKinds.Member(firsts.get(rank._2._1)._1, new HashSet<>(rank._2._2))));
        Map<Integer, Integer> kinds = RankKinds.of(members);
        return Arrays.stream(ranksWithSteps)
                .map(rank -> kinds.getOrDefault(rank, 0))
                .toArray();
    }

    @Override
    public List<FleetRun.Member> members() {
        return ranks.members().stream()
                .map(member -> new FleetRun.Member(
                        member.rank(),
                        member.status().name().toLowerCase(Locale.ROOT),
                        member.file() == null ? null : named.get(member.file()),
                        member.note().isEmpty() ? null : member.note(),
                        member.kept() == null ? null : lines.get(member.rank())))
                .toList();
    }

    @Override
    public Map<Integer, String> hosts() {
        List<RankSet.Member<Head>> present = ranks.present();
        List<@Nullable String> told = HostNames.of(present.stream()
                .map(member -> Objects.requireNonNull(member.info()))
                .toList());
        TreeMap<Integer, String> hosts = new TreeMap<>();
        for (int i = 0; i < told.size(); i++) {
            String host = told.get(i);
            if (host != null) {
                hosts.put(present.get(i).rank(), host);
            }
        }
        return hosts;
    }

    @Override
    public Trust trust() {
        TreeMap<Integer, Trust> byRank = new TreeMap<>();
        ranks.present()
                .forEach(member -> byRank.put(
                        member.rank(), Objects.requireNonNull(member.kept()).trust()));
        RunFacts facts = new RunFacts(
                matching.counts(spark, clock),
                clocks,
                clocks.believed(),
                ranks.present().stream().map(RankSet.Member::rank).toList());
        return RunTrust.of(TrustOfRanks.of(byRank), facts);
    }

    /** The driver reads the ranks that are replayed itself: they are few. */
    @Override
    public RankGains gains(List<Integer> slow) throws IOException {
        if (slow.isEmpty()) {
            return RankGains.NONE;
        }
        List<Integer> sample = PricingSample.of(
                ranks.present().stream().map(RankSet.Member::rank).toList(), steps(), slow);
        List<KeptRank> kept = new ArrayList<>();
        try (Session session = new Session(1)) {
            for (RankSet.Member<Head> member : ranks.present()) {
                if (sample.contains(member.rank())) {
                    kept.add(read(session, member));
                }
            }
        }
        return PricingSample.gains(kept, CollectiveOptions.standard(), slow, List.of(), WorkerThreads.none());
    }

    private KeptRank read(Session session, RankSet.Member<Head> member) throws IOException {
        String name = Objects.requireNonNull(named.get(Objects.requireNonNull(member.file())));
        try (RemoteFiles.Local local = remote.local(name)) {
            Trace trace = session.readAlone(new TraceInput(name, local.path()))
                    .get(Objects.requireNonNull(member.kept()).inside());
            return KeptRank.of(DerivedCache.believing(
                    trace.withRank(Objects.requireNonNull(member.info()).rank())));
        }
    }

    @Override
    public List<FleetRun.Kernel> kernels(List<Integer> wanted) {
        if (wanted.isEmpty()) {
            return List.of();
        }
        Set<Integer> late = new HashSet<>(wanted);
        Map<Integer, Map<KernelName, Sums>> own = new TreeMap<>();
        shares.filter(rank -> late.contains(rank._1))
                .mapValues(RankShare::kernels)
                .collect()
                .forEach(rank -> own.put(rank._1, rank._2));
        HashSet<KernelName> asked = new HashSet<>();
        own.values().forEach(kernels -> asked.addAll(kernels.keySet()));
        Broadcast<HashSet<KernelName>> keys = spark.broadcast(asked);
        Map<KernelName, Sums> usual = new HashMap<>();
        shares.flatMapToPair(rank -> {
                    Iterator<Map.Entry<KernelName, Sums>> entries = rank._2.kernels().entrySet().stream()
                            .filter(kernel -> keys.value().contains(kernel.getKey()))
                            .iterator();
                    List<Tuple2<KernelName, Sums>> found = new ArrayList<>();
                    entries.forEachRemaining(entry -> found.add(new Tuple2<>(entry.getKey(), entry.getValue())));
                    return found.iterator();
                })
                .groupByKey()
                .mapValues(SparkRun::usual)
                .collect()
                .forEach(kernel -> {
                    if (kernel._2.ns() > 0) {
                        usual.put(kernel._1, kernel._2);
                    }
                });
        List<FleetRun.Kernel> found = new ArrayList<>();
        own.forEach((rank, kernels) -> found.addAll(longer(rank, kernels, usual)));
        return found;
    }

    /** The medians of ranks; without a duration when the ranks are too few. */
    private static Sums usual(Iterable<Sums> ranks) {
        List<Sums> all = new ArrayList<>();
        ranks.forEach(all::add);
        return all.size() < FEWEST_RANKS
                ? new Sums(0, 0)
                : new Sums(
                        Medians.lower(all.stream().mapToLong(Sums::count).toArray()),
                        Medians.lower(all.stream().mapToLong(Sums::ns).toArray()));
    }

    private static List<FleetRun.Kernel> longer(int rank, Map<KernelName, Sums> kernels, Map<KernelName, Sums> usual) {
        List<FleetRun.Kernel> found = new ArrayList<>();
        kernels.forEach((name, sums) -> {
            Sums middle = usual.get(name);
            if (middle != null && sums.ns() > middle.ns()) {
                found.add(new FleetRun.Kernel(
                        rank,
                        name.name(),
                        name.dims(),
                        sums.count(),
                        middle.count(),
                        (double) sums.ns() / middle.ns(),
                        sums.ns() - middle.ns()));
            }
        });
        found.sort(Comparator.comparingDouble(FleetRun.Kernel::excessNs)
                .reversed()
                .thenComparing(FleetRun.Kernel::name)
                .thenComparing(FleetRun.Kernel::dims, Comparator.nullsLast(Comparator.naturalOrder())));
        return found.subList(0, Math.min(MOST_KERNELS, found.size()));
    }

    // ---- groups ----

    /**
     * Messages of one size in groups of one name.
     *
     * @param name of the group, null when not recorded
     * @param kind of collective
     * @param bytes of the message, -1 when unknown
     * @param size members of the group, -1 when unknown
     */
    record Messages(@Nullable String name, String kind, long bytes, long size) implements Serializable {
        /** The same in any group. */
        Messages anywhere() {
            return new Messages(null, kind, bytes, size);
        }
    }

    /**
     * How long messages of a group take.
     *
     * @param first place of the first of them
     * @param ranks of that one
     * @param ns median transfer of each
     */
    @SuppressWarnings("ArrayRecordComponent")
    private record Times(Collected.Place first, TreeSet<Integer> ranks, double[] ns) implements Serializable {
        double median() {
            return Medians.between(ns);
        }
    }

    @Override
    public List<FleetRun.Group> groups() {
        Broadcast<Names> known = names;
        Broadcast<RunClock> common = clock;
        Map<Messages, Times> all = new HashMap<>();
        matching.collectives()
                .filter(one -> waits(one, known.value()))
                .map(one -> new Tuple2<>(one, one.waits(common.value(), group(one, known.value()))))
                .filter(one -> isAnyKnown(one._2))
                .mapToPair(one -> new Tuple2<>(messages(one._1, known.value()), times(one._1, one._2)))
                .groupByKey()
                .mapValues(SparkRun::joined)
                .collect()
                .forEach(one -> all.put(one._1, one._2));
        Map<Messages, List<Double>> alike = new HashMap<>();
        all.forEach((messages, times) -> alike.computeIfAbsent(messages.anywhere(), m -> new ArrayList<>())
                .add(times.median()));
        List<FleetRun.Group> found = new ArrayList<>();
        all.forEach((messages, times) -> {
            double[] others = Objects.requireNonNull(alike.get(messages.anywhere())).stream()
                    .mapToDouble(ns -> ns)
                    .toArray();
            double middle = Medians.between(others);
            double own = times.median();
            if (others.length >= SlowLinks.FEWEST_GROUPS
                    && middle > 0
                    && own > SlowLinks.LEAST_RATIO * middle
                    && own - middle > SlowLinks.DEVIATIONS * Medians.deviation(others)) {
                found.add(new FleetRun.Group(
                        String.valueOf(messages.name()),
                        messages.kind(),
                        messages.bytes(),
                        List.copyOf(times.ranks()),
                        own / middle,
                        others.length - 1,
                        (own - middle) * times.ns().length));
            }
        });
        found.sort(Comparator.comparingDouble(FleetRun.Group::excessNs)
                .reversed()
                .thenComparing(FleetRun.Group::group)
                .thenComparing(FleetRun.Group::kind)
                .thenComparingLong(FleetRun.Group::bytes));
        return found;
    }

    private static Times joined(Iterable<Times> parts) {
        List<Times> all = new ArrayList<>();
        parts.forEach(all::add);
        Times first = all.stream().min(Comparator.comparing(Times::first)).orElseThrow();
        return new Times(
                first.first(),
                first.ranks(),
                all.stream().flatMapToDouble(part -> Arrays.stream(part.ns())).toArray());
    }

    private static boolean waits(Collected one, Names names) {
        return Collectives.wait(group(one, names), one.call(), one.members().size());
    }

    private static Group group(Collected one, Names names) {
        return names.groups().get(one.place().group());
    }

    private static Messages messages(Collected one, Names names) {
        Group group = group(one, names);
        int listed = names.listed()[one.place().group()];
        return new Messages(
                group.name().isEmpty() ? null : group.name(),
                one.call().kind().word(),
                one.bytes(group, listed),
                Math.max(-1, one.expected(group, listed)));
    }

    private static boolean isAnyKnown(long[] waits) {
        return Arrays.stream(waits).anyMatch(wait -> wait != LongColumn.ABSENT);
    }

    private static Times times(Collected one, long[] waits) {
        TreeSet<Integer> ranks = new TreeSet<>();
        for (int m = 0; m < waits.length; m++) {
            if (waits[m] != LongColumn.ABSENT) {
                ranks.add(one.members().get(m).rank());
            }
        }
        return new Times(one.place(), ranks, new double[] {Medians.between(one.transfers(waits))});
    }

    // ---- starts ----

    /**
     * How late a rank came to a collective.
     *
     * @param ts start of its kernel on its clock
     * @param row place of the kernel among those of the rank
     * @param lateNs behind the median of the members
     */
    private record Arrival(long ts, int row, double lateNs) implements Serializable {
        static Arrival first(Arrival a, Arrival b) {
            return a.ts < b.ts || a.ts == b.ts && a.row < b.row ? a : b;
        }
    }

    @Override
    public List<FleetRun.Start> starts(double least) {
        Broadcast<Names> known = names;
        Broadcast<RunClock> common = clock;
        long atLeast = Math.round(least);
        List<FleetRun.Start> starts = new ArrayList<>();
        matching.collectives()
                .filter(one -> waits(one, known.value()))
                .flatMapToPair(one -> arrivals(one, one.waits(common.value(), group(one, known.value()))))
                .reduceByKey(Arrival::first)
                .filter(rank -> rank._2.lateNs() >= atLeast)
                .collect()
                .forEach(rank -> starts.add(new FleetRun.Start(rank._1, rank._2.lateNs())));
        starts.sort(
                Comparator.comparingDouble(FleetRun.Start::lateNs).reversed().thenComparingInt(FleetRun.Start::rank));
        return starts;
    }

    private static Iterator<Tuple2<Integer, Arrival>> arrivals(Collected one, long[] waits) {
        double middle = Medians.between(
                Arrays.stream(waits).filter(wait -> wait != LongColumn.ABSENT).toArray());
        List<Tuple2<Integer, Arrival>> arrivals = new ArrayList<>();
        for (int m = 0; m < waits.length; m++) {
            if (waits[m] != LongColumn.ABSENT) {
                Collected.Member member = one.members().get(m);
                arrivals.add(new Tuple2<>(member.rank(), new Arrival(member.ts(), member.row(), middle - waits[m])));
            }
        }
        return arrivals.iterator();
    }
}
