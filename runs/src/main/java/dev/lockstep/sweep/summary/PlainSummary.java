// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep.summary;

import dev.lockstep.compare.Averaging;
import dev.lockstep.compare.RunSummary;
import dev.lockstep.compare.sweep.Ranking;
import dev.lockstep.compare.sweep.SweepCharts;
import dev.lockstep.compare.sweep.SweepCollectives;
import dev.lockstep.compare.sweep.SweepFindings;
import dev.lockstep.compare.sweep.SweepRanks;
import dev.lockstep.compare.sweep.SweepTimelines;
import dev.lockstep.report.Chart;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.ChartSection;
import dev.lockstep.report.Section.Fact;
import dev.lockstep.report.Section.FactsSection;
import dev.lockstep.report.Section.FindingsSection;
import dev.lockstep.report.Section.Link;
import dev.lockstep.report.Section.LinksSection;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.runs.Configuration;
import dev.lockstep.runs.Coverage;
import dev.lockstep.runs.SweepReports;
import dev.lockstep.session.Session;
import dev.lockstep.sweep.ReportedConfiguration;
import dev.lockstep.table.Table;
import dev.lockstep.words.Words;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.Output;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The sweep as a whole, as the program itself sees it: right averages with how sure they are, a ranking with its reasons,
 * collectives told apart by what they are.
 */
public final class PlainSummary implements SweepSummary {
    private final SweepTimelines timelines;
    private final SweepCollectives collectives;
    private final Ranking ranking;
    private final List<RunSummary> points;
    private final List<Configuration> configurations;
    private final Coverage coverage;
    private final boolean geometric;

    /**
     * Sums up.
     *
     * @param configurations the reports
     * @param coverage what was expected and what is there
     * @param geometric whether ranks are averaged geometrically
     */
    public PlainSummary(List<ReportedConfiguration> configurations, Coverage coverage, boolean geometric) {
        Map<String, Integer> expected = coverage.expected();
        this.points = configurations.stream()
                .map(one -> one.summary()
                        .only(one.whole())
                        .expecting(expected.getOrDefault(one.configuration().label(), 0)))
                .toList();
        this.configurations = configurations.stream()
                .map(ReportedConfiguration::configuration)
                .toList();
        this.timelines = SweepTimelines.of(points, Averaging.of(geometric));
        this.collectives = SweepCollectives.of(points);
        this.ranking = timelines.ranking();
        this.coverage = coverage;
        this.geometric = geometric;
    }

    /** What it says, in words. */
    public List<Finding> findings() {
        return SweepFindings.of(ranking, collectives, timelines.points());
    }

    /** Pictures. */
    private List<Chart> charts(SweepRanks ranks) {
        return SweepCharts.of(timelines, collectives, ranks);
    }

    /** The ranks, with the pages that are there. */
    private SweepRanks ranks(@Nullable Path page) {
        Path home = page == null ? null : page.toAbsolutePath().normalize().getParent();
        Map<String, SortedMap<Integer, String>> pages = new HashMap<>();
        for (int i = 0; home != null && i < points.size(); i++) {
            SortedMap<Integer, String> own = new TreeMap<>();
            for (int rank : points.get(i).times().ranks()) {
                Path of = configurations.get(i).reports().performancePage(rank);
                if (Files.isRegularFile(of)) {
                    String target =
                            home.relativize(of.toAbsolutePath().normalize()).toString();
                    own.put(rank, target.replace(File.separatorChar, '/'));
                }
            }
            pages.put(points.get(i).label(), own);
        }
        return new SweepRanks(points, pages);
    }

    /** How large the sweep is. */
    public List<Fact> facts() {
        long read = points.stream().filter(p -> !p.times().isEmpty()).count();
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact(
                "Configurations",
                read + " of " + points.size(),
                "Configurations with reports, of those in the grid of threads and channels."));
        facts.add(new Fact(
                "Ranks",
                Words.count(points.stream()
                                .mapToLong(p -> p.times().ranks().size())
                                .sum()) + " of "
                        + Words.count(points.stream()
                                .mapToLong(RunSummary::expectedRanks)
                                .sum()),
                "Ranks with a timeline, of those that configurations have as far as known."));
        Ranking.Entry best = ranking.best();
        if (best != null) {
            boolean alone = ranking.entries().size() > 1
                    && ranking.isSure()
                    && ranking.ties().isEmpty();
            facts.add(new Fact(
                    "Best",
                    alone ? best.point().label() : "none stands out",
                    "The shortest span of device activity, mean over ranks, if that is more than chance."));
        }
        return facts;
    }

    /** What the page shows; pivots are for spreadsheets. */
    private List<Table> pageTables() {
        List<Table> tables = new ArrayList<>();
        if (!timelines.isEmpty()) {
            tables.add(timelines.summary());
            tables.add(timelines.data());
        }
        if (!collectives.isEmpty()) {
            tables.add(collectives.best());
            tables.add(collectives.byConfiguration());
            tables.add(collectives.data());
        }
        return tables;
    }

    @Override
    public List<Path> write(Session session, SweepReports places, Output output) throws IOException {
        List<Path> written = new ArrayList<>();
        if (!timelines.isEmpty()) {
            written.add(SweepFiles.workbook(
                    session, timelineReport(), places.timelines(geometric), CellStyle.PLAIN, output));
        }
        if (!collectives.isEmpty()) {
            Report report = collectiveReport();
            written.add(SweepFiles.workbook(session, report, places.collectives(".xlsx"), CellStyle.PLAIN, output));
            Report rows = new Report(report.title(), report.subtitle(), sections(Stream.of(collectives.data())));
            written.add(SweepFiles.csv(session, rows, places.collectives(".csv"), CellStyle.PLAIN, output));
        }
        return written;
    }

    private Report timelineReport() {
        List<Section> sections = head();
        sections.addAll(sections(timelines.tables().stream()));
        sections.addAll(sections(Stream.of(ranking.table(), coverage.table())));
        return new Report(
                "Timelines of all configurations",
                geometric ? "geometric means over ranks" : "means over ranks",
                sections);
    }

    private Report collectiveReport() {
        List<Section> sections = head();
        sections.addAll(sections(
                Stream.of(collectives.data(), collectives.best(), collectives.byConfiguration(), coverage.table())));
        return new Report("Collectives of all configurations", "latencies without waiting", sections);
    }

    private List<Section> head() {
        List<Section> sections = new ArrayList<>();
        sections.add(new FactsSection("Sweep", facts()));
        sections.add(new FindingsSection("Findings", findings()));
        return sections;
    }

    static List<Section> sections(Stream<Table> tables) {
        return tables.map(TableSection::new).map(s -> (Section) s).toList();
    }

    /**
     * All of it as one report; the page shows it.
     *
     * @param gemms matrix multiplications, null for none
     * @param files what was written
     * @param page where the page will lie, which leads to those of the ranks that are there; null for none
     */
    public Report report(
            String title, String subtitle, @Nullable SweepGemms gemms, List<Link> files, @Nullable Path page) {
        SweepRanks ranks = ranks(page);
        List<Section> sections = new ArrayList<>();
        sections.add(new FactsSection("Sweep", facts()));
        sections.add(new FindingsSection("Best configuration", findings()));
        if (gemms != null) {
            sections.add(new FindingsSection("Compute while communication runs", gemms.findings()));
        }
        charts(ranks).forEach(chart -> sections.add(new ChartSection(chart)));
        sections.addAll(sections(Stream.of(coverage.byConfiguration())));
        if (!timelines.isEmpty()) {
            sections.add(new TableSection(
                    ranking.table(),
                    () -> ranking.entries().stream()
                            .map(entry -> ranks.orNowhere(entry.point()))
                            .toList()));
            sections.add(ranks.section());
        }
        sections.addAll(sections(pageTables().stream()));
        if (gemms != null) {
            sections.addAll(sections(gemms.tables().stream()));
        }
        if (!coverage.isComplete()) {
            sections.addAll(sections(Stream.of(coverage.table())));
        }
        sections.add(new LinksSection("Files", files));
        return new Report(title, subtitle, sections);
    }
}
