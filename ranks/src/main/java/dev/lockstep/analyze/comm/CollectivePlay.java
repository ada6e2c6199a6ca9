// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import dev.lockstep.model.IntervalSet;
import dev.lockstep.table.LongIntMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * A run of ranks that can be played again with other times between collectives: arrays over the kernels of collectives with
 * waiting, by collective in order of the last start.
 *
 * <p>A rank is ready for a collective as long after it was ready for the one before as it was, less the collectives that
 * nothing hid; where there were such, not before the last of them ends, and what came after it. The collective begins when the
 * rank is ready and its stream is free, and ends for all after the last has begun, and takes what it took then.
 *
 * <p>A rank is ready when its kernel begins, except where that follows at once upon another collective in its stream: then it
 * was ready before. Its work had come as far as that of ranks that did not wait for their streams: as a share of what each
 * does from the last collective for which it did not wait to the next. Where all waited for their streams, nothing is known
 * but that the collective begins at once after the one in front of it. What ranks do while collectives run counts as work.
 */
final class CollectivePlay {
    /** Of so many ranks it is looked at how far they had come. */
    private static final int MOST_SHARES = 64;

    /** Into so many parts a run is cut to see whether a rank is late throughout. */
    private static final int PARTS = 64;

    /** A collective that begins so soon after the end of another in its stream may have waited for it, in ns. */
    private static final long AT_ONCE = 4_000;

    /** Of collectives, so many are the same as those of the repetition before. */
    private static final double ALIKE = 0.95;

    private final int[] from;
    private final int[] rank;
    private final long[] start;
    private final long[] end;

    /** Of each kernel, the one of its rank in an earlier collective that began last before it, -1 for none. */
    private final int[] before;

    /** The last kernel of the rank that had ended when it was ready; where none had, the one before. */
    private final int[] freed;

    /** The last one before that is not {@linkplain #open open}; -1 for none. */
    private final int[] since;

    /** By collective: whether all members waited for their streams, so that nothing tells when they were ready. */
    private final boolean[] open;

    /** The kernel of the same stream whose end the start had to wait for; -1 for none. */
    private final int[] held;

    /** When the rank could have begun. */
    private final long[] ready;

    private final long[] usual;
    private final long[] raw;
    private final long[] waited;
    private final long origin;
    private final List<String> what;
    private final int[] step;
    private final boolean known;

    CollectivePlay(Collectives collectives, List<IntervalSet> exposed) {
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
        freed = new int[n];
        since = new int[n];
        open = new boolean[waiting.size()];
        held = new int[n];
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
        link(collectives, waiting);
        ready = start.clone();
        int[] next = next();
        findReady(exposed, next);
        freed(next);
        since(exposed);
        usual();
    }

    private void link(Collectives collectives, List<Collective> waiting) {
        int ranks = collectives.match().ranks().size();
        int[] last = new int[ranks];
        Arrays.fill(last, -1);
        List<LongIntMap> streams = new ArrayList<>();
        for (int r = 0; r < ranks; r++) {
            streams.add(new LongIntMap(4));
        }
        for (int k = 0; k < open.length; k++) {
            for (int i = from[k]; i < from[k + 1]; i++) {
                int earlier = last[rank[i]];
                before[i] = earlier >= 0 && start[earlier] <= start[i] ? earlier : -1;
                last[rank[i]] = i;
                long stream = collectives.rank(rank[i]).stream(
                        collectives.match().row(waiting.get(k).instance(), i - from[k]));
                int front = streams.get(rank[i]).get(stream);
                streams.get(rank[i]).put(stream, i);
                boolean atOnce = front >= 0 && start[i] >= end[front] && start[i] - end[front] <= AT_ONCE;
                held[i] = atOnce ? front : -1;
            }
        }
    }

    /** Of each kernel, the one of its rank that follows; -1 for none. */
    private int[] next() {
        int[] next = new int[before.length];
        Arrays.fill(next, -1);
        for (int i = 0; i < before.length; i++) {
            if (before[i] >= 0) {
                next[before[i]] = i;
            }
        }
        return next;
    }

    /** Sets when ranks were ready for collectives that waited for their streams. */
    private void findReady(List<IntervalSet> exposed, int[] next) {
        int[] left = new int[held.length];
        int[] right = new int[held.length];
        for (int i = 0; i < held.length; i++) {
            left[i] = before[i] < 0 || held[before[i]] < 0 ? before[i] : left[before[i]];
        }
        for (int i = held.length - 1; i >= 0; i--) {
            right[i] = next[i] < 0 || held[next[i]] < 0 ? next[i] : right[next[i]];
        }
        for (int k = 0; k < open.length; k++) {
            int[] between = {-1, -1};
            double share = Double.NaN;
            open[k] = true;
            for (int i = from[k]; i < from[k + 1]; i++) {
                if (held[i] < 0) {
                    open[k] = false;
                    continue;
                }
                int[] own = {left[i] < 0 ? -1 : collective(left[i]), right[i] < 0 ? -1 : collective(right[i])};
                if (!Arrays.equals(own, between)) {
                    between = own;
                    share = own[0] < 0 || own[1] < 0 ? Double.NaN : share(exposed, own[0], k, own[1]);
                }
                if (!Double.isNaN(share)) {
                    long work = start[right[i]] - start[left[i]] - waited(exposed, start[left[i]], right[i]);
                    ready[i] =
                            Math.clamp(at(exposed, left[i], Math.round(share * work), i), ready[before[i]], start[i]);
                }
            }
        }
    }

    private void freed(int[] next) {
        for (int i = 0; i < before.length; i++) {
            int one = before[i] < 0 ? -1 : freed[before[i]];
            one = one < 0 ? before[i] : one;
            while (one >= 0 && one != before[i] && end[next[one]] <= ready[i]) {
                one = next[one];
            }
            freed[i] = one >= 0 && end[one] <= ready[i] ? one : before[i];
        }
    }

    private void since(List<IntervalSet> exposed) {
        for (int k = 0; k < open.length; k++) {
            for (int i = from[k]; i < from[k + 1]; i++) {
                since[i] = before[i] < 0 || !open[collective(before[i])] ? before[i] : since[before[i]];
                waited[i] = waited(exposed, since[i] < 0 ? origin : ready[since[i]], i);
            }
        }
    }

    private int collective(int i) {
        int found = Arrays.binarySearch(from, i);
        return found >= 0 ? found : -found - 2;
    }

    /**
     * How far work is at a collective, of what there is from one before to one behind it: the median over ranks that waited
     * for their streams in none of them; NaN where there are none.
     */
    private double share(List<IntervalSet> exposed, int left, int k, int right) {
        double[] shares = new double[Math.min(MOST_SHARES, from[k + 1] - from[k])];
        int n = 0;
        for (int i = from[k]; i < from[k + 1] && n < shares.length; i++) {
            int begin = held[i] < 0 ? member(left, k, i) : -1;
            int end = held[i] < 0 ? member(right, k, i) : -1;
            if (begin >= 0 && end >= 0 && held[begin] < 0 && held[end] < 0) {
                long whole = start[end] - start[begin] - waited(exposed, start[begin], end);
                long part = start[i] - start[begin] - waited(exposed, start[begin], i);
                if (whole > 0 && part >= 0) {
                    shares[n++] = Math.min(1, (double) part / whole);
                }
            }
        }
        Arrays.sort(shares, 0, n);
        return n == 0 ? Double.NaN : shares[(n - 1) / 2];
    }

    /** The kernel of another collective that is of the same rank as one; it has the same place where the groups are the same. */
    private int member(int other, int k, int i) {
        int same = from[other] + i - from[k];
        if (same < from[other + 1] && rank[same] == rank[i]) {
            return same;
        }
        for (int one = from[other]; one < from[other + 1]; one++) {
            if (rank[one] == rank[i]) {
                return one;
            }
        }
        return -1;
    }

    /** When a rank had worked so long, without collectives that nothing hid, since a kernel began; not behind another's start. */
    private long at(List<IntervalSet> exposed, int left, long own, int i) {
        long low = start[left];
        long high = start[i];
        long offset = raw[i] - start[i];
        IntervalSet of = exposed.get(rank[i]);
        while (low < high) {
            long middle = low + (high - low) / 2;
            if (middle - start[left] - of.within(start[left] + offset, middle + offset) < own) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Collectives that nothing hid, from a moment until a rank was ready, in ns. */
    private long waited(List<IntervalSet> exposed, long since, int i) {
        long offset = raw[i] - start[i];
        return exposed.get(rank[i]).within(since + offset, ready[i] + offset);
    }

    /** What the rank took since it was last known to be ready, without collectives that nothing hid. */
    private long between(int i) {
        return ready[i] - (since[i] < 0 ? origin : ready[since[i]]) - waited[i];
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

    /** Whether steps are known, of most collectives. */
    boolean knowsSteps() {
        return known;
    }

    /** By how much each rank takes longer between collectives than those in the middle. */
    long[] excess(int ranks) {
        long[] excess = new long[ranks];
        for (int k = 0; k + 1 < from.length; k++) {
            for (int i = from[k]; !open[k] && i < from[k + 1]; i++) {
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
            boolean counts = !open[k] && place[k] >= 0 && place[k] < units;
            for (int i = from[k]; counts && i < from[k + 1]; i++) {
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
        long[] readies = new long[end.length];
        long[] ends = new long[end.length];
        long latest = origin;
        for (int k = 0; k + 1 < from.length; k++) {
            long last = Long.MIN_VALUE;
            long lastBefore = Long.MIN_VALUE;
            for (int i = from[k]; i < from[k + 1]; i++) {
                long saved = mended[rank[i]] && !open[k] ? Math.max(0, between(i) - usual[k]) : 0;
                long known = since[i] < 0 ? origin : readies[since[i]];
                readies[i] = held[i] >= 0 && open[k] ? known : readyAgain(i, known + between(i) - saved, saved, ends);
                long begin = held[i] < 0 ? readies[i] : Math.max(readies[i], ends[held[i]] + start[i] - end[held[i]]);
                last = Math.max(last, begin);
                lastBefore = Math.max(lastBefore, start[i]);
            }
            for (int i = from[k]; i < from[k + 1]; i++) {
                ends[i] = last + end[i] - lastBefore;
                latest = Math.max(latest, ends[i]);
            }
        }
        return latest - origin;
    }

    /** When a rank is ready again that has done its work by a moment, and takes so much less, with what has ended. */
    private long readyAgain(int i, long worked, long saved, long[] ends) {
        if (since[i] < 0 || waited[i] == 0) {
            return worked + waited[i];
        }
        long after = ready[i] - end[freed[i]];
        return Math.max(worked, ends[freed[i]] + (after > 0 ? Math.max(0, after - saved) : after));
    }
}
