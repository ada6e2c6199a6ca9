// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import dev.lockstep.analyze.comm.NodeMap.Span;
import dev.lockstep.derive.Bandwidth;
import dev.lockstep.derive.ClockOffsets;
import dev.lockstep.derive.CollectiveCall;
import dev.lockstep.derive.CollectiveMatch;
import dev.lockstep.derive.CollectiveMatch.Basis;
import dev.lockstep.derive.CollectiveMatch.Group;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.derive.RankNumbers;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.options.CollectiveOptions.Alignment;
import dev.lockstep.table.LongColumn;
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
 * @param aligned whether times are corrected by that
 * @param nodes which ranks share a node
 * @param all the collectives, by group, then number
 */
public record Collectives(
        CollectiveMatch match, ClockOffsets clocks, boolean aligned, NodeMap nodes, List<Collective> all) {
    private static final double NS_PER_S = 1e9;

    /** The collectives of these ranks, which are in order. */
    public static Collectives of(List<RankCollectives> ranks, CollectiveOptions options) {
        CollectiveMatch match = CollectiveMatch.of(ranks);
        ClockOffsets clocks = ClockOffsets.of(match);
        boolean aligned = aligned(clocks, options);
        NodeMap nodes = NodeMap.of(ranks, options.gpusPerNode());
        ClockOffsets applied = aligned ? clocks : ClockOffsets.none(ranks.size());
        Map<Group, long[]> members = new HashMap<>();
        match.groups().forEach(group -> members.put(group, RankNumbers.of(group.members())));
        List<Collective> all = new ArrayList<>(match.size());
        for (int i = 0; i < match.size(); i++) {
            long[] listed = members.getOrDefault(match.groups().get(match.group(i)), new long[0]);
            all.add(one(match, applied, nodes, i, listed));
        }
        return new Collectives(match, clocks, aligned, nodes, List.copyOf(all));
    }

    /** Whether times are corrected by clocks that differ so. */
    public static boolean aligned(ClockOffsets clocks, CollectiveOptions options) {
        return options.alignment() == Alignment.COLLECTIVES || options.alignment() == Alignment.AUTO && clocks.differ();
    }

    /** Start of a member's kernel on the clock that is used. */
    public long start(int instance, int member) {
        int rank = match.rank(instance, member);
        long raw = match.ranks().get(rank).ts(match.row(instance, member));
        return aligned ? raw - clocks.offset(rank) : raw;
    }

    /** What is known of a rank, by its number. */
    public RankCollectives rank(int place) {
        return match.ranks().get(place);
    }

    private static Collective one(
            CollectiveMatch match, ClockOffsets clocks, NodeMap nodes, int instance, long[] listed) {
        Group group = match.groups().get(match.group(instance));
        CollectiveCall call = match.call(instance);
        int n = match.members(instance);
        Spread spread = Spread.of(match, clocks, instance);
        long launched = spread.launchOfLast(match, clocks, instance);
        boolean known = launched != LongColumn.ABSENT;
        long waited = spread.waitedUntil(match, clocks, instance, spread.lastStart());
        long host = known ? spread.waitedForHost(match, clocks, instance, launched) : 0;
        boolean waits = wait(group, call, n);
        long expected = expected(group, call, n, listed.length);
        long bytes = Bandwidth.size(call, expected);
        double algorithm = bytes < 0 || spread.latency() <= 0 || n == 1 && expected != 1
                ? Double.NaN
                : bytes / (spread.latency() / NS_PER_S);
        return new Collective(
                instance,
                group,
                match.group(instance),
                match.number(instance),
                call,
                n,
                expected,
                waits,
                spread.firstStart(),
                spread.lastStart(),
                spread.firstEnd(),
                spread.lastEnd(),
                spread.latency(),
                match.ranks().get(match.rank(instance, spread.first())).rank(),
                match.ranks().get(match.rank(instance, spread.last())).rank(),
                waits ? waited : 0,
                waits ? host : 0,
                waits && known ? waited - host : 0,
                waits ? spread.lastStart() - spread.beforeLast() : 0,
                bytes,
                algorithm,
                algorithm * Bandwidth.busFactor(call.kind(), expected),
                span(match, nodes, instance, group, listed));
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
