// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.ranks.KeptRank;
import dev.lockstep.ranks.MatchedRanks;
import dev.lockstep.report.Report;
import dev.lockstep.reporting.CollectiveReport;
import dev.lockstep.reporting.RankFigures;
import dev.lockstep.reporting.RunOverview;
import dev.lockstep.session.RankSelection;
import dev.lockstep.session.RankSet;
import dev.lockstep.session.Session;
import dev.lockstep.synth.Parallelism;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Table;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code docs/reference/collective-tables.md} is what the columns say about themselves. After a change of a column, rewrite
 * it with {@code ./mvnw verify -Dgolden.update=true} and look at the difference.
 */
class CollectiveTablesReferenceTest {
    private static final String REFERENCE = "docs/reference/collective-tables.md";

    private static final String HEAD = """
        # The sheets of `lockstep collectives`, and of `lockstep report` on a run

        Generated from the columns themselves; do not edit. Each sheet is a CSV file, a sheet of the workbook and a table of
        the page. A missing value is an empty cell. How to read the sheets: [Read collectives](../how-to/read-collectives.md).
        How they differ from those of TraceLens: [Differences](differences.md). Columns that end in a statistic are there
        for each that `--agg-metrics` names. Sheets `ranks` and `rank_steps` are those of a run alone.
        """;

    private static final int LATE_UNTIL = 300;

    @TempDir
    private Path folder;

    @Test
    void referenceIsWhatTheColumnsSay() throws IOException {
        String reference = render();
        if (Boolean.getBoolean("golden.update")) {
            assertThat(System.getenv("CI"))
                    .as("golden files are not rewritten where CI is set")
                    .isNull();
            Files.writeString(Documents.ROOT.resolve(REFERENCE), reference);
        }
        assertThat(Documents.read(REFERENCE)).isEqualTo(reference);
    }

    private String render() throws IOException {
        List<Path> files = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            EventText events = new EventText();
            kernel(events, rank, 1, "allreduce", "[]");
            kernel(events, rank, 2, "broadcast", "[]");
            kernel(events, rank, 3, "all_to_allv", "[1, 7]");
            for (int number = 4; number < LATE_UNTIL; number++) { // rank 1 computes longer throughout
                events.kernel("gemm", number * 100_000L - 45_000L, 45_000L + rank * 20_000L, -1, 7);
                kernel(events, 20 * rank, number, "allreduce", "[]");
            }
            files.add(
                    Files.writeString(folder.resolve("rank" + rank + ".json"), TestTraces.document(events.toString())));
        }
        TraceRecipe pipeline = SyntheticTraces.smallRecipe(2)
                .withSteps(1)
                .withParallelism(new Parallelism(2, 1, 2, 1, Parallelism.Schedule.ONE_F_ONE_B, List.of()));
        List<Path> stages = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            stages.add(Files.write(
                    folder.resolve("stage" + rank + ".rank" + rank + ".json"), SyntheticRun.bytes(pipeline, rank)));
        }
        Map<String, Table> tables = new LinkedHashMap<>();
        report(files).tables().forEach(table -> tables.put(table.name(), table));
        report(stages).tables().forEach(table -> tables.putIfAbsent(table.name(), table));
        List<Path> run = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            run.add(Files.write(
                    folder.resolve("run.rank" + rank + ".json"),
                    SyntheticRun.bytes(SyntheticTraces.smallRecipe(2), rank)));
        }
        overview(run).tables().forEach(table -> tables.putIfAbsent(table.name(), table));
        StringBuilder out = new StringBuilder(HEAD);
        for (Table table : tables.values()) {
            out.append("\n## `").append(table.name()).append("`\n\n");
            out.append(table.title()).append(".\n\n");
            out.append("| Column | Unit | Meaning |\n|---|---|---|\n");
            for (ColumnSpec spec : table.schema().columns()) {
                out.append("| `" + spec.header() + "` | " + spec.shown().symbol() + " | "
                        + spec.doc().replace("|", "\\|") + " |\n");
            }
        }
        return out.toString();
    }

    private static Report report(List<Path> files) throws IOException {
        try (Session session = new Session(1)) {
            RankSet<KeptRank> ranks = RankSet.read(
                    session, files, RankSelection.any(), trace -> KeptRank.of(new DerivedCache(trace)), bytes -> {});
            return CollectiveReport.of(new MatchedRanks(ranks, "", CollectiveOptions.standard(), null));
        }
    }

    /** What the report of a run has beyond its collectives. */
    private static Report overview(List<Path> files) throws IOException {
        try (Session session = new Session(1)) {
            RankSet<RankFigures> ranks = RankSet.read(
                    session,
                    files,
                    RankSelection.any(),
                    trace -> {
                        DerivedCache cache = new DerivedCache(trace);
                        ReportOptions options = ReportOptions.standard();
                        return RankFigures.of(cache, options);
                    },
                    bytes -> {});
            SortedMap<Integer, RankFigures> figures = new TreeMap<>();
            ranks.present().forEach(member -> figures.put(member.rank(), member.kept()));
            return RunOverview.of(
                    new MatchedRanks(
                            ranks.withKept(member -> new KeptRank(
                                    member.kept().collectives(), member.kept().ofRun(), null)),
                            "",
                            CollectiveOptions.standard(),
                            null),
                    figures,
                    new TreeMap<>());
        }
    }

    private static void kernel(EventText into, int rank, int number, String name, String split) {
        into.device(
                "kernel",
                "ncclDevKernel",
                number * 100_000L + rank * 1_000L,
                50_000 - rank * 1_000L,
                number,
                20,
                "\"Process Group Name\": \"0\", \"Process Group Ranks\": \"[0, 1]\", \"Group size\": 2, \"dtype\":"
                        + " \"Half\", \"Collective name\": \"" + name
                        + "\", \"In msg nelems\": 8, \"Out msg nelems\": 8,"
                        + " \"In split size\": \"" + split + "\", \"Out split size\": \"" + split + "\", \"Seq\": "
                        + number);
    }
}
