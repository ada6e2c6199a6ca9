// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import dev.lockstep.derive.RankCollectives;
import dev.lockstep.model.IntervalSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * What it would save if late ranks came in time: the run is {@linkplain CollectivePlay played again}, collective by collective,
 * with other times between them. A rank that is mended takes no longer from one collective to the next, without collectives
 * that nothing hid, than the ranks in the middle (the lower of two). With nothing mended all times come out as recorded.
 *
 * <p>A rank comes late when it does so {@linkplain Throughout throughout}; ranks that take turns do not.
 *
 * @param totalNs from the first start to the last end of collectives in which ranks wait for one another
 * @param togetherNs what would be saved if all of {@code late} came in time
 * @param parts of the run by whose scatter it is judged whether a rank comes late throughout
 * @param late the ranks that come late, the costliest first
 * @param all every rank, in order of its number
 */
public record Mending(long totalNs, long togetherNs, int parts, List<Row> late, List<Row> all) {
    /** Of so many ranks what they cost is looked at. */
    private static final int MOST = 16;

    /** A rank comes late when it costs at least this share of the total, and of what all ranks together would save. */
    private static final double LEAST_OF_TOTAL = 0.01;

    private static final double LEAST_OF_ALL = 0.2;

    /**
     * A rank.
     *
     * @param rank its number
     * @param aloneNs what would be saved if it alone came in time
     * @param remainingNs what it would still cost if all other ranks came in time
     * @param togetherNs what would be saved if all ranks that come late came in time; 0 for one that does not come late
     * @param throughout whether it takes longer than ranks in the middle by more than chance, whatever that costs
     * @param excessNs by how much it takes longer between collectives, without waiting, than the ranks in the middle
     * @param exposedNs communication while no computation ran
     * @param exposedWaitNs part of it in which the rank waited for the last to arrive
     */
    public record Row(
            int rank,
            long aloneNs,
            long remainingNs,
            long togetherNs,
            boolean throughout,
            long excessNs,
            long exposedNs,
            long exposedWaitNs) {}

    /** Copies the lists. */
    public Mending {
        late = List.copyOf(late);
        all = List.copyOf(all);
    }

    /**
     * {@return what it would save if late ranks came in time}
     *
     * @param collectives of the run
     */
    public static Mending of(Collectives collectives) {
        List<RankCollectives> ranks = collectives.match().ranks();
        int n = ranks.size();
        List<IntervalSet> waiting = exposed(collectives, n, true);
        CollectivePlay play = new CollectivePlay(collectives, exposed(collectives, n, false));
        boolean[] none = new boolean[n];
        boolean[] every = new boolean[n];
        Arrays.fill(every, true);
        long total = play.total(none);
        long best = play.total(every);
        long[] alone = new long[n];
        long[] remaining = new long[n];
        long[] excess = play.excess(n);
        List<Integer> suspects = new ArrayList<>();
        for (int r = 0; r < n; r++) {
            suspects.add(r);
        }
        suspects.sort(Comparator.comparingLong((Integer r) -> -excess[r]).thenComparing(r -> r));
        boolean[] late = new boolean[n];
        List<double[]> courses = play.courses(n);
        boolean[] throughout = Throughout.of(courses, play.knowsSteps());
        for (int r : suspects.subList(0, Math.min(MOST, n))) {
            boolean[] others = every.clone();
            others[r] = false;
            boolean[] it = none.clone();
            it[r] = true;
            alone[r] = total - play.total(it);
            remaining[r] = play.total(others) - best;
            late[r] = throughout[r]
                    && remaining[r] >= LEAST_OF_TOTAL * total
                    && remaining[r] >= LEAST_OF_ALL * (total - best);
        }
        long together = total - play.total(late);
        List<Row> rows = new ArrayList<>();
        for (int r = 0; r < n; r++) {
            rows.add(new Row(
                    ranks.get(r).rank(),
                    alone[r],
                    remaining[r],
                    late[r] ? together : 0,
                    throughout[r],
                    Math.round(Arrays.stream(courses.get(r)).sum()),
                    ranks.get(r).work().exposed().total(),
                    waiting.get(r).total()));
        }
        List<Row> found = new ArrayList<>();
        for (int r : suspects) {
            if (late[r]) {
                found.add(rows.get(r));
            }
        }
        found.sort(Comparator.comparingLong(Row::remainingNs).reversed().thenComparingInt(Row::rank));
        return new Mending(total, together, courses.isEmpty() ? 0 : courses.getFirst().length, found, rows);
    }

    /** By rank: when it was in a collective, or waited in one for the last to come, and no computation ran. */
    private static List<IntervalSet> exposed(Collectives collectives, int ranks, boolean waiting) {
        List<List<long[]>> waits = new ArrayList<>();
        for (int r = 0; r < ranks; r++) {
            waits.add(new ArrayList<>());
        }
        for (Collective c : collectives.all()) {
            for (int m = 0; c.waits() && m < c.present(); m++) {
                int r = collectives.match().rank(c.instance(), m);
                int row = collectives.match().row(c.instance(), m);
                long from = collectives.rank(r).ts(row);
                long end = collectives.rank(r).end(row);
                long last = from + Math.max(0, collectives.waitOf(c, m));
                waits.get(r).add(new long[] {from, waiting ? Math.min(last, end) : end});
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
}
