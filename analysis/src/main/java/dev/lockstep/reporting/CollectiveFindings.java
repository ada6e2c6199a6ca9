// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.comm.Collective;
import dev.lockstep.analyze.comm.Collectives;
import dev.lockstep.analyze.comm.NodeMap.Span;
import dev.lockstep.analyze.comm.Stragglers;
import dev.lockstep.derive.CollectiveMatch.Basis;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.options.Statistic;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.session.RankSet;
import dev.lockstep.session.RankSet.Member;
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
    private static final double OUTSTANDING = 1.5;
    private static final int MOST_NAMED = 8;
    private static final double BYTES_PER_GB = 1e9;

    private final Collectives collectives;
    private final List<Stragglers.Row> stragglers;
    private final List<Finding> findings = new ArrayList<>();

    private CollectiveFindings(Collectives collectives, List<Stragglers.Row> stragglers) {
        this.collectives = collectives;
        this.stragglers = stragglers;
    }

    static List<Finding> of(RankSet<RankCollectives> ranks, Collectives collectives, List<Stragglers.Row> stragglers) {
        CollectiveFindings all = new CollectiveFindings(collectives, stragglers);
        all.culprit();
        all.coverage(ranks);
        all.clocks();
        all.matching();
        all.counts();
        all.sizes();
        all.spans();
        return all.findings;
    }

    private void culprit() {
        long waited = stragglers.stream().mapToLong(Stragglers.Row::waited).sum();
        long communication =
                stragglers.stream().mapToLong(Stragglers.Row::communication).sum();
        if (waited == 0 || stragglers.size() < 2) {
            return;
        }
        Stragglers.Row worst = stragglers.getFirst();
        double fair = (double) waited / stragglers.size();
        boolean outstanding = worst.caused() > OUTSTANDING * fair;
        boolean costly = waited > WORTH_SAYING * communication;
        String total = "Ranks spend " + Words.share(waited, communication)
                + " of their communication time waiting for the last to arrive (" + Words.time(waited)
                + " summed over ranks). ";
        String who = outstanding
                ? "Rank " + worst.rank() + " costs most: it came last in " + Words.count(worst.last()) + " of its "
                        + Words.count(worst.collectives()) + " collectives and the others waited "
                        + Words.time(worst.caused()) + " for it (" + Words.share(worst.caused(), waited)
                        + " of all waiting). " + cause(worst)
                : "No rank stands out: the one that costs most, rank " + worst.rank() + ", causes "
                        + Words.share(worst.caused(), waited) + " of it.";
        add(
                costly && outstanding ? Severity.PROBLEM : costly ? Severity.NOTICE : Severity.INFO,
                "straggler",
                total + who,
                "straggler_summary: caused_wait_us; all waiting in a collective is put down to the rank that came last");
    }

    private static String cause(Stragglers.Row row) {
        long known = row.causedByHost() + row.causedByDevice();
        if (known * 2 < row.caused()) {
            return "Most of its launches are not on record, so that the cause is open.";
        }
        double host = (double) row.causedByHost() / known;
        if (host > CLEAR_SHARE) {
            return "Its host was late: for " + Words.share(row.causedByHost(), known)
                    + " of that time it had not launched the kernel yet.";
        }
        if (host < 1 - CLEAR_SHARE) {
            return "Its device was late: for " + Words.share(row.causedByDevice(), known)
                    + " of that time the kernel was launched, but earlier work held it up.";
        }
        return "Both its host (" + Words.share(row.causedByHost(), known) + " of that time before the launch) and its"
                + " device were late.";
    }

    private void coverage(RankSet<RankCollectives> ranks) {
        List<String> gaps = new ArrayList<>();
        int count = 0;
        for (Member<RankCollectives> member : ranks.members()) {
            if (CollectiveReport.isGap(member.status())) {
                count++;
                if (gaps.size() < MOST_NAMED) {
                    gaps.add(member.rank() + " (" + member.status().name().toLowerCase(Locale.ROOT) + ")");
                }
            }
        }
        if (count > 0) {
            String more = count > gaps.size() ? " and " + (count - gaps.size()) + " more" : "";
            add(
                    Severity.NOTICE,
                    "ranks_missing",
                    (count == 1 ? "A rank is" : Words.count(count) + " ranks are") + " not whole: "
                            + String.join(", ", gaps) + more
                            + ". Collectives lack members there: a rank that was later than all that are known goes"
                            + " unseen, and latencies may contain waiting for it.",
                    "coverage");
        }
    }

    private void clocks() {
        String spread = Words.time(collectives.clocks().spread());
        if (collectives.aligned()) {
            add(
                    Severity.NOTICE,
                    "clocks_aligned",
                    "The clocks of the ranks are up to " + spread
                            + " apart, judged by the ends of collectives. Starts and ends are corrected by that; what"
                            + " ranks waited is known no better than the errors in clock_offsets.",
                    "clock_offsets; --align none takes times as recorded");
        } else if (collectives.clocks().differ()) {
            add(
                    Severity.PROBLEM,
                    "clocks_differ",
                    "The clocks of the ranks are up to " + spread
                            + " apart, judged by the ends of collectives. Skews and waits are taken as recorded and"
                            + " mean little.",
                    "clock_offsets; --align collectives corrects it");
        }
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
            add(
                    Severity.NOTICE,
                    "no_process_groups",
                    Words.count(unnamed) + " of "
                            + Words.count(collectives.all().size())
                            + " collectives carry no process group. They are matched by kind and order alone: pairs are"
                            + " wrong if a rank lacks one, or if ranks form several groups.",
                    "nccl_implicit_sync: matched by");
        }
        if (incomplete > 0) {
            add(
                    Severity.INFO,
                    "collectives_incomplete",
                    Words.count(incomplete) + " of "
                            + Words.count(collectives.all().size()) + " collectives lack members.",
                    "nccl_groups: incomplete");
        }
        if (collectives.match().disagreements() > 0) {
            add(
                    Severity.NOTICE,
                    "collectives_disagree",
                    "In " + Words.count(collectives.match().disagreements(), "place", "places")
                            + " ranks disagree about kind, element type or size of what should be one collective; they"
                            + " were taken apart. Either recordings lack collectives, or the program runs different"
                            + " ones.",
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
                            + String.join(", ", uneven)
                            + ". Matched by order, they may be paired wrongly.",
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
                    "Times without bandwidths, because no size or no known element type was recorded: "
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

    private void add(Severity severity, String code, String text, String basis) {
        findings.add(new Finding(severity, code, text, basis));
    }
}
