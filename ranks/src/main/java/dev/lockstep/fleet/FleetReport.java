// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.fleet;

import dev.lockstep.analyze.comm.FleetSteps;
import dev.lockstep.analyze.comm.RankGains;
import dev.lockstep.analyze.comm.SlowRanks;
import dev.lockstep.analyze.comm.SlowRanks.Slow;
import dev.lockstep.fleet.FleetRun.Group;
import dev.lockstep.fleet.FleetRun.Member;
import dev.lockstep.fleet.FleetRun.Place;
import dev.lockstep.fleet.FleetRun.Start;
import dev.lockstep.ranks.RankCount;
import dev.lockstep.ranks.RunAnswer;
import dev.lockstep.ranks.SlowRankFindings;
import dev.lockstep.report.Evidence.OfRank;
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
import dev.lockstep.report.Topic;
import dev.lockstep.report.Trust;
import dev.lockstep.session.FileRanks;
import dev.lockstep.table.Table;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
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
    private final RankGains gains;
    private final SlowRankFindings said;

    private FleetReport(FleetRun run, FleetSteps steps, SlowRanks slow, RankGains gains) {
        this.run = run;
        this.steps = steps;
        this.slow = slow;
        this.gains = gains;
        said = new SlowRankFindings(slow, gains, steps);
    }

    /**
     * {@return the report of a run}
     *
     * @param gains what the run gains without slow ranks
     * @param trust how far the traces of the run can be believed
     * @param source what it was made from, as the user named it
     */
    public static Report of(
            FleetRun run, FleetSteps steps, SlowRanks slow, RankGains gains, Trust trust, String source) {
        return new FleetReport(run, steps, slow, gains).report(trust, source).believing(trust);
    }

    private Report report(Trust trust, String source) {
        FleetSheets sheets = new FleetSheets(run, steps, slow, gains);
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
                        new Fact(
                                "ranks",
                                RankCount.of(read, known, noTraces()),
                                "Ranks that were read, of those that the run has. Files that are no traces of them follow."),
                        new Fact("steps", Integer.toString(steps.steps().length), ""),
                        new Fact(
                                "kinds of ranks",
                                Integer.toString(steps.kindCount()),
                                "Ranks that run mostly the same kernels and communicate equally often are of one kind,"
                                        + " and compared."),
                        new Fact(
                                "slow ranks",
                                trust.lets(Set.of(Topic.LATENESS))
                                        ? Integer.toString(slow.slow().size())
                                        : "unknown",
                                ""))));
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
        add(
                sections,
                sheets.starts(),
                SlowRanks.leastStart(steps) > 0
                        ? "no rank begins late"
                        : "nothing says how long a step is, and so what is late");
        add(sections, sheets.incidents(), "no rank took long in single steps");
        add(sections, sheets.groups(), "no process group is slower than like ones, or there are too few to compare");
        add(sections, sheets.steps(), "nothing marks steps");
        add(sections, sheets.ranks(), "there are none");
        return new Report("Fleet of " + Words.count(known, "rank", "ranks"), source, sections)
                .beginning(RunAnswer.of(slow, gains, steps));
    }

    private List<String> noTraces() {
        return run.ranks().stream()
                .filter(member -> member.status().equals("set_aside"))
                .map(member -> String.valueOf(member.file()))
                .toList();
    }

    static boolean isRead(Member member) {
        return member.status().equals("read") || member.status().equals("partial");
    }

    private static void add(List<Section> sections, Table table, String reason) {
        sections.add(table.rows() == 0 ? new NotApplicable(table.name(), reason) : new TableSection(table));
    }

    private List<Finding> findings() {
        List<Finding> found = new ArrayList<>();
        if (!SlowRanks.canTell(steps)) {
            found.add(fewSteps());
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
            Finding together = said.together();
            if (together != null) {
                found.add(together.on(
                        Rows.first(SLOW_RANKS, slow.slow().size()),
                        new OfRank(slow.slow().getFirst().rank(), null)));
            }
            Set<Integer> told = new HashSet<>();
            found.addAll(places("Rack", Place::rack, told));
            found.addAll(places("Node", Place::node, told));
            found.addAll(alone(told));
        }
        found.addAll(links());
        for (int row = 0; row < Math.min(MOST_NAMED, run.starts().size()); row++) {
            found.add(lateStart(row));
        }
        List<Integer> others = steps.withOtherSteps();
        if (!others.isEmpty()) {
            found.add(otherSteps(others));
        }
        found.addAll(absent());
        return found;
    }

    private Finding fewSteps() {
        int all = steps.steps().length;
        int shared = steps.compared();
        String has = "The run has " + Words.count(all, "step", "steps");
        return new Finding(
                Severity.NOTICE,
                "fleet_few_steps",
                (shared == all ? has : has + ", of which ranks share " + shared)
                        + ": three are needed to tell slow ranks from chance.",
                "fleet_steps");
    }

    private Finding otherSteps(List<Integer> others) {
        return new Finding(
                Severity.NOTICE,
                "fleet_other_steps",
                others.size() + " of " + Words.count(steps.ranks().length, "rank", "ranks")
                        + (others.size() == 1 ? " has" : " have") + " other steps than most: " + ranks(others)
                        + ". Ranks are compared in the steps that they share.",
                "fleet_steps");
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
        return String.format(Locale.ROOT, ", most of it in %s (%.2f times%s)", name, first.ratio(), more);
    }

    /**
     * Places that are slow as a whole: of several whose slow ranks are the same, the smallest.
     *
     * @param told ranks of places that were named before, to which those of these are added
     */
    private List<Finding> places(String what, Function<Place, @Nullable String> name, Set<Integer> told) {
        List<Finding> found = new ArrayList<>();
        SortedMap<String, Integer> sizes = FleetSheets.sizes(run, name);
        List<String> rows = new ArrayList<>(sizes.keySet());
        int first =
                what.equals("Node") ? 0 : FleetSheets.sizes(run, Place::node).size();
        FleetSheets.slowPlaces(run, slow, name).forEach((place, ranks) -> {
            long nodes = ranks.stream()
                    .map(rank -> Objects.requireNonNull(run.places().get(rank)).node())
                    .distinct()
                    .count();
            if (told.containsAll(ranks) || what.equals("Rack") && nodes == 1) {
                return;
            }
            told.addAll(ranks);
            int size = sizes.getOrDefault(place, 0);
            String members = ranks.size() == size
                    ? "its ranks, " + ranks(ranks) + ","
                    : "ranks " + ranks(ranks) + ", " + ranks.size() + " of its " + size + ",";
            String text = what + " " + place + " is slow: each of " + members + " takes " + together(ranks);
            found.add(new Finding(Severity.PROBLEM, "fleet_slow_place", text, "fleet_places")
                    .on(
                            new Rows("fleet_places", List.of(first + rows.indexOf(place))),
                            new OfRank(ranks.getFirst(), null)));
        });
        return found;
    }

    /** What slow ranks have in common. */
    private String together(List<Integer> ranks) {
        List<Slow> all = slow.slow().stream()
                .filter(one -> ranks.contains(one.rank()))
                .sorted(Comparator.comparingDouble(Slow::ratio))
                .toList();
        String least = String.format(Locale.ROOT, "%.2f", all.getFirst().ratio());
        String most = all.getLast().times("others");
        boolean one = most.startsWith(least + " ") || Double.isNaN(all.getLast().ratio());
        StringBuilder text = new StringBuilder(one ? most : least + " to " + most);
        if (all.stream().map(Slow::since).distinct().count() == 1) {
            text.append(", ").append(said.since(all.getFirst()));
        }
        text.append('.');
        if (all.stream().map(Slow::where).distinct().count() == 1) {
            text.append(" Each loses the time ")
                    .append(all.getFirst().where().words())
                    .append('.');
        }
        return text.toString();
    }

    /** The slowest ranks that lie in no slow place. */
    private List<Finding> alone(Set<Integer> told) {
        List<Finding> found = new ArrayList<>();
        for (int row = 0; row < slow.slow().size() && found.size() < MOST_NAMED; row++) {
            Slow one = slow.slow().get(row);
            if (!told.contains(one.rank())) {
                found.add(said.of(one, place(one.rank()), kernels(one))
                        .on(new Rows(SLOW_RANKS, List.of(row)), new OfRank(one.rank(), null)));
            }
        }
        return found;
    }

    /** Process groups with a slow link, each with all kinds of collectives that show it. */
    private List<Finding> links() {
        return SlowLinks.byGroup(run.groups()).stream()
                .limit(MOST_NAMED)
                .map(this::link)
                .toList();
    }

    private Finding link(List<Integer> rows) {
        List<Group> shown = rows.stream().map(run.groups()::get).toList();
        Group first = shown.getFirst();
        String text = SlowLinks.words(shown);
        return new Finding(Severity.PROBLEM, "fleet_slow_group", text, "fleet_groups")
                .on(new Rows("fleet_groups", rows), new OfRank(first.ranks().getFirst(), null));
    }

    private Finding lateStart(int row) {
        Start start = run.starts().get(row);
        boolean slowLater = slow.slow().stream().anyMatch(one -> one.rank() == start.rank());
        String later = slowLater
                ? ", before all that makes it slow"
                : keptPace(start.rank())
                        ? ", and kept pace later on"
                        : ", and took longer than its peers later on, too";
        String text = "Rank " + start.rank() + " came " + ms(start.lateNs()) + " late to its first collective"
                + (SlowRanks.canTell(steps) ? later : "") + ".";
        return new Finding(Severity.NOTICE, "fleet_late_start", text, "fleet_starts")
                .on(new Rows("fleet_starts", List.of(row)), new OfRank(start.rank(), null));
    }

    /** Whether a rank took no longer than its peers in the steps behind the first: on average, and in none of them by much. */
    private boolean keptPace(int rank) {
        int place = Arrays.binarySearch(steps.ranks(), rank);
        if (place < 0) {
            return true;
        }
        double[] own = steps.own()[place];
        double[] above = steps.aboveMedian(steps.own())[place];
        double excess = 0;
        double usual = 0;
        for (int s = 1; s < own.length; s++) {
            if (!Double.isNaN(above[s])) {
                excess += above[s];
                usual += own[s] - above[s];
            }
        }
        return excess <= SlowRanks.LEAST * usual
                && slow.incidents().stream().noneMatch(one -> one.rank() == rank && one.step() > 0);
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
                case "doubled" -> "several traces, the latest counts";
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
