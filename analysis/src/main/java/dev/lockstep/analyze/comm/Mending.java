// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import dev.lockstep.derive.RankCollectives;
import dev.lockstep.model.IntervalSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * What it would save if late ranks came in time: the run is played again, collective by collective, with other times between
 * them. A collective begins on a rank as long after the start of the rank's collective before as it did, less the waiting that
 * nothing hid; where there was such waiting, not before that collective ends, and what came after it. It ends for all after
 * the last has begun, and takes what it took then. A rank that is mended takes no longer from one collective to the next,
 * without waiting, than the ranks in the middle (the lower of two). With nothing mended all times come out as recorded.
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

    /** Into so many parts a run is cut to see whether a rank is late throughout. */
    private static final int PARTS = 64;

    /** A rank comes late when it costs at least this share of the total, and of what all ranks together would save. */
    private static final double LEAST_OF_TOTAL = 0.01;

    private static final double LEAST_OF_ALL = 0.2;

    /** Of collectives, so many are the same as those of the repetition before. */
    private static final double ALIKE = 0.95;

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

    /** The run, as arrays over the kernels of collectives with waiting, by collective in order of the last start. */
    private static final class Play {
        private final int[] from;
        private final int[] rank;
        private final long[] start;
        private final long[] end;
        private final int[] before;
        private final long[] usual;
        private final long[] raw;
        private final long[] waited;
        private final long origin;
        private final List<String> what;
        private final int[] step;

        /** Whether steps are known, of most collectives. */
        private final boolean known;

        Play(Collectives collectives, List<IntervalSet> waits) {
            List<Collective> waiting = collectives.all().stream()
                    .filter(Collective::waits)
                    .sorted(Comparator.comparingLong(Collective::lastStart).thenComparingInt(Collective::instance))
                    .toList();
            what = waiting.stream()
                    .map(c -> c.groupIndex() + " " + c.call().kind() + " "
                            + c.call().inElements() + " " + c.call().outElements())
                    .toList();
            step = waiting.stream()
                    .mapToInt(c -> collectives
                            .rank(collectives.match().rank(c.instance(), 0))
                            .step(collectives.match().row(c.instance(), 0)))
                    .toArray();
            known = Arrays.stream(step).filter(s -> s >= 0).count() * 2 > step.length;
            from = new int[waiting.size() + 1];
            for (int k = 0; k < waiting.size(); k++) {
                from[k + 1] = from[k] + waiting.get(k).present();
            }
            int n = from[waiting.size()];
            rank = new int[n];
            start = new long[n];
            end = new long[n];
            before = new int[n];
            raw = new long[n];
            waited = new long[n];
            usual = new long[waiting.size()];
            for (int k = 0; k < waiting.size(); k++) {
                Collective c = waiting.get(k);
                for (int m = 0; m < c.present(); m++) {
                    int i = from[k] + m;
                    rank[i] = collectives.match().rank(c.instance(), m);
                    start[i] = collectives.start(c.instance(), m);
                    raw[i] = collectives.rank(rank[i]).ts(collectives.match().row(c.instance(), m));
                    end[i] = start[i]
                            + collectives.rank(rank[i]).dur(collectives.match().row(c.instance(), m));
                }
            }
            origin = Arrays.stream(start).min().orElse(0);
            link(waits);
            usual();
        }

        /** Of each kernel, the one of its rank in an earlier collective that began last before it; -1 for none. */
        private void link(List<IntervalSet> waits) {
            int[] last = new int[waits.size()];
            Arrays.fill(last, -1);
            for (int k = 0; k + 1 < from.length; k++) {
                for (int i = from[k]; i < from[k + 1]; i++) {
                    int earlier = last[rank[i]];
                    before[i] = earlier >= 0 && start[earlier] <= start[i] ? earlier : -1;
                    long begin = before[i] < 0 ? origin : start[earlier];
                    long offset = raw[i] - start[i];
                    waited[i] = waits.get(rank[i]).within(begin + offset, raw[i]);
                }
                for (int i = from[k]; i < from[k + 1]; i++) {
                    last[rank[i]] = i;
                }
            }
        }

        /** What the rank took from the start of its collective before, without waiting that nothing hid. */
        private long between(int i) {
            return start[i] - (before[i] < 0 ? origin : start[before[i]]) - waited[i];
        }

        private void usual() {
            for (int k = 0; k + 1 < from.length; k++) {
                long[] gaps = new long[from[k + 1] - from[k]];
                for (int i = from[k]; i < from[k + 1]; i++) {
                    gaps[i - from[k]] = between(i);
                }
                Arrays.sort(gaps);
                usual[k] = gaps[(gaps.length - 1) / 2];
            }
        }

        /** By how much each rank takes longer between collectives than those in the middle. */
        long[] excess(int ranks) {
            long[] excess = new long[ranks];
            for (int k = 0; k + 1 < from.length; k++) {
                for (int i = from[k]; i < from[k + 1]; i++) {
                    excess[rank[i]] += Math.max(0, between(i) - usual[k]);
                }
            }
            return excess;
        }

        /**
         * The same by part of the run, also where a rank takes less. Parts are steps; where none are known, but collectives
         * repeat in one order, whole repetitions. What is left over at the end counts in none.
         */
        List<double[]> courses(int ranks) {
            int[] place = new int[from.length - 1];
            int units = known ? steps(place) : repetitions(place);
            int parts = Math.min(PARTS, units);
            List<double[]> courses = new ArrayList<>();
            for (int r = 0; r < ranks; r++) {
                courses.add(new double[parts]);
            }
            for (int k = 0; k < place.length; k++) {
                for (int i = from[k]; place[k] >= 0 && place[k] < units && i < from[k + 1]; i++) {
                    courses.get(rank[i])[(int) ((long) place[k] * parts / units)] += between(i) - usual[k];
                }
            }
            return courses;
        }

        /** Which step each collective is in, counted from 0; how many there are. */
        private int steps(int[] place) {
            int[] found =
                    Arrays.stream(step).filter(s -> s >= 0).sorted().distinct().toArray();
            for (int k = 0; k < place.length; k++) {
                place[k] = step[k] < 0 ? -1 : Arrays.binarySearch(found, step[k]);
            }
            return found.length;
        }

        private int repetitions(int[] place) {
            int period = period();
            for (int k = 0; k < place.length; k++) {
                place[k] = period == 0 ? k : k / period;
            }
            return period == 0 ? place.length : place.length / period;
        }

        /** After how many collectives the same ones come again, at least once; 0 where they do not. */
        private int period() {
            int n = what.size();
            for (int period = 1; period <= n / 2; period++) {
                int same = 0;
                for (int k = period; k < n; k++) {
                    same += what.get(k).equals(what.get(k - period)) ? 1 : 0;
                }
                if (same >= ALIKE * (n - period)) {
                    return period;
                }
            }
            return 0;
        }

        /** How long it takes when these ranks are mended. */
        long total(boolean[] mended) {
            long[] starts = new long[end.length];
            long[] ends = new long[end.length];
            long latest = origin;
            for (int k = 0; k + 1 < from.length; k++) {
                long last = Long.MIN_VALUE;
                long lastBefore = Long.MIN_VALUE;
                for (int i = from[k]; i < from[k + 1]; i++) {
                    long saved = mended[rank[i]] ? Math.max(0, between(i) - usual[k]) : 0;
                    starts[i] = (before[i] < 0 ? origin : starts[before[i]]) + between(i) - saved;
                    if (before[i] >= 0 && waited[i] > 0) {
                        long after = start[i] - end[before[i]];
                        starts[i] =
                                Math.max(starts[i], ends[before[i]] + (after > 0 ? Math.max(0, after - saved) : after));
                    } else {
                        starts[i] += waited[i];
                    }
                    last = Math.max(last, starts[i]);
                    lastBefore = Math.max(lastBefore, start[i]);
                }
                for (int i = from[k]; i < from[k + 1]; i++) {
                    ends[i] = last + end[i] - lastBefore;
                    latest = Math.max(latest, ends[i]);
                }
            }
            return latest - origin;
        }
    }

    /**
     * {@return what it would save if late ranks came in time}
     *
     * @param collectives of the run
     */
    public static Mending of(Collectives collectives) {
        List<RankCollectives> ranks = collectives.match().ranks();
        int n = ranks.size();
        List<IntervalSet> waiting = exposedWaits(collectives, n);
        Play play = new Play(collectives, waiting);
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
        boolean[] throughout = Throughout.of(courses, play.known);
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

    /** By rank: when it waited in a collective for the last to come, and no computation ran. */
    private static List<IntervalSet> exposedWaits(Collectives collectives, int ranks) {
        List<List<long[]>> waits = new ArrayList<>();
        for (int r = 0; r < ranks; r++) {
            waits.add(new ArrayList<>());
        }
        for (Collective c : collectives.all()) {
            for (int m = 0; c.waits() && m < c.present(); m++) {
                int r = collectives.match().rank(c.instance(), m);
                int row = collectives.match().row(c.instance(), m);
                long from = collectives.rank(r).ts(row);
                long waited = c.lastStart() - collectives.start(c.instance(), m);
                waits.get(r).add(new long[] {
                    from, Math.min(from + waited, collectives.rank(r).end(row))
                });
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
