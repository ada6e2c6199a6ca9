// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep;

import dev.lockstep.read.RankNames;
import dev.lockstep.report.Report;
import dev.lockstep.report.RunPages;
import dev.lockstep.report.RunPages.RankPage;
import dev.lockstep.runs.Configuration;
import dev.lockstep.runs.ConfigurationReports;
import dev.lockstep.session.Session;
import dev.lockstep.table.Table;
import dev.lockstep.write.Output;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Writes the report of a rank while its trace is in memory, and keeps the sheets that later steps need. */
final class PerformanceFile implements Extract<PerformanceFile.Staged> {
    /**
     * A report that nobody sees yet.
     *
     * @param output shows it
     * @param targets where
     * @param kept the sheets that later steps need
     */
    record Staged(Output output, List<Path> targets, List<Table> kept) {}

    private final Session session;
    private final ReportStyle style;
    private final @Nullable Path sweep;

    /** @param sweep the page of the sweep, if ranks have pages that lead to it */
    PerformanceFile(Session session, ReportStyle style, @Nullable Path sweep) {
        this.session = session;
        this.style = style;
        this.sweep = sweep;
    }

    @Override
    public Staged take(RankTrace trace) throws IOException {
        Report report = style.performance(trace.derived());
        ConfigurationReports places = trace.configuration().reports();
        List<Path> targets = new ArrayList<>(List.of(places.performanceReport(trace.rank())));
        Output output = new Output(places.analysis());
        try {
            session.registry().writer("xlsx").write(report, output.file(targets.getFirst()), style.cells());
            if (sweep != null) {
                Path page = places.performancePage(trace.rank());
                session.registry()
                        .writer("html")
                        .write(report.among(around(trace, page, sweep)), output.file(page), style.cells());
                targets.add(page);
            }
        } catch (IOException | RuntimeException e) {
            output.close();
            throw e;
        }
        return new Staged(output, targets, ReportStage.kept(report, ReportStage.KEPT::contains, style));
    }

    /** The page of the sweep, and those of the configuration's other ranks as far as paths tell which these are. */
    private static RunPages around(RankTrace trace, Path page, Path sweep) {
        Configuration configuration = trace.configuration();
        TreeMap<Integer, RankPage> ranks = new TreeMap<>();
        for (Path file : configuration.traces().files()) {
            RankNames.rankOf(file)
                    .ifPresent(rank -> ranks.put(
                            rank,
                            new RankPage(
                                    rank,
                                    String.valueOf(configuration
                                            .reports()
                                            .performancePage(rank)
                                            .getFileName()))));
        }
        Path home = Objects.requireNonNull(page.toAbsolutePath().normalize().getParent());
        String up = home.relativize(sweep.toAbsolutePath().normalize()).toString();
        return new RunPages(
                up.replace(File.separatorChar, '/'),
                "config/" + configuration.label(),
                trace.rank(),
                List.copyOf(ranks.values()));
    }

    @Override
    public void discard(Staged staged) {
        staged.output.close();
    }
}
