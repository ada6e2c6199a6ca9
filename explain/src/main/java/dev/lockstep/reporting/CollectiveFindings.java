// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.comm.Collective;
import dev.lockstep.analyze.comm.Collectives;
import dev.lockstep.analyze.comm.LateKernels;
import dev.lockstep.analyze.comm.NodeMap.Span;
import dev.lockstep.analyze.comm.SlowRanks;
import dev.lockstep.analyze.comm.Stragglers;
import dev.lockstep.clocks.Clocks;
import dev.lockstep.derive.CollectiveMatch.Basis;
import dev.lockstep.fleet.FleetRun;
import dev.lockstep.fleet.SlowLinks;
import dev.lockstep.options.Statistic;
import dev.lockstep.ranks.ClockWords;
import dev.lockstep.ranks.KeptRank;
import dev.lockstep.ranks.MatchedRanks;
import dev.lockstep.ranks.SlowRankFindings;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.report.Subject;
import dev.lockstep.session.RankSet;
import dev.lockstep.session.RankSet.Member;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What is worth saying about collectives in words: who costs the others time, and what the numbers rest on. */
final class CollectiveFindings {
    private static final double WORTH_SAYING = 0.05;
    private static final double CLEAR_SHARE = 0.6;
    private static final int MOST_NAMED = 8;

    /** Below this, clocks differ by what ends of kernels do. */
    private static final long NOTICEABLE_NS = 20_000;

    private static final double BYTES_PER_GB = 1e9;

    private final MatchedRanks run;
    private final Collectives collectives;
    private final List<Stragglers.Row> stragglers;
    private final List<LateKernels> kernels;
    private final CollectiveEvidence evidence;
    private final List<Finding> findings = new ArrayList<>();

    private CollectiveFindings(MatchedRanks run, List<LateKernels> kernels) {
        this.run = run;
        this.kernels = kernels;
        collectives = run.collectives();
        stragglers = run.stragglers();
        evidence = new CollectiveEvidence(collectives, kernels);
    }

    static List<Finding> of(MatchedRanks run, List<LateKernels> kernels) {
        CollectiveFindings all = new CollectiveFindings(run, kernels);
        all.slowRanks();
        all.waiting();
        all.links();
        all.coverage(run.ranks());
        all.clocks();
        all.matching();
        all.counts();
        all.sizes();
        all.spans();
        return all.findings;
    }

    private void slowRanks() {
        SlowRankFindings slow = new SlowRankFindings(run.slow(), run.gains(), run.steps());
        Finding together = slow.together();
        if (together != null) {
            findings.add(together.on(rows(slowOnes())));
        }
        run.slow().slow().stream().limit(MOST_NAMED).forEach(one -> {
            List<Stragglers.Row> row =
                    slowOnes().stream().filter(of -> of.rank() == one.rank()).toList();
            findings.add(slow.of(one, "", run.lateStage(one)).on(rows(row), evidence.place(one.rank())));
        });
    }

    private void waiting() {
        long waited = stragglers.stream().mapToLong(Stragglers.Row::waited).sum();
        long communication =
                stragglers.stream().mapToLong(Stragglers.Row::communication).sum();
        if (waited == 0 || stragglers.size() < 2) {
            return;
        }
        boolean costly = waited > WORTH_SAYING * communication;
        String total = "Ranks spend " + Words.share(waited, communication)
                + " of their communication time waiting for the last to arrive (" + Words.time(waited)
                + " in total).";
        List<Stragglers.Row> slow = slowOnes();
        Stragglers.Row worst = slow.isEmpty() ? stragglers.getFirst() : slow.getFirst();
        add(
                costly ? Severity.NOTICE : Severity.INFO,
                "straggler",
                total + (slow.isEmpty() ? nobody(waited) : ""),
                "straggler_summary: caused_wait_us",
                rows(slow.isEmpty() ? List.of(worst) : slow),
                evidence.place(worst.rank()));
        for (Stragglers.Row row : slow) {
            if (row.last() > 0) {
                findings.add(new Finding(
                                costly ? Severity.NOTICE : Severity.INFO,
                                "late_rank",
                                last(row) + device(row),
                                "straggler_summary: caused_by_host_us, caused_by_device_us; straggler_kernels")
                        .on(
                                explains(row) ? evidence.kernels(row.rank()) : rows(List.of(row)),
                                evidence.place(row.rank()))
                        .about(new Subject.OfRank(row.rank())));
            }
        }
    }

    /** Process groups with a slow link, each with all kinds of collectives that show it. */
    private void links() {
        List<FleetRun.Group> slow = SlowLinks.of(collectives);
        SlowLinks.byGroup(slow).stream()
                .limit(MOST_NAMED)
                .map(places -> places.stream().map(slow::get).toList())
                .forEach(shown -> findings.add(new Finding(
                                Severity.PROBLEM,
                                "fleet_slow_group",
                                SlowLinks.words(shown),
                                "nccl_groups: comm latency")
                        .about(new Subject.OfRanks(shown.getFirst().ranks()))
                        .on(evidence.place(shown.getFirst().ranks().getFirst()))));
    }

    /** The rows of slow ranks, in the order in which they are named. */
    private List<Stragglers.Row> slowOnes() {
        return run.slow().slow().stream()
                .limit(MOST_NAMED)
                .flatMap(slow -> stragglers.stream().filter(row -> row.rank() == slow.rank()))
                .toList();
    }

    private Evidence rows(List<Stragglers.Row> of) {
        return new Evidence.Rows(
                "straggler_summary", of.stream().map(stragglers::indexOf).toList());
    }

    private String last(Stragglers.Row row) {
        return "Rank " + row.rank() + " came last in " + Words.count(row.last()) + " of its "
                + Words.count(row.collectives()) + " collectives. The others waited " + Words.time(row.caused())
                + " for it. " + cause(row);
    }

    private String nobody(long waited) {
        Stragglers.Row worst = stragglers.getFirst();
        String share = Words.share(worst.caused(), waited);
        if (worst.caused() * 2 <= waited) {
            return " No single rank causes half of it. Rank " + worst.rank() + " causes most, " + share + ".";
        }
        String most = " Rank " + worst.rank() + " causes " + share + " of it.";
        if (!SlowRanks.canTell(run.steps())) {
            return most + " Too few steps to rule out chance: record at least " + SlowRanks.FEWEST_STEPS + ".";
        }
        return most + " It came last in " + Words.count(worst.last()) + " of its " + Words.count(worst.collectives())
                + " collectives. One of them accounts for " + Words.share(longest(worst), worst.caused())
                + " of that. Its own step time is not significantly longer than that of its peers.";
    }

    /** The longest that the others together waited for a rank in one collective. */
    private long longest(Stragglers.Row row) {
        return collectives.all().stream()
                .filter(c -> c.waits() && c.last() == row.rank())
                .mapToLong(Collective::waited)
                .max()
                .orElse(0);
    }

    /** Whether its kernels are what makes it late. */
    private boolean explains(Stragglers.Row row) {
        return row.causedByDevice() * 2 >= row.caused()
                && kernels.stream()
                        .anyMatch(one -> one.rank() == row.rank()
                                && !one.rows().isEmpty()
                                && one.cause() != LateKernels.Cause.NOT_KERNELS);
    }

    /** What its kernels say, where its device was late. */
    private String device(Stragglers.Row row) {
        if (isOfHost(row) || row.causedByDevice() * 2 < row.caused()) {
            return "";
        }
        return kernels.stream()
                .filter(one -> one.rank() == row.rank())
                .map(CollectiveFindings::device)
                .findFirst()
                .orElse("");
    }

    private static String device(LateKernels late) {
        String longer = percent(late.percentLonger());
        String most = late.rows().isEmpty()
                ? ""
                : (late.rows().getFirst().extraNs() * 2 > late.extraNs()
                                ? " Most of that is in "
                                : " The largest part of that is in ")
                        + kernel(late.rows().getFirst());
        return switch (late.cause()) {
            case CLOCK ->
                " Every kernel on it runs " + percent(100 * (late.factor() - 1)) + " slower, as at a lower clock.";
            case SLOWER_KERNELS ->
                " Its kernels take " + Words.time(late.extraNs()) + " (" + longer
                        + ") longer than the same kernels of typical ranks." + most;
            case MORE_WORK ->
                " It has more work than typical ranks: " + Words.time(late.extraNs()) + " (" + longer + ") more."
                        + most;
            case NOT_KERNELS -> " Its kernels explain less than half of that. It waited between them.";
        };
    }

    private static String percent(double value) {
        return Words.share(Math.round(value * 1000), 100_000);
    }

    private static String kernel(LateKernels.Row row) {
        return Words.name(row.own().name())
                + (row.own().dims().isEmpty()
                        ? ""
                        : " with inputs " + Words.name(row.own().dims()))
                + ". It ran " + Words.count(row.own().count()) + " times instead of " + Words.count(row.usualCount())
                + " and took "
                + Words.time(
                        row.own().count() == 0
                                ? 0
                                : row.own().totalNs() / row.own().count()) + " instead of "
                + Words.time(Math.round(row.usualNs())) + " each.";
    }

    /**
     * What made a slow rank late: the gap in which it lost its time decides, not the launch of the collective alone. A host that stalled
     * earlier may have launched the collective long before its device came to it.
     */
    private String cause(Stragglers.Row row) {
        long known = row.causedByHost() + row.causedByDevice();
        if (isOfHost(row) && row.causedByDevice() * 2 >= row.caused()) {
            return "Its CPU was late: the device ran dry between kernels, before the collectives.";
        }
        if (known * 2 < row.caused()) {
            return "The cause is open: most of its launches were not recorded.";
        }
        double host = (double) row.causedByHost() / known;
        if (host > CLEAR_SHARE) {
            return "Its CPU was late: for " + Words.share(row.causedByHost(), known)
                    + " of that time it had not launched the kernel yet.";
        }
        if (host < 1 - CLEAR_SHARE) {
            return "Its device was late: for " + Words.share(row.causedByDevice(), known)
                    + " of that time earlier work delayed the launched kernel.";
        }
        return "Both its CPU (" + Words.share(row.causedByHost(), known) + " of that time before the launch) and its"
                + " device were late.";
    }

    private boolean isOfHost(Stragglers.Row row) {
        return run.slow().slow().stream()
                .anyMatch(one -> one.rank() == row.rank() && one.where() == SlowRanks.Where.HOST);
    }

    private void coverage(RankSet<KeptRank> ranks) {
        List<String> gaps = new ArrayList<>();
        List<Integer> lines = new ArrayList<>();
        int count = 0;
        for (int line = 0; line < ranks.members().size(); line++) {
            Member<KeptRank> member = ranks.members().get(line);
            if (CollectiveReport.isGap(member.status())) {
                count++;
                lines.add(line);
                if (gaps.size() < MOST_NAMED) {
                    gaps.add((member.rank() < 0 ? "one of unknown number" : member.rank()) + " ("
                            + member.status().name().toLowerCase(Locale.ROOT) + ")");
                }
            }
        }
        if (count > 0) {
            String more = count > gaps.size() ? " and " + (count - gaps.size()) + " more" : "";
            add(
                    Severity.NOTICE,
                    "ranks_missing",
                    Words.count(count, "rank is", "ranks are") + " incomplete: " + String.join(", ", gaps) + more
                            + ". Collectives lack members there: a still later rank goes unseen. Latencies may include"
                            + " waiting for it.",
                    "coverage",
                    new Evidence.Rows("coverage", lines));
        }
    }

    private void clocks() {
        Clocks clocks = collectives.clocks();
        String spread = Words.time(clocks.spread());
        if (collectives.aligned() && clocks.differ()) {
            add(
                    clocks.spread() > NOTICEABLE_NS ? Severity.NOTICE : Severity.INFO,
                    "clocks_aligned",
                    "Rank clocks differ by up to " + spread + ", by the ends of collectives and messages."
                            + " All times are corrected, to within " + Words.time(clocks.error()) + ".",
                    "clock_offsets",
                    ClockWords.clocks(clocks));
        } else if (clocks.differ()) {
            add(
                    Severity.PROBLEM,
                    "clocks_differ",
                    "Rank clocks differ by up to " + spread + ", by the ends of collectives and messages."
                            + " Times are not corrected, so skews and waits mean little.",
                    "clock_offsets",
                    ClockWords.clocks(clocks));
        }
        long unsteady = clocks.unsteady();
        if (unsteady > 0) {
            add(
                    Severity.NOTICE,
                    "clocks_unsteady",
                    "A clock does not run evenly: in a part of the trace it is up to " + Words.time(unsteady)
                            + " off. Waiting is unknown there.",
                    "clock_offsets: error us",
                    ClockWords.clocks(clocks));
        }
        findings.addAll(ClockWords.unknown(run));
    }

    private static boolean isUnnamed(Collective collective) {
        return collective.group().basis() == Basis.KIND_AND_ORDER;
    }

    private void matching() {
        Map<Basis, Integer> counts = new TreeMap<>();
        long incomplete = 0;
        for (Collective c : collectives.all()) {
            counts.merge(c.group().basis(), 1, Integer::sum);
            incomplete += c.isWhole() ? 0 : 1;
        }
        int unnamed = counts.getOrDefault(Basis.KIND_AND_ORDER, 0);
        if (unnamed > 0) {
            findings.add(new Finding(
                            Severity.NOTICE,
                            "no_process_groups",
                            Words.count(unnamed) + " of "
                                    + Words.count(collectives.all().size())
                                    + " collectives carry no process group. They are matched by type and order alone."
                                    + " Pairs are wrong if a rank lacks one, or if ranks form several groups.",
                            "nccl_implicit_sync: matched by")
                    .on(evidence.collectives(CollectiveFindings::isUnnamed))
                    .on(evidence.place(CollectiveFindings::isUnnamed)));
        }
        if (incomplete > 0) {
            add(
                    Severity.INFO,
                    "collectives_incomplete",
                    Words.count(incomplete) + " of "
                            + Words.count(collectives.all().size()) + " collectives lack members.",
                    "nccl_groups: incomplete",
                    evidence.collectives(c -> !c.isWhole()));
        }
        if (collectives.match().disagreements() > 0) {
            add(
                    Severity.NOTICE,
                    "collectives_disagree",
                    "In " + Words.count(collectives.match().disagreements(), "place", "places")
                            + " ranks disagree about type, element type or size of one collective. Such collectives were"
                            + " split. Either traces lack collectives, or the program runs different ones.",
                    "nccl_implicit_sync: ranks found");
        }
    }

    /** Without sequence numbers, ranks of a group must have recorded the same number of kernels. */
    private void counts() {
        Map<Integer, Map<Integer, Integer>> kernels = new LinkedHashMap<>();
        for (Collective c : collectives.all()) {
            if (c.group().basis() != Basis.SEQUENCE) {
                Map<Integer, Integer> byRank = kernels.computeIfAbsent(c.groupIndex(), g -> new TreeMap<>());
                for (int m = 0; m < c.present(); m++) {
                    byRank.merge(collectives.match().rank(c.instance(), m), 1, Integer::sum);
                }
            }
        }
        List<String> uneven = new ArrayList<>();
        kernels.forEach((group, byRank) -> {
            int least = byRank.values().stream().mapToInt(n -> n).min().orElse(0);
            int most = byRank.values().stream().mapToInt(n -> n).max().orElse(0);
            if (least != most && uneven.size() < MOST_NAMED) {
                var g = collectives.match().groups().get(group);
                uneven.add((g.name().isEmpty() ? String.valueOf(g.kind()) : g.name()) + " (" + least + " to " + most
                        + ")");
            }
        });
        if (!uneven.isEmpty()) {
            add(
                    Severity.NOTICE,
                    "counts_differ",
                    "Ranks recorded different numbers of collectives without sequence numbers in: "
                            + String.join(", ", uneven) + ". Matched by order, pairs may be wrong.",
                    "nccl_groups: matched by, incomplete");
        }
    }

    private void sizes() {
        Map<String, Integer> without = new TreeMap<>();
        for (Collective c : collectives.all()) {
            if (c.bytes() < 0) {
                without.merge(c.call().name(), 1, Integer::sum);
            }
        }
        if (!without.isEmpty()) {
            List<String> names = new ArrayList<>();
            without.forEach((name, n) -> names.add(Words.name(name) + " (" + n + ")"));
            String more = names.size() > MOST_NAMED ? ", and " + (names.size() - MOST_NAMED) + " more" : "";
            add(
                    Severity.INFO,
                    "no_sizes",
                    "Bandwidth is unknown, as no size or no known element type was recorded: "
                            + String.join(", ", names.subList(0, Math.min(MOST_NAMED, names.size()))) + more + ".",
                    "nccl_groups: without_size");
        }
    }

    private void spans() {
        double intra = median(Span.INTRA_NODE);
        double inter = median(Span.INTER_NODE);
        if (!Double.isNaN(intra) && !Double.isNaN(inter)) {
            add(
                    Severity.INFO,
                    "node_spans",
                    String.format(
                            Locale.ROOT,
                            "Median bus bandwidth is %.1f GB/s within nodes and %.1f GB/s between them.",
                            intra / BYTES_PER_GB,
                            inter / BYTES_PER_GB),
                    "nccl_node_spans; nodes: " + collectives.nodes().basis());
        }
    }

    private double median(Span span) {
        return Statistic.MEDIAN.of(collectives.all().stream()
                .filter(c -> c.span() == span)
                .mapToDouble(Collective::busBandwidth)
                .toArray());
    }

    private void add(Severity severity, String code, String text, String basis, Evidence... proof) {
        findings.add(new Finding(severity, code, text, basis).on(proof));
    }
}
