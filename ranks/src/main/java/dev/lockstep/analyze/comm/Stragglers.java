// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import static dev.lockstep.table.ColumnSpec.micros;

import dev.lockstep.analyze.TableNames;
import dev.lockstep.analyze.comm.Arrivals.Waiting;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.model.IntervalSet;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.LongColumn;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who waits, for whom, and why. All waiting in a collective is put down to the rank that came last; the sum of what ranks
 * waited equals the sum of what was put down to ranks.
 */
public final class Stragglers {
    /**
     * A rank's part.
     *
     * @param rank its number
     * @param node its node, -1 when unknown
     * @param collectives collectives that it took part in whose waiting is known
     * @param unknown those whose waiting is not known
     * @param waited time it waited
     * @param last times it came last
     * @param first times it came first
     * @param caused time that others waited for it
     * @param causedByHost part of it before its host had launched the kernel
     * @param causedByDevice part of it after the launch
     * @param delay time by which the collectives would have begun earlier if it alone had been in time
     * @param communication time of all its communication kernels
     * @param exposed communication while no computation ran
     * @param exposedWait part of it in which the rank waited for the last to arrive
     * @param gain what the run gains without it; null where that was not asked or is not known
     * @param together what the run gains without all of its slow ranks, where it is one of them; null for others
     */
    public record Row(
            int rank,
            int node,
            long collectives,
            long unknown,
            long waited,
            long last,
            long first,
            long caused,
            long causedByHost,
            long causedByDevice,
            long delay,
            long communication,
            long exposed,
            long exposedWait,
            RankGains.@Nullable Row gain,
            @Nullable Long together) {
        /** Whether anything is known of what it waited, if it had to wait at all. */
        public boolean isKnown() {
            return collectives > 0 || unknown == 0;
        }

        private @Nullable Long known(long value) {
            return isKnown() ? value : null;
        }
    }

    private static final class Sums {
        private long collectives;
        private long unknown;
        private long waited;
        private long last;
        private long first;
        private long caused;
        private long host;
        private long device;
        private long delay;
    }

    private Stragglers() {}

    /**
     * The ranks, the one for which the others wait most first.
     *
     * @param gains what the run gains without ranks
     */
    public static List<Row> of(Collectives collectives, RankGains gains) {
        List<RankCollectives> ranks = collectives.match().ranks();
        Map<Integer, Sums> sums = new HashMap<>();
        ranks.forEach(rank -> sums.put(rank.rank(), new Sums()));
        for (Collective c : collectives.all()) {
            if (c.waits()) {
                add(collectives, c, sums);
            } else if (c.waiting() == Waiting.UNKNOWN) {
                for (int m = 0; m < c.present(); m++) {
                    int place = collectives.match().rank(c.instance(), m);
                    sums.getOrDefault(collectives.rank(place).rank(), new Sums()).unknown++;
                }
            }
        }
        List<IntervalSet> waiting = exposedWaits(collectives);
        List<Row> rows = new ArrayList<>();
        for (int r = 0; r < ranks.size(); r++) {
            RankCollectives rank = ranks.get(r);
            Sums s = sums.getOrDefault(rank.rank(), new Sums());
            long communication = 0;
            for (int i = 0; i < rank.size(); i++) {
                communication += rank.dur(i);
            }
            rows.add(new Row(
                    rank.rank(),
                    collectives.nodes().node(rank.rank()),
                    s.collectives,
                    s.unknown,
                    s.waited,
                    s.last,
                    s.first,
                    s.caused,
                    s.host,
                    s.device,
                    s.delay,
                    communication,
                    rank.work().exposed().total(),
                    waiting.get(r).total(),
                    gains.of(rank.rank()),
                    gains.slow().contains(rank.rank()) ? (Long) gains.togetherNs() : null));
        }
        rows.sort(Comparator.comparingLong(Row::caused).reversed().thenComparingInt(Row::rank));
        return rows;
    }

    /** By rank: when it waited in a collective for the last to come, and no computation ran. */
    private static List<IntervalSet> exposedWaits(Collectives collectives) {
        int ranks = collectives.match().ranks().size();
        List<List<long[]>> waits = new ArrayList<>();
        for (int r = 0; r < ranks; r++) {
            waits.add(new ArrayList<>());
        }
        for (Collective c : collectives.all()) {
            for (int m = 0; c.waits() && m < c.present(); m++) {
                int r = collectives.match().rank(c.instance(), m);
                long from = collectives.rank(r).ts(collectives.match().row(c.instance(), m));
                waits.get(r).add(new long[] {from, from + Math.max(0, collectives.waitOf(c, m))});
            }
        }
        List<IntervalSet> exposed = new ArrayList<>();
        for (int r = 0; r < ranks; r++) {
            waits.get(r).sort(Comparator.comparingLong(wait -> wait[0]));
            IntervalSet.Builder union = new IntervalSet.Builder();
            waits.get(r).forEach(wait -> union.add(wait[0], wait[1]));
            exposed.add(union.build().intersect(collectives.rank(r).work().exposed()));
        }
        return exposed;
    }

    private static void add(Collectives collectives, Collective c, Map<Integer, Sums> sums) {
        for (int m = 0; m < c.present(); m++) {
            int place = collectives.match().rank(c.instance(), m);
            Sums s = sums.getOrDefault(collectives.rank(place).rank(), new Sums());
            long wait = collectives.waitOf(c, m);
            s.collectives += wait == LongColumn.ABSENT ? 0 : 1;
            s.waited += wait == LongColumn.ABSENT ? 0 : wait;
        }
        Sums late = sums.getOrDefault(c.last(), new Sums());
        late.last++;
        late.caused += c.waited();
        late.host += c.waitedForHost();
        late.device += c.waitedForDevice();
        late.delay += c.delay();
        sums.getOrDefault(c.first(), new Sums()).first++;
    }

    /** {@code straggler_summary}. */
    public static Table table(List<Row> rows) {
        return new Fields<Row>()
                .add(ColumnSpec.id("rank", "Rank of the process."), Row::rank)
                .add(
                        ColumnSpec.id("node_id", "Node of the rank; missing when unknown."),
                        r -> r.node < 0 ? null : r.node)
                .add(
                        ColumnSpec.count(
                                "num_collectives", "Collectives that the rank took part in whose waiting is known."),
                        Row::collectives)
                .add(
                        ColumnSpec.count(
                                "unknown_waits",
                                "Those whose waiting is unknown: nothing ties the clocks of their ranks, or times contradict"
                                        + " each other. Where there are no others, nothing is said of waiting."),
                        Row::unknown)
                .add(
                        micros(
                                "caused_wait_us",
                                "Time that other ranks waited because this one came last, summed over them; missing where it is"
                                        + " unknown."),
                        r -> r.known(r.caused))
                .add(
                        micros(
                                "caused_by_host_us",
                                "Part of it until this rank's host had launched the kernel: the host was late. Not while it stood in a call"
                                        + " that waits for its device."),
                        r -> r.known(r.causedByHost))
                .add(
                        micros(
                                "caused_by_device_us",
                                "Part of it between that launch and the kernel's start, and before while the host waited for the device:"
                                        + " it was busy with earlier"
                                        + " work. What is left had no launch on record."),
                        r -> r.known(r.causedByDevice))
                .add(
                        micros(
                                "avoidable_delay_us",
                                "How much earlier its collectives would have begun if it alone had been in time."),
                        r -> r.known(r.delay))
                .add(
                        micros(
                                "saves_alone_us",
                                "How much shorter the run gets if this rank alone takes what the median rank of its role takes, by a"
                                        + " replay of the dependency graph; missing for ranks that were not priced."),
                        r -> r.gain == null ? null : (Long) r.gain.aloneNs())
                .add(
                        micros(
                                "costs_alone_us",
                                "What it still costs where all other slow ranks keep pace; missing likewise."),
                        r -> r.gain == null ? null : (Long) r.gain.remainingNs())
                .add(
                        micros(
                                "saves_together_us",
                                "What the run gains if all slow ranks keep pace; missing for a rank that is not slow."),
                        Row::together)
                .add(micros("exposed_comm_us", "Communication of the rank while it computed nothing."), Row::exposed)
                .add(
                        micros(
                                "exposed_wait_us",
                                "Part of it in which it waited for the last to come; missing where it is unknown."),
                        r -> r.known(r.exposedWait))
                .add(
                        micros("total_wait_time_us", "Time that the rank itself waited; missing where it is unknown."),
                        r -> r.known(r.waited))
                .add(
                        ColumnSpec.real(
                                "mean_wait_time_us",
                                Unit.NANOSECONDS,
                                Unit.MICROSECONDS,
                                "For each of its collectives; missing without any."),
                        r -> r.collectives == 0 ? null : (double) r.waited / r.collectives)
                .add(ColumnSpec.count("times_arrived_last", "Collectives in which it came last."), r -> r.known(r.last))
                .add(
                        ColumnSpec.count("times_arrived_first", "Collectives in which it came first."),
                        r -> r.known(r.first))
                .add(
                        ColumnSpec.percent("pct_arrived_last", "Share of its own collectives in which it came last."),
                        r -> r.collectives == 0 ? null : 100.0 * r.last / r.collectives)
                .add(micros("total_nccl_dur_us", "Time of all its communication kernels."), Row::communication)
                .add(
                        ColumnSpec.percent("pct_waiting", "Share of that time in which it waited for others."),
                        r -> r.communication == 0 || !r.isKnown() ? null : 100.0 * r.waited / r.communication)
                .table(TableNames.STRAGGLER_SUMMARY, "Waiting by rank", rows);
    }
}
