// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.links;

import dev.lockstep.analyze.LongRunMeans;
import dev.lockstep.analyze.StudentT;
import dev.lockstep.table.Quantiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Compares courses that are alike with one another and with themselves before. What all of them have in common at a moment is taken
 * off, so that a link is slow only where it is slower than the others.
 */
final class LinkComparison {
    /** Losses of bandwidth below this are not told: a share. */
    static final double LEAST_LOSS = 0.05;

    private static final double LEAST = -StrictMath.log(1 - LEAST_LOSS);

    /** So many courses that are alike can be compared with one another. */
    private static final int FEWEST_ALIKE = 4;

    /** With fewer than these, their scatter is an estimate of its own. */
    private static final int MANY_ALIKE = 16;

    private static final double DEVIATIONS = 6 * Quantiles.OF_MEDIAN_DEVIATION;
    private static final int FEWEST_OPERATIONS = 8;
    private static final int MOST_BINS = 256;
    private static final double CHANCE = 0.05;

    /** Courses that are alike: what is transferred, and whether it leaves a node. */
    record Like(String operation, String algorithm, long bytes, int ranks, int nodes) {}

    /**
     * A time in which bandwidth is lower than it should be.
     *
     * @param course which, of several that are alike the first where all of them lose
     * @param all whether all that are alike lose
     * @param share that is lost, 0 to 1
     * @param fromUs when it begins, in µs since the first record; that of the first operation where it always was so
     * @param toUs when it ends
     * @param isWhole whether it lasts the whole run
     */
    record Loss(Course course, boolean all, double share, long fromUs, long toUs, boolean isWhole) {}

    /**
     * A course that was compared with those alike.
     *
     * @param lost on average: a share
     * @param likeBandwidth of the median of these, GB/s
     * @param apart the logarithm of its share of what is usual at each moment
     * @param times when each of these begins, in µs since the first record
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Compared(Course course, double lost, double likeBandwidth, double[] apart, long[] times) {
        /** The share that is lost between two times; NaN without operations between them. */
        double lost(long fromUs, long toUs) {
            int from = 0;
            while (from < times.length && times[from] < fromUs) {
                from++;
            }
            int to = from;
            while (to < times.length && times[to] <= toUs) {
                to++;
            }
            return 1 - StrictMath.exp(SlowPart.mean(apart, from, to));
        }
    }

    private final Traffic traffic;
    private final long startUs;
    private final List<Loss> losses = new ArrayList<>();
    private final List<Compared> compared = new ArrayList<>();
    private int comparisons;
    private int likes;

    private LinkComparison(Traffic traffic, long startUs) {
        this.traffic = traffic;
        this.startUs = startUs;
    }

    static LinkComparison of(Traffic traffic, long startUs) {
        LinkComparison made = new LinkComparison(traffic, startUs);
        Map<Like, List<Course>> likes = new LinkedHashMap<>();
        for (Course course : traffic.courses()) {
            if (course.complete().length >= FEWEST_OPERATIONS) {
                likes.computeIfAbsent(made.like(course), k -> new ArrayList<>()).add(course);
                made.comparisons++;
            }
        }
        made.likes = likes.size();
        likes.values().forEach(made::compare);
        return made;
    }

    Like like(Course course) {
        if (course.isMessage()) {
            int nodes = isAcross(traffic, course) ? 2 : 1;
            return new Like(course.operation, course.algorithm, course.bytes, 2, nodes);
        }
        return new Like(
                course.operation,
                course.algorithm,
                course.bytes,
                course.communicator.ranks,
                Math.max(1, course.communicator.nodes));
    }

    /** Whether a course leaves a node. */
    static boolean isAcross(Traffic traffic, Course course) {
        if (!course.isMessage()) {
            return course.communicator.nodes > 1;
        }
        int[] speakers = course.communicator.speakers;
        return speakers[course.from] < 0
                || speakers[course.to] < 0
                || !traffic.speaker(speakers[course.from]).host.equals(traffic.speaker(speakers[course.to]).host);
    }

    private void compare(List<Course> alike) {
        long first = Long.MAX_VALUE;
        long beyond = Long.MIN_VALUE;
        int most = 0;
        for (Course course : alike) {
            most = Math.max(most, course.complete().length);
            for (int row : course.complete()) {
                first = Math.min(first, course.sequence(row));
                beyond = Math.max(beyond, course.sequence(row) + 1);
            }
        }
        int bins = Math.min(MOST_BINS, most);
        double[][] values = new double[alike.size()][];
        for (int i = 0; i < values.length; i++) {
            values[i] = alike.get(i).bins(first, beyond, bins);
        }
        long[] times = times(alike, first, beyond, bins);
        if (alike.size() < FEWEST_ALIKE) {
            for (int i = 0; i < values.length; i++) {
                inTime(alike.get(i), false, values[i], times);
            }
            return;
        }
        double[] common = new double[bins];
        for (int bin = 0; bin < bins; bin++) {
            int at = bin;
            common[bin] = Quantiles.medianOf(
                    Arrays.stream(values)
                            .mapToDouble(of -> of[at])
                            .filter(v -> !Double.isNaN(v))
                            .toArray(),
                    Double.NaN);
        }
        inTime(alike.getFirst(), true, common, times);
        double usual = StrictMath.exp(SlowPart.mean(common, 0, bins));
        double[] means = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            for (int bin = 0; bin < bins; bin++) {
                values[i][bin] -= common[bin];
            }
            means[i] = SlowPart.mean(values[i], 0, bins);
        }
        double middle = Quantiles.medianOf(means.clone(), Double.NaN);
        for (int i = 0; i < values.length; i++) {
            for (int bin = 0; bin < bins; bin++) {
                values[i][bin] -= middle;
            }
            compared.add(new Compared(alike.get(i), 1 - StrictMath.exp(means[i] - middle), usual, values[i], times));
        }
        for (int i = 0; i < values.length; i++) {
            against(alike.get(i), values, i, reach(means, i, middle), times);
        }
    }

    /** How far a course may lie from the middle by what sets courses apart anyway. */
    private double reach(double[] means, int own, double middle) {
        double[] apart =
                Arrays.stream(means).map(mean -> Math.abs(mean - middle)).toArray();
        double reach = DEVIATIONS * Quantiles.medianOf(apart, Double.NaN);
        int others = means.length - 1;
        if (means.length >= MANY_ALIKE) {
            return reach;
        }
        double[] rest = new double[others];
        for (int i = 0, n = 0; i < means.length; i++) {
            if (i != own) {
                rest[n++] = means[i];
            }
        }
        double deviation =
                Quantiles.deviation(rest, others, Arrays.stream(rest).average().orElse(0));
        return Math.max(
                reach,
                StudentT.twoSided(1 - CHANCE / comparisons, others - 1.0) * deviation * Math.sqrt(1 + 1.0 / others));
    }

    private void against(Course course, double[][] apart, int own, double reach, long[] times) {
        int bins = times.length;
        SlowPart window = SlowPart.of(apart[own]);
        double whole = SlowPart.mean(apart[own], 0, bins);
        if (window != null && window.inside() < window.outside() && window.outside() > -LEAST / 2) {
            if (isSure(apart, own, window.from(), window.to(), -window.inside(), reach, SlowPart.choices(bins))) {
                losses.add(loss(course, false, -window.inside(), window.from(), window.to(), times));
                return;
            }
        }
        if (isSure(apart, own, 0, bins, -whole, reach, 1)) {
            losses.add(loss(course, false, -whole, 0, bins, times));
        }
    }

    /** Whether a course loses against all that are alike, in some bins, beyond what scatters in all of them. */
    private boolean isSure(double[][] apart, int own, int from, int to, double loss, double reach, int choices) {
        if (loss < LEAST || loss <= reach) {
            return false;
        }
        List<double[]> series = new ArrayList<>();
        series.add(Arrays.copyOfRange(apart[own], from, to));
        series.add(new double[to - from]);
        for (int other = 0; other < apart.length; other++) {
            double[] values = Arrays.copyOfRange(apart[other], from, to);
            boolean isKnown = Arrays.stream(values).noneMatch(Double::isNaN);
            if (other != own && isKnown && series.size() < MANY_ALIKE) {
                series.add(values);
            }
        }
        return LongRunMeans.of(series)
                        .difference(0, 1, (int) Math.min(Integer.MAX_VALUE, (long) comparisons * choices))
                        .high()
                < 0;
    }

    /** Without others that are alike, and for all of them together: what is lower than the rest of the run. */
    private void inTime(Course course, boolean all, double[] values, long[] times) {
        SlowPart window = SlowPart.of(values);
        if (window == null || Math.abs(window.inside() - window.outside()) < LEAST) {
            return;
        }
        long choices = (long) (all ? likes : comparisons) * SlowPart.choices(values.length);
        boolean isSure = LongRunMeans.of(List.of(window.outside(values), window.inside(values)))
                .difference(1, 0, (int) Math.min(Integer.MAX_VALUE, choices))
                .excludesZero();
        if (isSure) {
            int[] lower = window.lower(values.length);
            losses.add(loss(course, all, Math.abs(window.inside() - window.outside()), lower[0], lower[1], times));
        }
    }

    private static Loss loss(Course course, boolean all, double loss, int from, int to, long[] times) {
        boolean whole = from == 0 && to == times.length;
        return new Loss(course, all, 1 - StrictMath.exp(-loss), times[from], times[to - 1], whole);
    }

    /** When each bin begins, in µs since the start: the first call in it; that of the bin before where it has none. */
    private long[] times(List<Course> alike, long first, long beyond, int bins) {
        long[] times = new long[bins];
        Arrays.fill(times, Long.MAX_VALUE);
        for (Course course : alike) {
            for (int row : course.complete()) {
                int bin = Course.bin(course.sequence(row), first, beyond, bins);
                times[bin] = Math.min(times[bin], course.calledUs(row) - startUs);
            }
        }
        long before = 0;
        for (int bin = 0; bin < bins; bin++) {
            times[bin] = times[bin] == Long.MAX_VALUE ? before : Math.max(before, times[bin]);
            before = times[bin];
        }
        return times;
    }

    List<Loss> losses() {
        return losses;
    }

    List<Compared> compared() {
        return compared;
    }
}
