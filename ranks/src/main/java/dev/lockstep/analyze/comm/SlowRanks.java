// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import dev.lockstep.table.Quantiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Ranks that keep the others waiting. What a rank takes in a step without waiting is compared with the median of the ranks that
 * do the same work ({@link RankKinds}). A rank is slow when that is longer by {@value #LEAST} of the median at least over the run, and by
 * more than chance. Three tests ask for it, each wrong in one of twenty runs at most:
 *
 * <ul>
 *   <li>throughout, or from a step on: in most of the steps. Among {@value #MANY} ranks and more by {@value #DEVIATIONS} scaled median
 *       absolute deviations of all ranks, and in more steps than single long ones, as other ranks have them, would meet by chance; among
 *       fewer by the scatter over steps ({@link Throughout});
 *   <li>in some steps: far beyond the scatter, and in more steps than would meet one rank by chance ({@link Recurring});
 *   <li>more and more over the run ({@link RisingExcess}).
 * </ul>
 *
 * <p>What a slow rank costs is no part of this: others may wait for somebody else. {@link RankGains} says it.
 *
 * @param slow the slow ranks, those that take most longer first
 * @param incidents single steps in which a rank took long that is not slow otherwise, the longest first
 * @param totalNs the steps of the run, as the median rank has them
 */
public record SlowRanks(List<Slow> slow, List<Incident> incidents, double totalNs) {
    /** A rank that is longer by less is not called slow. */
    public static final double LEAST = 0.02;

    private static final int MANY = 16;

    private static final int MOST_PRICED = 8;
    private static final double DEVIATIONS = 6;

    /** No scatter is believed to be smaller than this share of a step. */
    static final double LEAST_SCATTER = 0.0005;

    /** Fewer steps that ranks share do not tell who is slow. */
    public static final int FEWEST_STEPS = 3;

    private static final double CHANCE = 0.05;

    /** In so many of the steps a slow rank takes half of its excess at least. */
    private static final double MOST_STEPS = 0.4;

    /** Before it became slow, a rank took no more than this share of its later excess. */
    private static final double BEFORE = 0.3;

    private static final double INCIDENT = 0.2;
    private static final double INCIDENT_DEVIATIONS = 10;

    /** Where a rank loses its time. */
    public enum Where {
        /** Its kernels take longer, or it has more of them. */
        DEVICE("in its kernels"),
        /** Its device has nothing to do: the CPU is late. */
        HOST("because its CPU is late"),
        /** Copies and fills. */
        COPIES("in copies"),
        /** Nothing says it. */
        UNKNOWN("between collectives");

        private final String words;

        Where(String words) {
            this.words = words;
        }

        /** For a sentence that says that the rank takes longer. */
        public String words() {
            return words;
        }
    }

    /** When a rank is slow. */
    public enum Course {
        /** In all steps, or from one on. */
        THROUGHOUT,
        /** In some steps, far beyond the scatter of the others. */
        SOME_STEPS,
        /** More and more over the run. */
        RISING
    }

    /**
     * A slow rank.
     *
     * @param rank its number
     * @param course when it is slow
     * @param since place of the first step in which it is slow
     * @param in places of the steps in which it is slow, where these are some steps; else empty
     * @param steps number of steps from then on in which it is compared; of some steps, the number of these
     * @param excessNs mean by which it takes longer in such a step
     * @param ratio what it takes, by what the median rank takes, in such steps; NaN where that takes nothing
     * @param where it loses most of it
     */
    public record Slow(
            int rank,
            Course course,
            int since,
            List<Integer> in,
            int steps,
            double excessNs,
            double ratio,
            Where where) {
        /** Copies the list. */
        public Slow {
            in = List.copyOf(in);
        }

        /**
         * {@return how much longer the rank takes, for a sentence}
         *
         * @param others what it is compared with
         */
        public String times(String others) {
            return Double.isNaN(ratio)
                    ? "longer than " + others + ", which take nothing"
                    : String.format(Locale.ROOT, "%.2f times what %s take", ratio, others);
        }
    }

    /**
     * A step in which a rank took long.
     *
     * @param rank its number
     * @param step place of the step
     * @param excessNs by how much
     */
    public record Incident(int rank, int step, double excessNs) {}

    /** Copies the lists. */
    public SlowRanks {
        slow = List.copyOf(slow);
        incidents = List.copyOf(incidents);
    }

    /** {@return numbers of the slowest ranks: of these it is said what the run gains without them} */
    public List<Integer> priced() {
        return slow.stream().map(Slow::rank).limit(MOST_PRICED).toList();
    }

    /** {@return whether there are steps enough that ranks share to tell} */
    public static boolean canTell(FleetSteps run) {
        return run.compared() >= FEWEST_STEPS;
    }

    /**
     * {@return how late a rank must come to its first collective to count as one that begins late, in ns: a fifth of a step; 0 when
     * nobody knows how long a step is}
     */
    public static double leastStart(FleetSteps run) {
        return INCIDENT * total(run) / Math.max(1, run.steps().length);
    }

    /** {@return the slow ranks of a run} */
    public static SlowRanks of(FleetSteps run) {
        return new Search(run).found();
    }

    /** The steps of the run, as the median rank has them, in ns. */
    private static double total(FleetSteps run) {
        double sum = 0;
        for (int s = 0; s < run.steps().length; s++) {
            int step = s;
            double middle = FleetSteps.median(Arrays.stream(run.period()).mapToDouble(of -> of[step]));
            sum += Double.isNaN(middle) ? 0 : middle;
        }
        return sum;
    }

    private static final class Search {
        private final FleetSteps run;
        private final double[][] above;
        private final double[][] middle;
        private final int[] since;
        private final Course[] course;
        private final int[] @Nullable [] stalls;
        private final int steps;

        private Search(FleetSteps run) {
            this.run = run;
            steps = run.steps().length;
            above = run.aboveMedian(run.own());
            middle = new double[run.ranks().length][steps];
            for (int r = 0; r < above.length; r++) {
                for (int s = 0; s < steps; s++) {
                    middle[r][s] = run.own()[r][s] - above[r][s];
                }
            }
            since = new int[above.length];
            Arrays.fill(since, -1);
            course = new Course[above.length];
            Arrays.fill(course, Course.THROUGHOUT);
            stalls = new int[above.length][];
        }

        private SlowRanks found() {
            if (canTell(run)) {
                for (int kind = 0; kind < run.kindCount(); kind++) {
                    judge(run.places(kind));
                }
            }
            double[][] device = run.aboveMedian(run.computation());
            double[][] copies = run.aboveMedian(run.copies());
            List<Slow> slow = new ArrayList<>();
            for (int r = 0; r < since.length; r++) {
                if (since[r] >= 0) {
                    slow.add(slow(r, device[r], copies[r]));
                }
            }
            slow.sort(Comparator.comparingDouble((Slow one) -> -one.steps * one.excessNs)
                    .thenComparingInt(Slow::rank));
            return new SlowRanks(slow, incidents(), total(run));
        }

        private Slow slow(int r, double[] device, double[] copies) {
            int[] in = stalls[r];
            int first = since[r];
            double excess = mean(above[r], first, in);
            double ofDevice = mean(device, first, in);
            double ofCopies = mean(copies, first, in);
            double ofHost = excess - ofDevice - ofCopies;
            double usual = mean(middle[r], first, in);
            Where where = Double.isNaN(ofHost)
                    ? Where.UNKNOWN
                    : ofDevice >= Math.max(ofHost, ofCopies)
                            ? Where.DEVICE
                            : ofHost >= ofCopies ? Where.HOST : Where.COPIES;
            return new Slow(
                    run.ranks()[r],
                    course[r],
                    first,
                    in == null ? List.of() : Arrays.stream(in).boxed().toList(),
                    in == null ? known(above[r], first) : in.length,
                    excess,
                    usual > 0 ? 1 + excess / usual : Double.NaN,
                    where);
        }

        /** The mean over these steps, or over all from one on. */
        private double mean(double[] values, int from, int @Nullable [] in) {
            return in == null
                    ? mean(values, from)
                    : Arrays.stream(in).mapToDouble(s -> values[s]).average().orElse(Double.NaN);
        }

        private void judge(int[] places) {
            if (places.length < 2) {
                return;
            }
            int[] from = new int[places.length];
            for (int i = 0; i < places.length; i++) {
                from[i] = places.length >= MANY ? onset(above[places[i]]) : 0;
            }
            boolean[] throughout = places.length >= MANY
                    ? new boolean[places.length]
                    : Throughout.of(
                            Arrays.stream(places).mapToObj(r -> above[r]).toList(), true);
            double[] scatter = new double[steps];
            Arrays.fill(scatter, Double.NaN);
            boolean[] late = new boolean[places.length];
            for (int i = 0; i < places.length; i++) {
                double[] own = above[places[i]];
                int first = from[i];
                if (Double.isNaN(scatter[first])) {
                    scatter[first] = spread(Arrays.stream(places)
                            .mapToDouble(r -> mean(above[r], first))
                            .toArray());
                }
                double usual = mean(middle[places[i]], first);
                double excess = mean(own, first);
                double fewer = Math.sqrt((steps - first) / (double) Math.max(1, known(own, first)));
                double reach = DEVIATIONS * fewer * Math.max(scatter[first], LEAST_SCATTER * usual);
                boolean far = throughout[i] || places.length >= MANY && excess > reach;
                late[i] = far && excess >= LEAST * usual && inMostSteps(own, first, excess);
            }
            for (int i = 0; i < places.length; i++) {
                if (late[i] && (places.length < MANY || !mayBeChance(places, late, i, from[i]))) {
                    since[places[i]] = from[i];
                }
            }
            judgeRest(places);
        }

        /** Whether ranks that are not slow throughout are so in some steps, or more and more. */
        private void judgeRest(int[] places) {
            Recurring recurring = new Recurring(
                    Arrays.stream(places).mapToObj(r -> run.own()[r]).toArray(double[][]::new));
            for (int i = 0; i < places.length; i++) {
                int r = places[i];
                boolean much = mean(above[r], 0) >= LEAST * mean(middle[r], 0);
                if (since[r] >= 0 || !much || known(above[r], 0) < FEWEST_STEPS) {
                    continue;
                }
                int[] in = recurring.stalls(i);
                if (RisingExcess.rises(above[r], places.length - 1)) {
                    since[r] = 0;
                    course[r] = Course.RISING;
                } else if (in != null && in.length == known(above[r], 0)) {
                    since[r] = 0;
                } else if (in != null) {
                    since[r] = in[0];
                    course[r] = Course.SOME_STEPS;
                    stalls[r] = in;
                }
            }
        }

        /**
         * Whether single long steps, as other ranks have them, may have met one rank so often: by the share of steps of the other
         * ranks that are as long, and with all ranks and first steps that were looked at.
         */
        private boolean mayBeChance(int[] places, boolean[] late, int candidate, int first) {
            double[] own = above[places[candidate]];
            double half = mean(own, first) / 2;
            long cells = 1;
            long longer = 1;
            for (int i = 0; i < places.length; i++) {
                for (int s = 0; s < steps && !late[i]; s++) {
                    double other = above[places[i]][s];
                    cells += Double.isNaN(other) ? 0 : 1;
                    longer += other > half ? 1 : 0;
                }
            }
            int met =
                    (int) Arrays.stream(own, first, steps).filter(v -> v > half).count();
            double looks = (double) places.length * Math.max(1, steps - FEWEST_STEPS + 1);
            return looks * atLeast(met, known(own, first), (double) longer / cells) > CHANCE;
        }

        /** The probability that of so many trials, each of which succeeds with this probability, so many succeed or more. */
        private static double atLeast(int successes, int trials, double each) {
            double term = Math.pow(1 - each, trials);
            double sum = 0;
            for (int k = 0; k <= trials; k++) {
                sum += k < successes ? 0 : term;
                term *= each / (1 - each) * (trials - k) / (k + 1);
            }
            return sum;
        }

        /** In how many steps, from one on, the rank is compared. */
        private static int known(double[] values, int from) {
            return (int) Arrays.stream(values, from, values.length)
                    .filter(v -> !Double.isNaN(v))
                    .count();
        }

        private static double spread(double[] values) {
            double middle = FleetSteps.median(Arrays.stream(values));
            return Quantiles.OF_MEDIAN_DEVIATION
                    * FleetSteps.median(Arrays.stream(values).map(v -> Math.abs(v - middle)));
        }

        private boolean inMostSteps(double[] own, int first, double excess) {
            int in = 0;
            for (int s = first; s < steps; s++) {
                in += own[s] > excess / 2 ? 1 : 0;
            }
            int compared = known(own, first);
            return compared >= FEWEST_STEPS && in >= MOST_STEPS * compared && in >= 2;
        }

        /** The step from which on a rank is slow: 0, or where its course falls into two parts, the later one far above. */
        private int onset(double[] own) {
            int best = 0;
            double least = Double.MAX_VALUE;
            for (int k = 1; k <= steps - FEWEST_STEPS && known(own, k) >= FEWEST_STEPS; k++) {
                double squares = squares(own, 0, k) + squares(own, k, steps);
                if (squares < least) {
                    least = squares;
                    best = k;
                }
            }
            double before = best == 0
                    ? 0
                    : Arrays.stream(own, 0, best)
                            .filter(v -> !Double.isNaN(v))
                            .average()
                            .orElse(Double.NaN);
            double after = mean(own, best);
            return best > 0 && after > 0 && before < BEFORE * after ? best : 0;
        }

        private static double squares(double[] values, int from, int to) {
            double mean = Arrays.stream(values, from, to)
                    .filter(v -> !Double.isNaN(v))
                    .average()
                    .orElse(0);
            double sum = 0;
            for (int i = from; i < to; i++) {
                sum += Double.isNaN(values[i]) ? 0 : (values[i] - mean) * (values[i] - mean);
            }
            return sum;
        }

        private double mean(double[] values, int from) {
            return Arrays.stream(values, from, steps)
                    .filter(v -> !Double.isNaN(v))
                    .average()
                    .orElse(Double.NaN);
        }

        private List<Incident> incidents() {
            List<Incident> found = new ArrayList<>();
            for (int kind = 0; kind < run.kindCount(); kind++) {
                int[] places = run.places(kind);
                for (int s = 0; s < steps && places.length > 2; s++) {
                    int step = s;
                    double scatter = spread(Arrays.stream(places)
                            .mapToDouble(r -> above[r][step])
                            .toArray());
                    long compared = Arrays.stream(places)
                            .filter(r -> !Double.isNaN(above[r][step]))
                            .count();
                    for (int r : places) {
                        int[] in = stalls[r];
                        boolean named = since[r] >= 0 && (in == null ? since[r] <= s : Arrays.binarySearch(in, s) >= 0);
                        boolean slow = compared <= 2 || named;
                        if (!slow
                                && above[r][s] > INCIDENT * middle[r][s]
                                && above[r][s] > INCIDENT_DEVIATIONS * scatter) {
                            found.add(new Incident(run.ranks()[r], s, above[r][s]));
                        }
                    }
                }
            }
            found.sort(Comparator.comparingDouble(Incident::excessNs)
                    .reversed()
                    .thenComparingInt(Incident::rank)
                    .thenComparingInt(Incident::step));
            return found;
        }
    }
}
