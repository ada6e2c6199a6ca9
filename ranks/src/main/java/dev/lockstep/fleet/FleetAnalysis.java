// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.fleet;

import dev.lockstep.analyze.comm.FleetSteps;
import dev.lockstep.analyze.comm.RankGains;
import dev.lockstep.analyze.comm.SlowRanks;
import dev.lockstep.analyze.comm.SlowRanks.Slow;
import dev.lockstep.error.FileNames;
import dev.lockstep.fleet.FleetRun.Member;
import dev.lockstep.read.RankNames;
import dev.lockstep.report.Report;
import dev.lockstep.report.RunPages;
import dev.lockstep.report.Trust;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What is known of a run of very many ranks.
 *
 * @param run ranks, groups and kernels
 * @param steps what each rank took in each step
 * @param gains what the run gains without its slow ranks
 * @param trust how far its traces can be believed
 */
public record FleetAnalysis(FleetRun run, FleetSteps steps, RankGains gains, Trust trust) implements Serializable {
    private static final Set<String> GAPS = Set.of("missing", "unreadable", "partial", "doubled");

    /**
     * Who is slow from the beginning, or as soon as its host has lost its lead, comes late to its first collective; only more than
     * this many excesses is a late start.
     */
    private static final double EXCESSES = 3;

    /**
     * Asks a source for what matters.
     *
     * @param places where ranks run
     * @param candidates all files that there are, those that were passed over for later ones of their ranks among them; empty
     *     when the source knows no files
     */
    public static FleetAnalysis of(FleetSource source, FleetPlaces places, List<String> candidates) throws IOException {
        FleetSteps steps = source.steps();
        SlowRanks slow = SlowRanks.of(steps);
        List<Integer> late = slow.slow().stream().map(Slow::rank).toList();
        double least = SlowRanks.leastStart(steps);
        List<FleetRun.Start> all = least > 0 ? source.starts(least) : List.of();
        Set<Integer> elsewhere = steps.withOtherBeginning();
        List<FleetRun.Start> starts = all.stream()
                .filter(start -> !elsewhere.contains(start.rank()))
                .filter(start -> slow.slow().stream()
                        .noneMatch(one -> explains(one, slow.totalNs() / steps.steps().length, start)))
                .toList();
        List<Member> members = new ArrayList<>(source.members());
        members.addAll(passedOver(members, candidates));
        Set<Integer> ranks =
                members.stream().map(Member::rank).filter(rank -> rank >= 0).collect(Collectors.toSet());
        FleetRun run =
                new FleetRun(members, places.of(source.hosts(), ranks), source.kernels(late), source.groups(), starts);
        return new FleetAnalysis(run, steps, source.gains(slow.priced()), source.trust());
    }

    /**
     * Whether a rank comes late to its first collective as it comes late to all. A late host, which later runs ahead of its device and
     * loses less than it pauses, has no lead there yet: what it pauses in a step may show whole.
     */
    private static boolean explains(Slow one, double stepNs, FleetRun.Start start) {
        boolean ofHost = one.where() == SlowRanks.Where.HOST;
        boolean early = one.since() == 0 || ofHost && one.since() == 1;
        double usual = Math.max(ofHost ? stepNs : 0, EXCESSES * one.excessNs());
        return one.rank() == start.rank() && early && start.lateNs() < usual;
    }

    /** The files that were passed over for others of their ranks. */
    private static List<Member> passedOver(List<Member> members, List<String> candidates) {
        Set<String> taken = new HashSet<>();
        members.forEach(member -> taken.add(String.valueOf(member.file())));
        return candidates.stream()
                .filter(file -> !taken.contains(file))
                .map(file -> new Member(
                        RankNames.rankOf(FileNames.path(file)).orElse(-1),
                        "doubled",
                        file,
                        "a later trace of the rank counts",
                        null))
                .toList();
    }

    /** Whether nothing of the run is missing. */
    public boolean isWhole() {
        return run.ranks().stream().noneMatch(member -> GAPS.contains(member.status()));
    }

    /** The traces of the ranks that were read, by rank. */
    private Map<Integer, String> files() {
        Map<Integer, String> files = new TreeMap<>();
        for (Member member : run.ranks()) {
            String file = member.file();
            if (FleetReport.isRead(member) && member.rank() >= 0 && file != null) {
                files.put(member.rank(), file);
            }
        }
        return files;
    }

    /**
     * {@return the report}
     *
     * @param source what it was made from, as the user named it
     */
    public Report report(String source) {
        return FleetReport.of(run, steps, SlowRanks.of(steps), gains, trust, source)
                .among(RunPages.of(files()));
    }
}
