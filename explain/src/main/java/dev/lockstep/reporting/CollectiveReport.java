// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.TableNames;
import dev.lockstep.analyze.comm.CallSummary;
import dev.lockstep.analyze.comm.ClockSheet;
import dev.lockstep.analyze.comm.CollectiveSheets;
import dev.lockstep.analyze.comm.CollectiveSummaries;
import dev.lockstep.analyze.comm.Collectives;
import dev.lockstep.analyze.comm.LateKernels;
import dev.lockstep.analyze.comm.ParallelRoles;
import dev.lockstep.analyze.comm.Pipelines;
import dev.lockstep.analyze.comm.Stragglers;
import dev.lockstep.analyze.comm.VariableAllToAll;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.path.PipelineSheets;
import dev.lockstep.ranks.ClockWords;
import dev.lockstep.ranks.KeptRank;
import dev.lockstep.ranks.MatchedRanks;
import dev.lockstep.ranks.RankCount;
import dev.lockstep.ranks.RunAnswer;
import dev.lockstep.ranks.trust.RunTrust;
import dev.lockstep.report.Chart;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.AnswerSection;
import dev.lockstep.report.Section.ChartSection;
import dev.lockstep.report.Section.Fact;
import dev.lockstep.report.Section.FactsSection;
import dev.lockstep.report.Section.FindingsSection;
import dev.lockstep.report.Section.NotApplicable;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.session.RankSet;
import dev.lockstep.session.RankSet.Member;
import dev.lockstep.session.RankSet.Status;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import dev.lockstep.words.ShownNames;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The report across ranks: who waits for whom, at what bandwidth ranks talk, and what it is known from. */
public final class CollectiveReport {
    private CollectiveReport() {}

    /** The report of a run. */
    public static Report of(MatchedRanks run) {
        return report(run, RunAnswer.of(run, new TreeMap<>()));
    }

    /** The same without what it says first, for reports that know more of the ranks. */
    static Report unanswered(MatchedRanks run) {
        return report(run, null);
    }

    private static Report report(MatchedRanks run, @Nullable AnswerSection answer) {
        RankSet<KeptRank> ranks = run.ranks();
        List<RankCollectives> present = run.present();
        Collectives collectives = run.collectives();
        List<Stragglers.Row> stragglers = run.stragglers();
        List<LateKernels> kernels = LateKernels.of(present, run.slow().slow());
        VariableAllToAll variable = new VariableAllToAll(collectives);
        CollectiveSummaries summaries =
                new CollectiveSummaries(collectives, run.options().statistics());
        List<Section> sections = new ArrayList<>();
        sections.add(facts(ranks, collectives));
        List<Finding> findings = CollectiveFindings.of(run, kernels);
        Pipelines pipelines = Pipelines.of(collectives);
        if (pipelines.absence().isEmpty()) {
            findings.add(new Finding(
                    Severity.NOTICE,
                    "pipeline_bubbles",
                    new PipelineSheets(pipelines).summary(),
                    "pp_stages, pp_bubbles"));
        }
        sections.add(new FindingsSection("Findings", findings));
        CollectiveCharts.of(collectives, stragglers, variable).forEach(chart -> sections.add(new ChartSection(chart)));
        add(sections, Stragglers.table(stragglers));
        if (run.slow().slow().isEmpty()) {
            sections.add(new NotApplicable(TableNames.STRAGGLER_KERNELS, "no rank is slow"));
        } else {
            add(sections, LateKernels.table(kernels));
        }
        add(sections, summaries.waiting());
        add(sections, summaries.oneWay());
        add(sections, summaries.groups());
        add(sections, summaries.spans());
        add(sections, summaries.sizes());
        add(sections, summaries.latencies());
        List<Table> uneven = variable.tables();
        uneven.forEach(table -> add(sections, table));
        if (uneven.isEmpty()) {
            sections.add(new NotApplicable(TableNames.NCCL_ALL2ALLV, "no variable all-to-all was recorded"));
        }
        addPipelines(sections, collectives, pipelines);
        add(sections, CallSummary.of(present));
        add(sections, CollectiveSheets.waiting(collectives));
        add(sections, CollectiveSheets.oneWay(collectives));
        add(sections, CollectiveSheets.kernels(collectives));
        add(sections, ClockSheet.of(collectives.clocks(), collectives.clock()));
        add(sections, coverage(ranks));
        String title = "Collectives of " + Words.count(present.size(), "rank", "ranks");
        return ShownNames.of(new Report(title, run.source(), sections).beginning(answer))
                .believing(RunTrust.of(run));
    }

    /** What part each rank has, and where pipelines stand still. */
    private static void addPipelines(List<Section> sections, Collectives collectives, Pipelines pipelines) {
        ParallelRoles roles = ParallelRoles.of(collectives, pipelines);
        if (roles.isEmpty()) {
            sections.add(new NotApplicable("parallel_roles", "no process group says or shows what it is for"));
        } else {
            sections.add(new TableSection(roles.table()));
        }
        if (!pipelines.absence().isEmpty()) {
            sections.add(new NotApplicable("pp_stages", "no pipeline: " + pipelines.absence()));
            return;
        }
        PipelineSheets sheets = new PipelineSheets(pipelines);
        Chart chart = sheets.chart();
        if (chart != null) {
            sections.add(new ChartSection(chart));
        }
        add(sections, sheets.stages());
        Table bubbles = sheets.bubbles();
        if (bubbles.rows() == 0) {
            sections.add(new NotApplicable(
                    "pp_bubbles",
                    "the passes of some stages cannot be separated, or messages do not allow their order"));
        } else {
            sections.add(new TableSection(bubbles));
        }
        add(sections, sheets.microBatches());
    }

    private static FactsSection facts(RankSet<KeptRank> ranks, Collectives collectives) {
        long kernels = collectives.match().ranks().stream()
                .mapToLong(RankCollectives::size)
                .sum();
        return new FactsSection(
                "Run",
                List.of(
                        ranks(ranks),
                        ReportFacts.counted("Kernels", kernels, "Communication kernels of all ranks."),
                        ReportFacts.counted(
                                "Collectives",
                                collectives.all().size(),
                                "Instances: the same collective on several ranks counts once."),
                        new Fact("Nodes", collectives.nodes().basis(), "How it is known which ranks share a node."),
                        new Fact(
                                "Clocks",
                                clocks(collectives),
                                "Skews across ranks mean something on one clock only.")));
    }

    static Fact ranks(RankSet<?> ranks) {
        return new Fact(
                "Ranks",
                RankCount.of(ranks),
                "Ranks that were read, of those that the run has as far as known. Files that are no traces of them follow.",
                ranks.present().size(),
                Unit.COUNT);
    }

    private static String clocks(Collectives collectives) {
        return ClockWords.of(collectives.clocks(), collectives.clock());
    }

    static Table coverage(RankSet<KeptRank> ranks) {
        return new Fields<Member<KeptRank>>()
                .add(
                        ColumnSpec.id(
                                "rank",
                                "Rank of the process; missing for files that belong to none, and where it is not"
                                        + " known."),
                        m -> m.rank() < 0 ? null : m.rank())
                .add(
                        ColumnSpec.text(
                                "status",
                                "read, partial (a part of the file is missing), unreadable, missing (no file), or"
                                        + " set_aside (no trace)."),
                        m -> m.status().name().toLowerCase(Locale.ROOT))
                .add(
                        ColumnSpec.text(
                                "rank known from", "trace, path or order; missing when no file was read for it."),
                        m -> m.origin() == null ? null : m.origin().name().toLowerCase(Locale.ROOT))
                .add(
                        ColumnSpec.count("kernels", "Communication kernels; missing when nothing was read."),
                        m -> m.kept() == null ? null : m.kept().collectives().size())
                .add(
                        ColumnSpec.text("file", "The trace; missing for none."),
                        m -> m.source().isEmpty() ? null : m.source())
                .add(
                        ColumnSpec.text("note", "What is wrong; missing for nothing."),
                        m -> m.note().isEmpty() ? null : m.note())
                .table("coverage", "Coverage", ranks.members());
    }

    /** Whether a status means that something is missing. */
    static boolean isGap(Status status) {
        return status == Status.MISSING || status == Status.UNREADABLE || status == Status.PARTIAL;
    }

    private static void add(List<Section> sections, Table table) {
        if (table.rows() == 0) {
            sections.add(new NotApplicable(table.name(), "there are none"));
        } else {
            sections.add(new TableSection(table));
        }
    }
}
