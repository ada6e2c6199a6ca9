// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.fleet;

import dev.lockstep.analyze.comm.FleetSteps;
import dev.lockstep.analyze.comm.SlowRanks;
import dev.lockstep.analyze.comm.SlowRanks.Slow;
import dev.lockstep.fleet.FleetRun.Member;
import dev.lockstep.fleet.FleetRun.Place;
import dev.lockstep.report.Evidence.Rows;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.ChartSection;
import dev.lockstep.report.Section.Fact;
import dev.lockstep.report.Section.FactsSection;
import dev.lockstep.report.Section.FindingsSection;
import dev.lockstep.report.Section.NotApplicable;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.reporting.Words;
import dev.lockstep.session.FileRanks;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What is known of a run of very many ranks, as a report. */
public final class FleetReport {
    private static final double HUNDRED = 100;
    private static final double NS_PER_MS = 1e6;
    private static final String SLOW_RANKS = "fleet_slow_ranks";
    private static final int MOST_NAMED = 8;
    private static final int MOST_LISTED = 64;

    private final FleetRun run;
    private final FleetSteps steps;
    private final SlowRanks slow;

    private FleetReport(FleetRun run, FleetSteps steps, SlowRanks slow) {
        this.run = run;
        this.steps = steps;
        this.slow = slow;
    }

    /**
     * {@return the report of a run}
     *
     * @param source what it was made from, as the user named it
     */
    public static Report of(FleetRun run, FleetSteps steps, SlowRanks slow, String source) {
        return new FleetReport(run, steps, slow).report(source);
    }

    private Report report(String source) {
        FleetSheets sheets = new FleetSheets(run, steps, slow);
        List<Section> sections = new ArrayList<>();
        long read = run.ranks().stream().filter(FleetReport::isRead).count();
        long known = run.ranks().stream()
                .filter(m -> m.rank() >= 0)
                .map(Member::rank)
                .distinct()
                .count();
        sections.add(new FactsSection(
                "Run",
                List.of(
                        new Fact("ranks", read + " of " + known, "Ranks that were read, of those that the run has."),
                        new Fact("steps", Integer.toString(steps.steps().length), ""),
                        new Fact(
                                "kinds of ranks",
                                Integer.toString(steps.kindCount()),
                                "Ranks that run mostly the same kernels and communicate equally often are of one kind,"
                                        + " and compared."),
                        new Fact("slow ranks", Integer.toString(slow.slow().size()), ""))));
        sections.add(new FindingsSection("Findings", findings()));
        if (steps.steps().length > 0) {
            sections.add(new ChartSection(sheets.map()));
        }
        add(sections, sheets.slowRanks(), "no rank is slow by more than chance");
        add(sections, sheets.kernels(), "no slow rank takes longer for a kernel");
        add(
                sections,
                sheets.places(),
                "nothing says which ranks share a node: no names of hosts, no map of hosts, no number of devices");
        add(sections, sheets.starts(), "no rank begins late");
        add(sections, sheets.incidents(), "no rank took long in single steps");
        add(sections, sheets.groups(), "no process group is slower than like ones, or there are too few to compare");
        add(sections, sheets.steps(), "nothing marks steps");
        add(sections, sheets.ranks(), "there are none");
        return new Report("Fleet of " + Words.count(known, "rank", "ranks"), source, sections);
    }

    private static boolean isRead(Member member) {
        return member.status().equals("read") || member.status().equals("partial");
    }

    private static void add(List<Section> sections, Table table, String reason) {
        sections.add(table.rows() == 0 ? new NotApplicable(table.name(), reason) : new TableSection(table));
    }

    private List<Finding> findings() {
        List<Finding> found = new ArrayList<>();
        if (!SlowRanks.canTell(steps)) {
            found.add(new Finding(
                    Severity.NOTICE,
                    "fleet_few_steps",
                    "The run has " + Words.count(steps.steps().length, "step", "steps")
                            + ": three are needed to tell slow ranks from chance.",
                    "fleet_steps"));
        } else if (slow.slow().isEmpty()) {
            found.add(new Finding(
                    Severity.INFO,
                    "fleet_even",
                    String.format(
                            Locale.ROOT,
                            "No rank is slow: none takes %.0f %% longer than the median by more than chance.",
                            HUNDRED * SlowRanks.LEAST),
                    "fleet_ranks"));
        } else {
            found.add(slowest());
            each(slow.slow(), SLOW_RANKS, this::one, found);
        }
        found.addAll(places("node", Place::node));
        found.addAll(places("rack", Place::rack));
        each(
                run.starts(),
                "fleet_starts",
                start -> new Finding(
                        Severity.NOTICE,
                        "fleet_late_start",
                        "Rank " + start.rank() + " came " + ms(start.lateNs())
                                + " late to its first collective, and was in time later on.",
                        "fleet_starts"),
                found);
        each(
                run.groups(),
                "fleet_groups",
                group -> new Finding(
                        Severity.PROBLEM,
                        "fleet_slow_group",
                        String.format(
                                Locale.ROOT,
                                "Transfers of %s in process group %s take %.1f times what they take in %d like groups:"
                                        + " a link of one of its %s is slow.",
                                group.kind(),
                                group.group(),
                                group.ratio(),
                                group.others(),
                                group.ranks().size() <= MOST_LISTED
                                        ? "ranks " + ranks(group.ranks())
                                        : ranks(group.ranks())),
                        "fleet_groups"),
                found);
        found.addAll(absent());
        return found;
    }

    /** Names the first rows of a sheet, each as a finding that rests on it. */
    private static <R> void each(List<R> rows, String sheet, Function<R, Finding> finding, List<Finding> found) {
        for (int row = 0; row < Math.min(MOST_NAMED, rows.size()); row++) {
            found.add(finding.apply(rows.get(row)).on(new Rows(sheet, List.of(row))));
        }
    }

    private Finding slowest() {
        List<Integer> all = slow.slow().stream().map(Slow::rank).toList();
        return new Finding(
                        Severity.PROBLEM,
                        "fleet_slow_ranks",
                        String.format(
                                Locale.ROOT,
                                "%s of %d: %s. Without %s the run would take about %s less, %.1f %%.",
                                Words.count(all.size(), "slow rank", "slow ranks"),
                                steps.ranks().length,
                                ranks(all),
                                all.size() == 1 ? "it" : "them",
                                ms(slow.costNs()),
                                slow.totalNs() > 0 ? HUNDRED * slow.costNs() / slow.totalNs() : 0),
                        SLOW_RANKS)
                .on(Rows.first(SLOW_RANKS, all.size()));
    }

    private Finding one(Slow one) {
        String since = one.since() == 0 ? "in all steps" : "since step " + steps.steps()[one.since()];
        return new Finding(
                Severity.PROBLEM,
                "fleet_slow_rank",
                String.format(
                        Locale.ROOT,
                        "Rank %d%s takes %.2f times what others take, %s, %s: %s a step%s; it costs about %s.",
                        one.rank(),
                        place(one.rank()),
                        one.ratio(),
                        since,
                        one.where().words(),
                        ms(one.excessNs()),
                        kernels(one),
                        ms(one.costNs())),
                SLOW_RANKS);
    }

    private String place(int rank) {
        Place place = run.places().get(rank);
        return place == null
                ? ""
                : " (node " + place.node() + (place.rack() == null ? "" : ", rack " + place.rack()) + ")";
    }

    private String kernels(Slow one) {
        List<FleetRun.Kernel> own = run.kernels().stream()
                .filter(kernel -> kernel.rank() == one.rank())
                .toList();
        if (one.where() != SlowRanks.Where.DEVICE || own.isEmpty()) {
            return "";
        }
        FleetRun.Kernel first = own.getFirst();
        String more = first.count() > first.usualCount() ? ", with more of them" : "";
        String name = first.name().length() > 60 ? first.name().substring(0, 60) + "…" : first.name();
        return String.format(Locale.ROOT, ", the largest part in %s (%.2f times%s)", name, first.ratio(), more);
    }

    private List<Finding> places(String what, Function<Place, @Nullable String> name) {
        List<Finding> found = new ArrayList<>();
        List<String> rows = new ArrayList<>(FleetSheets.sizes(run, Place::node).keySet());
        int first = what.equals("node") ? 0 : rows.size();
        rows.addAll(FleetSheets.sizes(run, Place::rack).keySet());
        FleetSheets.slowPlaces(run, slow, name)
                .forEach((place, ranks) -> found.add(new Finding(
                                Severity.PROBLEM,
                                "fleet_slow_place",
                                String.format(
                                        Locale.ROOT,
                                        "%s %s is slow: ranks %s.",
                                        what.substring(0, 1).toUpperCase(Locale.ROOT) + what.substring(1),
                                        place,
                                        ranks(ranks)),
                                "fleet_places")
                        .on(new Rows(
                                "fleet_places",
                                List.of(first + rows.subList(first, rows.size()).indexOf(place))))));
        return found;
    }

    private List<Finding> absent() {
        SortedMap<String, List<Integer>> byStatus = new TreeMap<>();
        for (int row = 0; row < run.ranks().size(); row++) {
            String status = run.ranks().get(row).status();
            if (!status.equals("read")) {
                byStatus.computeIfAbsent(status, s -> new ArrayList<>()).add(row);
            }
        }
        List<Finding> found = new ArrayList<>();
        byStatus.forEach((status, rows) -> {
            List<Integer> ranks = rows.stream()
                    .map(row -> run.ranks().get(row).rank())
                    .filter(r -> r >= 0)
                    .sorted()
                    .distinct()
                    .toList();
            String who = ranks.isEmpty()
                    ? Words.count(rows.size(), "file", "files")
                    : (ranks.size() == 1 ? "Rank " : "Ranks ") + ranks(ranks);
            String what = switch (status) {
                case "missing" -> "no file";
                case "unreadable" -> "cannot be read";
                case "partial" -> "a part of the file is missing";
                case "doubled" -> "several traces; the latest counts";
                default -> "no trace of the run";
            };
            found.add(new Finding(Severity.NOTICE, "fleet_" + status, who + ": " + what + ".", "fleet_ranks")
                    .on(new Rows("fleet_ranks", rows)));
        });
        return found;
    }

    private static String ranks(List<Integer> ranks) {
        return ranks.size() <= MOST_LISTED
                ? FileRanks.ranges(ranks.stream().sorted().toList())
                : ranks.size() + " ranks";
    }

    static String ms(double ns) {
        return String.format(Locale.ROOT, "%.3f ms", ns / NS_PER_MS);
    }
}
