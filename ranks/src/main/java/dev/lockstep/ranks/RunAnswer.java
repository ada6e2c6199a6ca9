// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.ranks;

import dev.lockstep.analyze.comm.FleetSteps;
import dev.lockstep.analyze.comm.RankGains;
import dev.lockstep.analyze.comm.SlowRanks;
import dev.lockstep.analyze.comm.SlowRanks.Course;
import dev.lockstep.analyze.comm.SlowRanks.Slow;
import dev.lockstep.analyze.comm.Stragglers;
import dev.lockstep.report.Answer;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Section.AnswerSection;
import dev.lockstep.report.Topic;
import dev.lockstep.session.FileRanks;
import dev.lockstep.table.Quantiles;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What bounds a run and what to change, the same in every report across ranks. First comes what its ranks do to each other: slow ranks,
 * waiting, communication; then what most of them have in common. What slow ranks cost is what {@link RankGains} says.
 */
public final class RunAnswer {
    /** What gains less than this part of the run is no action, and what costs less bounds nothing. */
    private static final double LEAST_ACTION = 0.01;

    private static final double LEAST = 0.02;
    private static final double HALF = 0.5;
    private static final double CLEAR = 0.6;
    private static final double SOME = 0.1;
    private static final double EXACT = 1e6;

    /** In so many steps a rank that is late in one of them may be late by chance. */
    private static final int FEW_STEPS = 5;

    private final SlowRanks slow;
    private final RankGains gains;
    private final FleetSteps steps;
    private final SlowRankFindings said;
    private final List<Stragglers.Row> rows;
    private final SortedMap<Integer, Answer> ofRanks;
    private final Function<Slow, String> stage;
    private final long ofNs;

    private RunAnswer(
            SlowRanks slow,
            RankGains gains,
            FleetSteps steps,
            List<Stragglers.Row> rows,
            SortedMap<Integer, Answer> ofRanks,
            Function<Slow, String> stage) {
        this.slow = slow;
        this.gains = gains;
        this.steps = steps;
        this.rows = rows;
        this.ofRanks = ofRanks;
        this.stage = stage;
        said = new SlowRankFindings(slow, gains, steps);
        ofNs = gains.ofNs() > 0 ? gains.ofNs() : typical(steps.period());
    }

    /**
     * The answer of ranks whose traces were read.
     *
     * @param ofRanks the answers of single ranks, as far as they were asked for and are to be believed
     */
    public static @Nullable AnswerSection of(MatchedRanks run, SortedMap<Integer, Answer> ofRanks) {
        return new RunAnswer(run.slow(), run.gains(), run.steps(), run.stragglers(), ofRanks, run::lateStage).answer();
    }

    /** The answer of ranks of which only this is known; null where they have no steps. */
    public static @Nullable AnswerSection of(SlowRanks slow, RankGains gains, FleetSteps steps) {
        return new RunAnswer(slow, gains, steps, List.of(), new TreeMap<>(), one -> "").answer();
    }

    private @Nullable AnswerSection answer() {
        boolean priced = gains.ofNs() > 0 && !slow.slow().isEmpty();
        double late = priced ? (double) cost() / gains.ofNs() : 0;
        double exposed = exposed();
        double waiting = Math.max(0, Math.min(waiting(), exposed) - late);
        double transfer = Math.max(0, exposed - Math.max(late, waiting + late));
        boolean together = Math.max(waiting, transfer) > Math.max(HALF, late);
        Set<Topic> topics = EnumSet.of(Topic.LATENESS, Topic.STEPS);
        Answer.Verdict verdict;
        if (late >= LEAST && !together) {
            verdict = verdict("straggler-bound", late, slowRanks(late));
        } else if (together && waiting > transfer) {
            topics.add(Topic.WAITING);
            verdict = verdict(
                    "straggler-bound",
                    waiting,
                    "Straggler-bound: ranks wait " + percent(waiting) + " of a step for the last to arrive."
                            + causes());
        } else if (together) {
            verdict = verdict("communication-bound", transfer, exposes(transfer));
        } else {
            verdict = common();
        }
        if (verdict == null && steps.steps().length > 0 && steps.ranks().length > 1 && SlowRanks.canTell(steps)) {
            verdict = verdict("balanced", exposed, balanced(exposed, waiting));
        }
        if (verdict == null) {
            return null;
        }
        List<Answer.Action> actions = new ArrayList<>(ofEachRank());
        if (late >= LEAST_ACTION) {
            actions.add(keepPace());
        }
        actions.sort(Comparator.comparingLong(Answer.Action::gainNs).reversed().thenComparing(Answer.Action::id));
        return new AnswerSection(new Answer(verdict, actions, -1, steps.steps().length), topics);
    }

    private Answer.Verdict verdict(String boundBy, double share, String text) {
        return new Answer.Verdict(boundBy, share, text, ofNs);
    }

    // ---- slow ranks ----

    /** What the run gains without its slow ranks, in ns. */
    private long cost() {
        return slow.slow().size() > 1 ? gains.togetherNs() : alone();
    }

    private long alone() {
        RankGains.Row row = gains.of(slow.slow().getFirst().rank());
        return row == null ? 0 : row.aloneNs();
    }

    private List<Integer> numbers() {
        return slow.slow().stream().map(Slow::rank).sorted().toList();
    }

    private String who() {
        return (slow.slow().size() == 1 ? "rank " : "ranks ") + FileRanks.ranges(numbers());
    }

    private String slowRanks(double late) {
        Slow first = slow.slow().getFirst();
        boolean one = slow.slow().size() == 1;
        boolean throughout = first.course() == Course.THROUGHOUT && first.since() == 0;
        String text = "Straggler-bound: " + who() + (one ? " costs " : " cost ") + percent(late) + " of the run"
                + (one && !throughout ? ", " + said.since(first) : "") + ".";
        boolean alike = slow.slow().stream().map(Slow::where).distinct().count() == 1;
        String its = one ? "Its" : "Their";
        return text
                + (!alike
                        ? ""
                        : switch (first.where()) {
                            case DEVICE -> " " + its + " kernels take longer.";
                            case HOST ->
                                one
                                        ? " " + its + " CPU is late" + stage.apply(first) + "."
                                        : " " + its + " CPUs are late.";
                            case COPIES -> " " + its + " copies take longer.";
                            case UNKNOWN -> "";
                        });
    }

    private Answer.Action keepPace() {
        int worst = slow.slow().getFirst().rank();
        return new Answer.Action(
                "straggler",
                cost(),
                cost(),
                cost(),
                gains.ofNs(),
                "Bring " + who() + " up to pace",
                "",
                "lockstep stragglers AFTER",
                slow.slow().size() == 1
                        ? "The rank takes what the median rank of its role takes."
                        : "The ranks take what the median rank of their role takes.",
                List.of(new Evidence.OfRank(worst, null)));
    }

    // ---- waiting and communication ----

    /** The part of a step that is exposed communication, waiting included, on the rank in the middle; 0 where steps are unknown. */
    private double exposed() {
        return Math.clamp(
                middle(IntStream.range(0, steps.ranks().length)
                        .mapToDouble(r -> 1 - sum(steps.own()[r]) / sum(steps.period()[r]))),
                0,
                1);
    }

    /** The part of a step in which the rank in the middle does nothing but wait for the last to arrive. */
    private double waiting() {
        Map<Integer, Double> whole = new HashMap<>();
        for (int r = 0; r < steps.ranks().length; r++) {
            whole.put(steps.ranks()[r], sum(steps.period()[r]));
        }
        return Math.clamp(
                middle(rows.stream()
                        .filter(Stragglers.Row::isKnown)
                        .mapToDouble(row -> row.exposedWait() / whole.getOrDefault(row.rank(), Double.NaN))),
                0,
                1);
    }

    /** No rank is slow beyond chance; where ranks wait all the same, that is said with it. */
    private String balanced(double exposed, double waiting) {
        if (waiting < LEAST) {
            return "Balanced: no slow rank costs the run 2 % or more. Exposed communication takes " + percent(exposed)
                    + " of a step.";
        }
        return "Balanced: no rank is slow in all steps, but ranks wait " + percent(waiting)
                + " of a step for the last to arrive." + causes()
                + (steps.compared() > FEW_STEPS
                        ? ""
                        : " " + steps.compared() + " steps are too few to say whether that is chance.");
    }

    /** Who causes the waiting, and whether the CPU or the device does. */
    private String causes() {
        long all = total(Stragglers.Row::caused);
        List<Stragglers.Row> most = rows.stream()
                .sorted(Comparator.comparingLong(Stragglers.Row::caused).reversed())
                .limit(2)
                .toList();
        String text = "";
        if (most.size() == 2 && all > 0) {
            text += " Rank " + most.getFirst().rank() + " causes "
                    + Words.share(most.getFirst().caused(), all) + " of it"
                    + (most.getLast().caused() < SOME * all
                            ? "."
                            : ", rank " + most.getLast().rank() + " "
                                    + Words.share(most.getLast().caused(), all) + ".");
        }
        long host = total(Stragglers.Row::causedByHost);
        long device = total(Stragglers.Row::causedByDevice);
        return host > CLEAR * (host + device) ? text + " Their CPUs are late." : text;
    }

    private static String exposes(double transfer) {
        return "Communication-bound: " + percent(transfer) + " of a step is exposed communication.";
    }

    private long total(ToLongFunction<Stragglers.Row> of) {
        return rows.stream().mapToLong(of).sum();
    }

    // ---- what ranks have in common ----

    /** What most ranks are bound by, as the one of them says it whose share is in the middle; null where no half agrees. */
    private Answer.@Nullable Verdict common() {
        Map<String, List<Answer.Verdict>> byClass = new TreeMap<>();
        ofRanks.values()
                .forEach(answer -> byClass.computeIfAbsent(answer.verdict().boundBy(), c -> new ArrayList<>())
                        .add(answer.verdict()));
        List<Answer.Verdict> most = byClass.values().stream()
                .max(Comparator.comparingInt(List::size))
                .orElse(List.of());
        if (most.size() <= HALF * ofRanks.size()) {
            return null;
        }
        List<Answer.Verdict> sorted = most.stream()
                .sorted(Comparator.comparingDouble(Answer.Verdict::share))
                .toList();
        Answer.Verdict middle = sorted.get((sorted.size() - 1) / 2);
        String first = middle.text().split("(?<=\\.) ", 2)[0];
        String where = most.size() == ofRanks.size()
                ? ", on " + (ofRanks.size() == 2 ? "both" : "all " + ofRanks.size()) + " ranks."
                : ", on " + most.size() + " of " + ofRanks.size() + " ranks.";
        return new Answer.Verdict(
                middle.boundBy(),
                middle.share(),
                first.replaceFirst("\\.$", "") + where,
                ofNs > 0 ? ofNs : middle.ofNs());
    }

    /** The changes that more than half of the ranks call for: what the rank in the middle gains, of those that gain least to most. */
    private List<Answer.Action> ofEachRank() {
        SortedMap<String, SortedMap<Integer, Answer.Action>> byId = new TreeMap<>();
        ofRanks.forEach((rank, answer) -> answer.actions()
                .forEach(action ->
                        byId.computeIfAbsent(action.id(), id -> new TreeMap<>()).put(rank, action)));
        List<Answer.Action> found = new ArrayList<>();
        byId.values().forEach(actions -> {
            double[] shares = new double[ofRanks.size()];
            int i = 0;
            for (Answer.Action action : actions.values()) {
                shares[i++] = (double) action.gainNs() / action.ofNs();
            }
            Arrays.sort(shares);
            double middle = Quantiles.lowerMedian(shares, 0);
            if (middle >= LEAST_ACTION) {
                found.add(ofEachRank(actions, middle));
            }
        });
        return found;
    }

    private Answer.Action ofEachRank(SortedMap<Integer, Answer.Action> actions, double middle) {
        Map.Entry<Integer, Answer.Action> best = actions.entrySet().stream()
                .max(Comparator.comparingLong(entry -> entry.getValue().gainNs()))
                .orElseThrow();
        Answer.Action one = best.getValue();
        long whole = ofNs > 0 ? ofNs : one.ofNs();
        double least = actions.size() < ofRanks.size() ? 0 : 1;
        double most = 0;
        for (Answer.Action action : actions.values()) {
            least = Math.min(least, (double) action.lowNs() / action.ofNs());
            most = Math.max(most, (double) action.highNs() / action.ofNs());
        }
        List<Evidence> evidence = one.evidence().stream()
                .filter(Evidence.Places.class::isInstance)
                .map(places -> ((Evidence.Places) places).places())
                .filter(places -> !places.isEmpty())
                .map(places -> (Evidence) new Evidence.OfRank(best.getKey(), places.getFirst()))
                .toList();
        return new Answer.Action(
                one.id(),
                Math.round(middle * whole),
                Math.round(least * whole),
                Math.round(most * whole),
                whole,
                one.text(),
                one.snippet(),
                one.check(),
                one.assumption() + " Each rank gains this by a replay of its own.",
                evidence);
    }

    // ---- numbers ----

    /** What the rank in the middle takes in all steps, in ns. */
    private static long typical(double[][] times) {
        return Math.round(middle(Arrays.stream(times).mapToDouble(RunAnswer::sum)));
    }

    /** The median of those that are known; 0 of none. */
    private static double middle(DoubleStream values) {
        double median = FleetSteps.median(values);
        return Double.isNaN(median) ? 0 : median;
    }

    private static double sum(double[] times) {
        return Arrays.stream(times).filter(time -> !Double.isNaN(time)).sum();
    }

    private static String percent(double share) {
        return Words.share(Math.round(share * EXACT), (long) EXACT);
    }
}
