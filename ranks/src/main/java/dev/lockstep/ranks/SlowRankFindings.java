// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.ranks;

import dev.lockstep.analyze.comm.FleetSteps;
import dev.lockstep.analyze.comm.RankGains;
import dev.lockstep.analyze.comm.SlowRanks;
import dev.lockstep.analyze.comm.SlowRanks.Course;
import dev.lockstep.analyze.comm.SlowRanks.Slow;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.report.Subject;
import dev.lockstep.session.FileRanks;
import dev.lockstep.words.Words;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What every report across ranks says of slow ranks: the same sentence, with the same gain. */
public final class SlowRankFindings {
    /** A slow rank that costs less than this share of the run is no problem: others do not wait for it. */
    private static final double LEAST = 0.01;

    private static final double HUNDRED = 100;

    /** So many numbers of steps are listed. */
    private static final int MOST_STEPS = 6;

    private final SlowRanks slow;
    private final RankGains gains;
    private final FleetSteps steps;

    /**
     * What there is to say.
     *
     * @param gains what the run gains without slow ranks; {@link RankGains#NONE} where that is not known
     * @param steps by which ranks were compared
     */
    public SlowRankFindings(SlowRanks slow, RankGains gains, FleetSteps steps) {
        this.slow = slow;
        this.gains = gains;
        this.steps = steps;
    }

    /** {@return what all slow ranks cost together; null where there are not several} */
    public @Nullable Finding together() {
        if (slow.slow().size() < 2) {
            return null;
        }
        List<Integer> ranks = slow.slow().stream().map(Slow::rank).sorted().toList();
        String text = Words.count(ranks.size()) + " ranks are slow: " + FileRanks.ranges(ranks) + ".";
        boolean known = gains.ofNs() > 0;
        if (known) {
            List<Integer> priced = gains.slow();
            text += gain(
                    priced.size() < ranks.size() ? "If the slowest " + priced.size() : "If all of them",
                    gains.togetherNs());
        }
        Severity severity = !known || isMuch(gains.togetherNs()) ? Severity.PROBLEM : Severity.INFO;
        Finding finding = new Finding(severity, "slow_ranks", text, "straggler_summary: saves_together_us")
                .about(new Subject.OfRanks(ranks));
        return known ? finding.gaining(gains.togetherNs(), gains.ofNs(), gains.confidence()) : finding;
    }

    /**
     * {@return what is to be said of a slow rank}
     *
     * @param place where it runs, behind its number; may be empty
     * @param detail what makes it slow, behind the first clause; may be empty
     */
    public Finding of(Slow one, String place, String detail) {
        String text = "Rank " + one.rank() + place + verdict(one) + Words.time(Math.round(one.excessNs())) + longer(one)
                + " longer than its peers" + since(one, ", ") + "." + where(one, detail);
        RankGains.Row gain = gains.of(one.rank());
        boolean much = gain != null && isMuch(Math.max(gain.aloneNs(), gain.remainingNs()));
        if (gain != null) {
            text += gain.aloneNs() < LEAST * gains.ofNs() && much
                    ? gain("If it were the only slow rank and", gain.remainingNs())
                    : gain("If it", gain.aloneNs());
        }
        Severity severity = gain == null || much ? Severity.PROBLEM : Severity.INFO;
        Finding finding = new Finding(severity, "slow_rank", text, "straggler_summary: saves_alone_us")
                .about(new Subject.OfRank(one.rank()));
        return gain == null ? finding : finding.gaining(gain.aloneNs(), gains.ofNs(), gains.confidence());
    }

    private boolean isMuch(long ns) {
        return ns >= LEAST * gains.ofNs();
    }

    private String gain(String who, long ns) {
        if (ns <= 0) {
            return " " + who + " kept pace, the run would be no shorter: nobody waits for it.";
        }
        return " " + who + " kept pace, the run would be " + Words.time(ns) + " (" + Words.share(ns, gains.ofNs())
                + ") shorter.";
    }

    private static String longer(Slow one) {
        return Double.isNaN(one.ratio()) ? "" : String.format(Locale.ROOT, " (%.0f %%)", HUNDRED * (one.ratio() - 1));
    }

    private String verdict(Slow one) {
        return switch (one.course()) {
            case THROUGHOUT -> " is slow: each step takes it ";
            case RISING -> " gets slower over the run: on average a step takes it ";
            case SOME_STEPS ->
                " stalls in " + one.in().size() + " of " + steps.steps().length + " steps (" + numbers(one)
                        + "): each takes it ";
        };
    }

    private String numbers(Slow one) {
        String named = one.in().stream()
                .limit(MOST_STEPS)
                .map(step -> Long.toString(steps.steps()[step]))
                .collect(Collectors.joining(", "));
        return named + (one.in().size() > MOST_STEPS ? ", …" : "");
    }

    private String since(Slow one, String before) {
        return one.course() == Course.THROUGHOUT ? before + since(one) : "";
    }

    /** In which steps a rank is slow. */
    public String since(Slow one) {
        return switch (one.course()) {
            case THROUGHOUT -> one.since() == 0 ? "throughout the run" : "since step " + steps.steps()[one.since()];
            case RISING -> "more and more over the run";
            case SOME_STEPS -> "in " + one.in().size() + " of " + steps.steps().length + " steps";
        };
    }

    private static String where(Slow one, String detail) {
        return one.where() == SlowRanks.Where.UNKNOWN && detail.isEmpty()
                ? ""
                : " It loses the time " + one.where().words() + detail + ".";
    }
}
