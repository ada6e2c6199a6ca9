// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.links;

import dev.lockstep.links.LateRanks.Late;
import dev.lockstep.links.LinkComparison.Loss;
import dev.lockstep.links.Traffic.Communicator;
import dev.lockstep.links.Traffic.Speaker;
import dev.lockstep.report.Evidence.Rows;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.ChartSection;
import dev.lockstep.report.Section.Fact;
import dev.lockstep.report.Section.FactsSection;
import dev.lockstep.report.Section.FindingsSection;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.report.Subject;
import dev.lockstep.session.FileRanks;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/** What the traffic of a job says, as a report. */
final class LinkReport {
    private static final double HOUR_US = 3.6e9;
    private static final double MINUTE_US = 6e7;

    /** What is said of one place or process. */
    record Verdict(
            String kind,
            List<Integer> ranks,
            List<String> hosts,
            double share,
            long fromUs,
            long toUs,
            boolean isWhole,
            List<String> communicators,
            String sentence) {}

    private final Traffic traffic;
    private final String source;
    private final long startUs;
    private final long endUs;
    private final LinkComparison comparison;
    private final List<Late> late;
    private final List<Verdict> verdicts = new ArrayList<>();

    LinkReport(Traffic traffic, String source) {
        this.traffic = traffic;
        this.source = source;
        long start = Long.MAX_VALUE;
        long end = 0;
        for (Course course : traffic.courses()) {
            for (int row = 0; row < course.size(); row++) {
                start = Math.min(start, course.calledUs(row));
                end = Math.max(end, course.calledUs(row));
            }
        }
        startUs = start;
        endUs = end;
        comparison = LinkComparison.of(traffic, startUs);
        late = LateRanks.of(traffic);
        SlowPlace.of(traffic, comparison).forEach(place -> verdicts.add(verdict(place)));
        late.stream().filter(Late::isSure).forEach(one -> verdicts.add(verdict(one)));
    }

    Report report() {
        LinkTables tables = new LinkTables(traffic, startUs, endUs, comparison);
        List<Section> sections = new ArrayList<>();
        sections.add(new FactsSection("Job", facts()));
        sections.add(new FindingsSection("Findings", findings()));
        sections.add(new TableSection(tables.verdicts(verdicts)));
        tables.picture().ifPresent(chart -> sections.add(new ChartSection(chart)));
        sections.add(new TableSection(tables.bandwidth()));
        sections.add(new TableSection(tables.history()));
        sections.add(new TableSection(tables.changes()));
        sections.add(new TableSection(tables.ranks(late)));
        sections.add(new TableSection(tables.losses()));
        return new Report("Links", source, sections);
    }

    private List<Fact> facts() {
        TreeSet<String> hosts = new TreeSet<>();
        TreeSet<Integer> processes = new TreeSet<>();
        for (Communicator one : traffic.communicators()) {
            Arrays.stream(one.speakers).filter(s -> s >= 0).forEach(speaker -> {
                processes.add(speaker);
                hosts.add(traffic.speaker(speaker).host);
            });
        }
        return List.of(
                new Fact("processes", Words.count(processes.size()), "Processes that wrote records."),
                new Fact("nodes", Words.count(hosts.size()), "Hosts of these."),
                new Fact("communicators", Words.count(traffic.communicators().size()), ""),
                new Fact("records", Words.count(traffic.operations()), "Operations on a rank."),
                new Fact("time", time(endUs - startUs), "From the first record to the last."));
    }

    private List<Finding> findings() {
        List<Finding> all = new ArrayList<>();
        for (Verdict one : verdicts) {
            all.add(new Finding(
                            all.isEmpty() ? Severity.PROBLEM : Severity.NOTICE,
                            "link_" + one.kind,
                            one.sentence,
                            LinkTables.VERDICTS)
                    .on(Rows.of(LinkTables.VERDICTS, verdicts, v -> v.equals(one)))
                    .about(new Subject.OfRanks(one.ranks)));
        }
        if (verdicts.isEmpty()) {
            all.add(new Finding(
                    Severity.INFO,
                    "link_none",
                    "No slow link: like links transfer at like bandwidth, and nobody is waited for.",
                    "link_bandwidth"));
        }
        long partial = traffic.courses().stream()
                .filter(course -> course.complete().length == 0)
                .count();
        if (partial > 0) {
            all.add(new Finding(
                    Severity.INFO,
                    "link_partial",
                    Words.count(partial, "series", "series") + " of operations "
                            + (partial == 1 ? "lacks" : "lack")
                            + " ranks, so that transfer and waiting cannot be separated.",
                    "link_bandwidth"));
        }
        long dropped = traffic.communicators().stream()
                .mapToLong(one -> Arrays.stream(one.dropped).sum())
                .sum();
        if (dropped > 0) {
            all.add(new Finding(
                    Severity.INFO,
                    "link_dropped",
                    "The Inspector dropped " + Words.count(dropped, "record", "records")
                            + ". A larger NCCL_INSPECTOR_DUMP_COLL_RING_SIZE keeps them.",
                    "link_losses"));
        }
        return all;
    }

    private Verdict verdict(SlowPlace place) {
        Loss most = place.losses().getFirst();
        TreeSet<Integer> ranks = new TreeSet<>();
        TreeSet<String> hosts = new TreeSet<>();
        place.speakers().stream().filter(s -> s >= 0).map(traffic::speaker).forEach(one -> {
            ranks.add(one.rank());
            hosts.add(one.host);
        });
        List<String> communicators = place.losses().stream()
                .map(loss -> named(loss.course().communicator))
                .distinct()
                .toList();
        boolean whole = place.losses().stream().allMatch(Loss::isWhole);
        long from = place.losses().stream().mapToLong(Loss::fromUs).min().orElse(0);
        long to = place.losses().stream().mapToLong(Loss::toUs).max().orElse(0);
        String loses = String.format(Locale.ROOT, "%.0f %%", 100 * most.share());
        String when = whole ? "" : ", from " + time(from) + " to " + time(to) + " of the run";
        String who = ranks.size() == 1
                ? "Rank " + ranks.first() + " on " + String.join(", ", hosts)
                : "ranks " + FileRanks.ranges(List.copyOf(ranks));
        String what = most.course().operation + " of " + Words.bytes(most.course().bytes);
        String sentence = switch (place.kind()) {
            case SLOW_NODE ->
                "Node " + String.join(", ", hosts) + " has slow links: its ranks lose " + loses
                        + " of bandwidth to other nodes" + when + ".";
            case SLOW_NIC ->
                who + " has a slow network adapter: it loses " + loses + " of bandwidth to other nodes" + when + ".";
            case SLOW_LINK -> "The link between " + who + " is slow: it loses " + loses + " of bandwidth" + when + ".";
            case SLOW_GROUP ->
                "A link of communicator " + communicators.getFirst() + " (" + who + ") is slow: " + what + " loses "
                        + loses + when + ". The records do not show at which of its ranks.";
            case SLOW_NETWORK -> "All like links slow down together: " + what + " loses " + loses + when + ".";
        };
        return new Verdict(
                place.kind().word(),
                List.copyOf(ranks),
                List.copyOf(hosts),
                most.share(),
                from,
                to,
                whole,
                communicators,
                sentence);
    }

    private Verdict verdict(Late one) {
        Speaker speaker = traffic.speaker(one.speaker());
        return new Verdict(
                "late_rank",
                List.of(speaker.rank()),
                List.of(speaker.host),
                one.share(),
                0,
                endUs - startUs,
                true,
                List.of(),
                String.format(
                        Locale.ROOT,
                        "Rank %d on %s comes late: the others wait %s for it. Its links are not slow.",
                        speaker.rank(),
                        speaker.host,
                        time(one.lateNs() / 1000)));
    }

    static String named(Communicator one) {
        return one.name.isEmpty() ? one.id : one.name;
    }

    private static String time(long us) {
        return us >= HOUR_US
                ? String.format(Locale.ROOT, "%.2f h", us / HOUR_US)
                : us >= MINUTE_US
                        ? String.format(Locale.ROOT, "%.1f min", us / MINUTE_US)
                        : String.format(Locale.ROOT, "%.3g s", us / 1e6);
    }
}
