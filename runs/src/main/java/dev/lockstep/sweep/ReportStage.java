// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep;

import dev.lockstep.analyze.TableNames;
import dev.lockstep.compare.sheets.SummarySheets;
import dev.lockstep.model.Rank;
import dev.lockstep.ranks.KeptRank;
import dev.lockstep.ranks.MatchedRanks;
import dev.lockstep.report.Report;
import dev.lockstep.runs.Configuration;
import dev.lockstep.session.RankSet;
import dev.lockstep.session.RankSet.Member;
import dev.lockstep.session.Session;
import dev.lockstep.table.Table;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The reports of configurations: one for each rank, one across ranks. Ask its {@link #extracts} of the traces, hand the
 * configurations that {@link RunPass} gives to {@link #finish}.
 */
public final class ReportStage {
    /** The sheets of ranks' reports that later steps need. */
    public static final Set<String> KEPT = Set.of(
            TableNames.GPU_TIMELINE,
            TableNames.GPU_TIMELINE_BY_STEP,
            TableNames.OPS_SUMMARY,
            TableNames.KERNEL_SUMMARY);

    private final Session session;
    private final ReportStyle style;
    private final PerformanceFile performance;
    private final Extract<KeptRank> across;

    public ReportStage(Session session, ReportStyle style) {
        this(session, style, null);
    }

    /**
     * Reports, and a page of each rank beside its workbook.
     *
     * @param sweep the page of the sweep, that those of the ranks lead to; null for no pages
     */
    public ReportStage(Session session, ReportStyle style, @Nullable Path sweep) {
        this.session = session;
        this.style = style;
        this.performance = new PerformanceFile(session, style, sweep);
        this.across = trace -> style.keep(trace.derived());
    }

    /** What is taken from every trace. */
    public List<Extract<?>> extracts() {
        return List.of(performance, across);
    }

    /** Writes the reports of a configuration; all of them appear together. */
    public ReportedConfiguration finish(ConfigurationRun run) throws IOException {
        List<Path> written = new ArrayList<>();
        List<String> remarks = new ArrayList<>();
        SortedMap<Integer, List<Table>> sheets = new TreeMap<>();
        List<Table> tables = null;
        try (Output output = new Output(run.configuration().reports().analysis())) {
            RankSet<RankExtracts> ranks = run.ranks();
            if (ranks != null && !ranks.present().isEmpty()) {
                if (isNumberedByOrder(ranks)) {
                    remarks.add(run.configuration().label()
                            + ": neither traces nor paths say which rank is which; they are numbered in order"
                            + " of their names");
                }
                tables = collectives(run.configuration(), ranks, output, written, remarks);
                for (PerformanceFile.Staged staged : run.all(performance).values()) {
                    staged.output().commit();
                    written.addAll(staged.targets());
                }
            }
            run.all(performance).forEach((rank, staged) -> sheets.put(rank, staged.kept()));
            output.commit();
        }
        return new ReportedConfiguration(
                run.configuration(),
                run.coverage(),
                run.sizeStated(),
                sheets,
                run.whole(performance).keySet(),
                tables,
                written,
                remarks);
    }

    private static boolean isNumberedByOrder(RankSet<RankExtracts> ranks) {
        return ranks.present().size() > 1
                && ranks.present().stream().anyMatch(member -> member.origin() == Rank.Origin.ORDER);
    }

    private @Nullable List<Table> collectives(
            Configuration configuration,
            RankSet<RankExtracts> ranks,
            Output output,
            List<Path> written,
            List<String> remarks)
            throws IOException {
        MatchedRanks matched =
                new MatchedRanks(ranks.withKept(this::kept), configuration.label(), style.options(), session);
        if (!style.hasCollectives(matched)) {
            remarks.add(configuration.label() + ": there is nothing to report on collectives");
            return null;
        }
        Report report = style.collectives(matched);
        Path target = configuration.reports().collectiveReport();
        session.registry().writer("xlsx").write(report, output.file(target), style.cells());
        written.add(target);
        return kept(report, name -> name.contains("summary") || SummarySheets.isOfCollectives(name), style);
    }

    private KeptRank kept(Member<RankExtracts> member) {
        return Objects.requireNonNull(member.kept()).of(across);
    }

    /** Tables of a report that later steps need. */
    static List<Table> kept(Report report, Predicate<String> wanted, ReportStyle style) {
        return report.tables().stream()
                .filter(table -> wanted.test(table.name()))
                .map(style::kept)
                .toList();
    }
}
