// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import dev.lockstep.analyze.comm.Arrivals.Waiting;
import dev.lockstep.analyze.comm.NodeMap.Span;
import dev.lockstep.clocks.Clocks;
import dev.lockstep.clocks.CommonClock;
import dev.lockstep.derive.Bandwidth;
import dev.lockstep.derive.CollectiveCall;
import dev.lockstep.derive.CollectiveMatch;
import dev.lockstep.derive.CollectiveMatch.Basis;
import dev.lockstep.derive.CollectiveMatch.Group;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.derive.RankNumbers;
import dev.lockstep.model.IntervalSet;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.table.LongColumn;
import dev.lockstep.table.LongList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Everything that ranks did together, computed once for all sheets: which kernels belong together, on which clock, and
 * what each collective took, cost and carried. Linear in the number of kernels.
 *
 * @param match which kernels belong together
 * @param clocks how far the clocks of the ranks are apart
 * @param clock the clock that times of ranks are taken to
 * @param nodes which ranks share a node
 * @param all the collectives, by group, then number
 * @param waits by kernel, collective by collective: how long it waited for the last
 */
@SuppressWarnings("ArrayRecordComponent") // never changed
public record Collectives(
        CollectiveMatch match, Clocks clocks, CommonClock clock, NodeMap nodes, List<Collective> all, long[] waits) {
    private static final double NS_PER_S = 1e9;

    /** The collectives of these ranks, which are in order. */
    public static Collectives of(List<RankCollectives> ranks, CollectiveOptions options) {
        CollectiveMatch match = CollectiveMatch.of(ranks);
        Clocks clocks = Clocks.of(match, options.gpusPerNode());
        CommonClock clock = switch (options.alignment()) {
            case AUTO -> clocks.believed();
            case NONE -> clocks.asRecorded();
            case COLLECTIVES -> clocks.estimated();
        };
        NodeMap nodes = NodeMap.of(ranks, options.gpusPerNode());
        Map<Group, long[]> members = new HashMap<>();
        match.groups().forEach(group -> members.put(group, RankNumbers.of(group.members())));
        List<Collective> all = new ArrayList<>(match.size());
        LongList waits = new LongList(1024);
        for (int i = 0; i < match.size(); i++) {
            long[] listed = members.getOrDefault(match.groups().get(match.group(i)), new long[0]);
            all.add(one(match, clock, nodes, i, listed, waits));
        }
        return new Collectives(match, clocks, clock, nodes, List.copyOf(all), waits.toArray());
    }

    /** Whether times of any rank are corrected. */
    public boolean aligned() {
        for (int rank = 0; rank < clocks.size(); rank++) {
            if (clock.isCorrected(rank)) {
                return true;
            }
        }
        return false;
    }

    /** Start of a member's kernel on the clock that is used. */
    public long start(int instance, int member) {
        int rank = match.rank(instance, member);
        return clock.at(rank, match.ranks().get(rank).ts(match.row(instance, member)));
    }

    /** Its end, likewise. */
    public long end(int instance, int member) {
        int rank = match.rank(instance, member);
        return clock.at(rank, match.ranks().get(rank).end(match.row(instance, member)));
    }

    /** How long a member waited for the last; {@link LongColumn#ABSENT} where it does not wait, or nobody knows how long. */
    public long waitOf(Collective one, int member) {
        return waits[match.place(one.instance(), member)];
    }

    /** What is known of a rank, by its number. */
    public RankCollectives rank(int place) {
        return match.ranks().get(place);
    }

    private static Collective one(
            CollectiveMatch match, CommonClock clock, NodeMap nodes, int instance, long[] listed, LongList waits) {
        Group group = match.groups().get(match.group(instance));
        CollectiveCall call = match.call(instance);
        int n = match.members(instance);
        int[] ranks = new int[n];
        long[] start = new long[n];
        long[] end = new long[n];
        CollectiveCall[] calls = new CollectiveCall[n];
        for (int m = 0; m < n; m++) {
            ranks[m] = match.rank(instance, m);
            start[m] = clock.at(ranks[m], match.ranks().get(ranks[m]).ts(match.row(instance, m)));
            end[m] = clock.at(ranks[m], match.ranks().get(ranks[m]).end(match.row(instance, m)));
            calls[m] = match.call(instance, m);
        }
        Arrivals arrivals = new Arrivals(start, end, calls);
        int last = match.ranks().get(ranks[arrivals.last()]).rank();
        boolean comparable = true;
        for (int m = 0; m < n; m++) {
            comparable &= !arrivals.joins(m) || clock.compares(ranks[m], ranks[arrivals.last()]);
        }
        Waiting waiting = !wait(group, call, arrivals.joining())
                ? Waiting.NONE
                : match.isContradictory(instance) ? Waiting.UNKNOWN : arrivals.find(clock, ranks, place(listed, last));
        boolean known = waiting == Waiting.KNOWN;
        for (int m = 0; m < n; m++) {
            waits.add(known && arrivals.joins(m) ? arrivals.waitOf(m) : LongColumn.ABSENT);
        }
        long host = known ? waitedForHost(match, clock, instance, arrivals) : LongColumn.ABSENT;
        boolean launched = host != LongColumn.ABSENT;
        long expected = expected(group, call, n, listed.length);
        long bytes = Bandwidth.size(call, expected);
        double algorithm = bytes < 0 || arrivals.latency() <= 0 || n == 1 && expected != 1
                ? Double.NaN
                : bytes / (arrivals.latency() / NS_PER_S);
        return new Collective(
                instance,
                group,
                match.group(instance),
                match.number(instance),
                call,
                n,
                expected,
                waiting,
                comparable,
                arrivals.firstStart(),
                arrivals.lastStart(),
                arrivals.firstEnd(),
                arrivals.lastEnd(),
                arrivals.latency(),
                match.ranks().get(ranks[arrivals.first()]).rank(),
                last,
                arrivals.waited(),
                launched ? host : 0,
                launched ? arrivals.waited() - host : 0,
                known ? arrivals.lastStart() - arrivals.beforeLast() : 0,
                bytes,
                algorithm,
                algorithm * Bandwidth.busFactor(call.kind(), expected),
                span(match, nodes, instance, group, listed));
    }

    /** Place of a rank among the members that a group lists, -1 where it is none. */
    public static int place(long[] listed, long rank) {
        for (int i = 0; i < listed.length; i++) {
            if (listed[i] == rank) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Time that members had waited when the kernel of the last was launched, as far as its host was the cause: while the
     * launching thread stood in a call that waits for the device, and the device worked, the device was. {@link
     * LongColumn#ABSENT} where the launch is not known.
     */
    private static long waitedForHost(CollectiveMatch match, CommonClock clock, int instance, Arrivals arrivals) {
        int rank = match.rank(instance, arrivals.last());
        int row = match.row(instance, arrivals.last());
        RankCollectives kernels = match.ranks().get(rank);
        if (kernels.launch(row) == LongColumn.ABSENT) {
            return LongColumn.ABSENT;
        }
        IntervalSet blocked = kernels.blocked(row);
        long launch = Math.min(clock.at(rank, kernels.launch(row)), arrivals.lastStart());
        long waited = 0;
        for (int m = 0; m < match.members(instance); m++) {
            long until = arrivals.waitedUntil(m, launch);
            if (until > 0) {
                long from = arrivals.start(m);
                waited += until - blocked.within(clock.recorded(rank, from), clock.recorded(rank, from + until));
            }
        }
        return waited;
    }

    /** Whether this many members of a group wait for one another in such a collective. */
    public static boolean wait(Group group, CollectiveCall call, int present) {
        return present > 1 && (call.kind().synchronising() || group.isPair());
    }

    /**
     * How many members there must be: two of a pair, else what was recorded, else those that were found; -1 when unknown.
     *
     * @param present members that were found
     * @param listed members that the trace lists
     */
    public static long expected(Group group, CollectiveCall call, int present, int listed) {
        if (group.isPair()) {
            return 2;
        }
        if (call.groupSize() > 0) {
            return call.groupSize();
        }
        return listed > 0 ? listed : group.basis() == Basis.KIND_AND_ORDER ? present : -1;
    }

    private static Span span(CollectiveMatch match, NodeMap nodes, int instance, Group group, long[] listed) {
        if (group.isPair() && group.from() < listed.length && group.to() < listed.length) {
            return nodes.span(new long[] {listed[(int) group.from()], listed[(int) group.to()]});
        }
        if (listed.length > 0) {
            return nodes.span(listed);
        }
        long[] present = new long[match.members(instance)];
        for (int m = 0; m < present.length; m++) {
            present[m] = match.ranks().get(match.rank(instance, m)).rank();
        }
        return nodes.span(present);
    }
}
