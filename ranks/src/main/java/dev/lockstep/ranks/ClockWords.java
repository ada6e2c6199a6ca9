// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.ranks;

import dev.lockstep.analyze.TableNames;
import dev.lockstep.analyze.comm.Arrivals.Waiting;
import dev.lockstep.analyze.comm.Collective;
import dev.lockstep.analyze.comm.Collectives;
import dev.lockstep.clocks.Clocks;
import dev.lockstep.clocks.CommonClock;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.words.Words;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What is known of the clocks of ranks, in words. */
public final class ClockWords {
    private static final int MOST_NAMED = 8;

    private ClockWords() {}

    /**
     * What clock a report uses, and how well it is known.
     *
     * @param clock the clock that is used
     */
    public static String of(Clocks clocks, CommonClock clock) {
        if (clocks.size() < 2) {
            return "one rank";
        }
        if (!clocks.isAny()) {
            return "unknown: no collective and no message ties ranks";
        }
        String used = IntStream.range(0, clocks.size()).anyMatch(clock::isCorrected) ? "corrected" : "as recorded";
        String apart = clocks.differ()
                ? Words.time(clocks.spread()) + " apart by the ends of collectives, to within "
                : "equal by the ends of collectives, to within ";
        String rest = clocks.isComplete() ? "" : ", unknown for " + untied(clocks);
        return used + " (" + apart + Words.time(clocks.error()) + rest + ")";
    }

    /** Whose times are not compared, and why waiting is unknown in some collectives; nothing where it is known in all. */
    public static List<Finding> unknown(MatchedRanks run) {
        Collectives collectives = run.collectives();
        List<Collective> unknown = collectives.all().stream()
                .filter(c -> c.waiting() == Waiting.UNKNOWN)
                .toList();
        boolean untied = run.compared() != run;
        if (unknown.isEmpty() && !untied) {
            return List.of();
        }
        Clocks clocks = collectives.clocks();
        String why = !untied
                ? "Times contradict each other, clocks are not steady enough, or a trace began too late."
                : "No collective or message ties the clocks of "
                        + (clocks.isAny()
                                ? untied(clocks) + " to those of the others. Gains and critical paths leave them out."
                                : "the ranks. What the run would gain without a rank is unknown.");
        String what = unknown.isEmpty()
                ? ""
                : "Waiting is unknown in " + Words.count(unknown.size(), "collective", "collectives") + ". ";
        return List.of(new Finding(
                        Severity.NOTICE,
                        untied ? "clocks_unknown" : "waits_unknown",
                        what + why,
                        TableNames.CLOCK_OFFSETS)
                .on(clocks(clocks)));
    }

    /** The rows of {@code clock_offsets}. */
    public static Evidence clocks(Clocks clocks) {
        return new Evidence.Rows(
                TableNames.CLOCK_OFFSETS,
                IntStream.range(0, clocks.size()).boxed().toList());
    }

    /** The ranks whose clocks nothing ties to that of the reference. */
    public static String untied(Clocks clocks) {
        List<Integer> ranks = IntStream.range(0, clocks.size())
                .filter(place -> !clocks.isTied(place))
                .mapToObj(place -> clocks.recording(place).info().rank().index())
                .toList();
        String named = ranks.stream().limit(MOST_NAMED).map(String::valueOf).collect(Collectors.joining(", "));
        return Words.count(ranks.size(), "rank", "ranks") + " (" + named + (ranks.size() > MOST_NAMED ? ", …" : "")
                + ")";
    }
}
