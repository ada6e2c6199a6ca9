// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.dataset;

import dev.lockstep.analyze.comm.Collective;
import dev.lockstep.analyze.comm.Collectives;
import dev.lockstep.analyze.comm.RankGains;
import dev.lockstep.analyze.comm.SlowRanks.Slow;
import dev.lockstep.clocks.ClockLine;
import dev.lockstep.clocks.Clocks;
import dev.lockstep.derive.HostNames;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.ranks.KeptRank;
import dev.lockstep.ranks.MatchedRanks;
import dev.lockstep.ranks.trust.RunTrust;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Topic;
import dev.lockstep.report.Trust;
import dev.lockstep.report.Trust.Reason;
import dev.lockstep.session.RankSet.Member;
import dev.lockstep.table.LongColumn;
import dev.lockstep.table.StringPool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The rows of a run that need all its ranks: collectives, ranks, findings. */
public final class RunRows {
    private static final StringPool NO_TEXTS = new StringPool();

    private final Collectives collectives;
    private final long origin;

    /**
     * What outlives a rank.
     *
     * @param rank what reports across ranks need of it
     * @param slices number of its slices
     * @param start first start of anything in ns since the trace's origin
     * @param end last end of anything, likewise
     */
    public record Kept(KeptRank rank, int slices, long start, long end) {
        /** What outlives this rank. */
        public static Kept of(Trace trace, KeptRank rank) {
            RankCollectives kernels = rank.collectives();
            int slices = trace.slices().size();
            return slices == 0
                    ? new Kept(rank, 0, LongColumn.ABSENT, LongColumn.ABSENT)
                    : new Kept(rank, slices, kernels.recordedFrom(), kernels.recordedTo());
        }
    }

    /**
     * The rows of a run.
     *
     * @param origin time 0 of the run in ns, as in {@link TraceRows#write}
     */
    public RunRows(Collectives collectives, long origin) {
        this.collectives = collectives;
        this.origin = origin;
    }

    /** Hands on the kernels of all collectives, rank by rank. */
    public void collectives(BatchSink sink) throws IOException {
        List<RankCollectives> ranks = collectives.match().ranks();
        List<int[]> rowsOf = new ArrayList<>();
        List<long[]> waits = new ArrayList<>();
        for (RankCollectives rank : ranks) {
            rowsOf.add(new int[rank.size()]);
            waits.add(new long[rank.size()]);
        }
        for (Collective collective : collectives.all()) {
            for (int m = 0; m < collective.present(); m++) {
                int place = collectives.match().rank(collective.instance(), m);
                int row = collectives.match().row(collective.instance(), m);
                rowsOf.get(place)[row] = collective.instance() + 1;
                waits.get(place)[row] = collectives.waitOf(collective, m);
            }
        }
        BatchRows rows = new BatchRows(sink, DatasetTables.COLLECTIVES, NO_TEXTS);
        for (int place = 0; place < ranks.size(); place++) {
            for (int row = 0; row < ranks.get(place).size(); row++) {
                int instance = rowsOf.get(place)[row] - 1;
                if (instance >= 0) {
                    fill(rows.next(), place, row, collectives.all().get(instance), waits.get(place)[row]);
                }
            }
            rows.finish();
        }
    }

    private void fill(RowBatch row, int place, int kernel, Collective collective, long wait) {
        RankCollectives rank = collectives.rank(place);
        long shift = rank.info().originNs() - origin;
        row.set(0, rank.rank());
        row.set(1, collective.instance());
        row.set(2, collective.id());
        row.set(3, textOrNull(collective.group().name()));
        row.set(4, textOrNull(collective.group().members()));
        row.setId(5, collective.expected());
        row.set(6, collective.present());
        row.set(7, collective.number());
        row.set(8, collective.call().kind().word());
        row.set(9, rank.call(kernel).name());
        row.set(10, collective.call().dtype());
        row.setId(11, collective.bytes());
        row.setId(12, rank.step(kernel));
        row.setId(13, rank.stream(kernel));
        row.set(14, rank.ts(kernel) + shift);
        row.set(15, rank.dur(kernel));
        long launch = rank.launch(kernel);
        row.set(16, launch == LongColumn.ABSENT ? launch : launch + shift);
        if (wait != LongColumn.ABSENT) {
            row.set(17, wait);
            row.set(18, rank.dur(kernel) - wait);
            row.set(22, collective.last());
            if (collective.last() == rank.rank()) {
                row.set(19, collective.delay());
                row.set(20, collective.waitedForHost());
                row.set(21, collective.waitedForDevice());
            }
        }
        row.set(23, collective.busBandwidth());
        row.setId(24, rank.call(kernel).peer());
    }

    /** Hands on all ranks, those that are missing among them. */
    public void ranks(List<Member<Kept>> members, BatchSink sink) throws IOException {
        List<RankCollectives> matched = collectives.match().ranks();
        List<@Nullable String> hosts =
                HostNames.of(matched.stream().map(RankCollectives::info).toList());
        Map<Integer, Integer> places = new HashMap<>();
        for (int place = 0; place < matched.size(); place++) {
            places.put(matched.get(place).rank(), place);
        }
        BatchRows rows = new BatchRows(sink, DatasetTables.RANKS, NO_TEXTS);
        int block = 0;
        for (Member<Kept> member : members) {
            int its = Math.max(0, member.rank()) / DatasetTables.BLOCK;
            if (its != block) {
                rows.finish();
                block = its;
            }
            RowBatch row = rows.next();
            row.setId(0, member.rank());
            row.set(1, member.status().name().toLowerCase(Locale.ROOT));
            row.set(2, member.origin() == null ? null : member.origin().name().toLowerCase(Locale.ROOT));
            row.set(3, textOrNull(member.source()));
            row.set(4, textOrNull(member.note()));
            Path file = member.file();
            if (file != null) {
                row.setId(15, size(file));
            }
            Kept kept = member.kept();
            if (kept != null) {
                Integer place = places.get(member.rank());
                known(row, kept, place == null ? null : hosts.get(place));
                if (place != null) {
                    clock(row, place);
                }
            }
        }
        rows.finish();
    }

    private void clock(RowBatch row, int place) {
        Clocks clocks = collectives.clocks();
        ClockLine line = clocks.line(place);
        row.set(14, line.ties());
        if (clocks.isTied(place)) {
            row.set(12, line.offsetNs());
            row.set(13, line.errorNs());
            row.set(16, line.atNs() - origin);
            row.set(17, line.driftPpm());
            row.set(18, collectives.clock().isCorrected(place));
        }
    }

    private void known(RowBatch row, Kept kept, @Nullable String host) {
        TraceInfo info = kept.rank().collectives().info();
        long shift = info.originNs() - origin;
        row.set(5, info.format());
        row.setId(6, info.worldSize());
        row.set(7, host);
        row.set(8, info.devices().isEmpty() ? null : info.devices().getFirst().name());
        row.set(9, kept.slices());
        if (kept.slices() > 0) {
            row.set(10, kept.start() + shift);
            row.set(11, kept.end() + shift);
        }
    }

    /**
     * Hands on findings.
     *
     * @param rank that they are about, -1 for the run
     * @param queries the query that shows what a finding rests on, null for none
     */
    public static void findings(
            int rank, List<Finding> findings, Function<Finding, @Nullable String> queries, BatchSink sink)
            throws IOException {
        BatchRows rows = new BatchRows(sink, DatasetTables.FINDINGS, NO_TEXTS);
        for (Finding finding : findings) {
            RowBatch row = rows.next();
            row.setId(0, rank);
            row.set(1, finding.severity().name().toLowerCase(Locale.ROOT));
            row.set(2, finding.code());
            row.set(3, finding.text());
            row.set(4, finding.basis());
            row.set(5, queries.apply(finding));
        }
        rows.finish();
    }

    /** Hands on why traces are not to be believed in part: those of the run, and those of its ranks. */
    public static void trust(MatchedRanks run, BatchSink sink) throws IOException {
        BatchRows rows = new BatchRows(sink, DatasetTables.TRUST, NO_TEXTS);
        for (Reason reason : RunTrust.of(run).reasons()) {
            fill(rows.next(), -1, reason);
        }
        for (Map.Entry<Integer, Trust> rank : run.trustByRank().entrySet()) {
            for (Reason reason : rank.getValue().reasons()) {
                fill(rows.next(), rank.getKey(), reason);
            }
        }
        rows.finish();
    }

    private static void fill(RowBatch row, int rank, Reason reason) {
        row.setId(0, rank);
        row.set(1, reason.code());
        row.set(2, reason.count());
        row.set(3, reason.of());
        row.set(4, reason.share());
        row.set(5, reason.text());
        row.set(6, textOrNull(reason.withheld().stream().map(Topic::word).collect(Collectors.joining(" "))));
        row.set(7, textOrNull(reason.advice()));
    }

    /** Hands on slow ranks, and what the run gains without them. */
    public static void slowRanks(MatchedRanks run, BatchSink sink) throws IOException {
        RankGains gains = run.gains();
        Map<Integer, Slow> slow = new LinkedHashMap<>();
        run.slow().slow().forEach(one -> slow.put(one.rank(), one));
        Set<Integer> ranks = new LinkedHashSet<>(slow.keySet());
        gains.rows().forEach(row -> ranks.add(row.rank()));
        BatchRows rows = new BatchRows(sink, DatasetTables.SLOW_RANKS, NO_TEXTS);
        for (int rank : ranks) {
            RowBatch row = rows.next();
            row.set(0, rank);
            Slow one = slow.get(rank);
            row.set(1, one != null);
            if (one != null) {
                row.set(2, one.since());
                row.set(3, one.excessNs());
                row.set(4, one.ratio());
                row.set(5, one.where().name().toLowerCase(Locale.ROOT));
            }
            RankGains.Row gain = gains.of(rank);
            if (gain != null) {
                row.set(6, gain.aloneNs());
                row.set(7, gain.remainingNs());
                row.set(8, gains.togetherNs());
                row.set(9, gains.ofNs());
                row.set(10, gains.confidence());
            }
        }
        rows.finish();
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            return -1;
        }
    }

    private static @Nullable String textOrNull(String text) {
        return text.isEmpty() ? null : text;
    }
}
