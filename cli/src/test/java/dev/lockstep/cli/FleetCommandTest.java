// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.synth.Layout;
import dev.lockstep.synth.Straggler;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FleetCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    /** A run, and its dataset, that all tests read; what is to be changed is copied. */
    @TempDir
    private static Path shared;

    private static Path traces = Path.of("");
    private static Path dataset = Path.of("");

    @TempDir
    private Path folder;

    private static TraceRecipe recipe() {
        return SyntheticTraces.smallRecipe(24)
                .withStraggler(TraceRecipe.NO_STRAGGLER, 1)
                .withGpusPerNode(4)
                .withShardRanks(4)
                .withModel(new TraceRecipe.Model(1, 1024, 1024, 2))
                .withSteps(5);
    }

    @BeforeAll
    static void make() throws IOException {
        traces = shared.resolve("traces");
        dataset = shared.resolve("data");
        TraceRecipe recipe = recipe().withStraggler(new Straggler(2, Straggler.Kind.DEVICE, 1.5))
                .withStraggler(new Straggler(7, Straggler.Kind.HOST, 4_000))
                .withStraggler(new Straggler(21, Straggler.Kind.START, 80_000));
        for (int rank = 12; rank < 16; rank++) {
            recipe = recipe.withStraggler(new Straggler(rank, Straggler.Kind.DEVICE, 1.4));
        }
        SyntheticRun.write(traces, recipe, Layout.flat());
        StringWriter said = new StringWriter();
        assertThat(TestProgram.run(new StringWriter(), said, "dataset", traces, "-o", dataset, "--level", "sketch"))
                .as("%s", said)
                .isZero();
    }

    /** The traces, to be changed. */
    private Path ownTraces() throws IOException {
        return copy(traces, folder.resolve("traces"));
    }

    private static Path copy(Path from, Path to) throws IOException {
        try (Stream<Path> walk = Files.walk(from)) {
            for (Path path : walk.sorted().toList()) {
                Files.copy(path, to.resolve(from.relativize(path).toString()));
            }
        }
        return to;
    }

    private int run(Object... arguments) {
        return TestProgram.run(out, err, arguments);
    }

    private List<String> column(Path csv, int column) throws IOException {
        return Files.readAllLines(csv).stream()
                .skip(1)
                .map(line -> line.split(",", -1)[column])
                .toList();
    }

    @Test
    void slowRanksNodesAndLateStartsAreNamedAndNoOthers() throws IOException {
        Path csv = folder.resolve("csv");
        assertThat(run("fleet", traces, "--gpus-per-node", 4, "--csv", csv, "--html", folder.resolve("page.html")))
                .as(err.toString())
                .isZero();
        assertThat(column(csv.resolve("fleet_slow_ranks.csv"), 0))
                .containsExactlyInAnyOrder("2", "7", "12", "13", "14", "15");
        assertThat(column(csv.resolve("fleet_starts.csv"), 0)).containsExactly("21");
        assertThat(out.toString().replaceAll("\\s+", " "))
                .contains(
                        "6 ranks are slow: 2, 7, 12-15.",
                        "Node 3 is slow: each of its ranks, 12-15, takes 1.",
                        "Rank 21 came ")
                .contains("because its CPU is late", "in its kernels")
                .contains("Rank 2 (node 0) is slow", "Rank 7 (node 1) is slow")
                .doesNotContain("Node 0 is slow", "Node 1 is slow", "Rank 12 (node 3) is slow");
    }

    @Test
    void aSlowRankMayStartLateToo() throws IOException {
        SyntheticRun.write(
                folder.resolve("both"),
                recipe().withStraggler(new Straggler(9, Straggler.Kind.DEVICE, 1.4))
                        .withStraggler(new Straggler(9, Straggler.Kind.START, 80_000)),
                Layout.flat());
        assertThat(run("fleet", folder.resolve("both"), "--csv", folder.resolve("b")))
                .isZero();
        assertThat(out.toString().replaceAll("\\s+", " "))
                .contains("Rank 9 is slow", "Rank 9 came ", "collective, before all that makes it slow.")
                .doesNotContain("kept pace later on");
    }

    @Test
    void aDatasetGivesTheSameReport() throws IOException {
        assertThat(run("fleet", dataset, "--csv", folder.resolve("a")))
                .as(err.toString())
                .isZero();
        assertThat(run("fleet", traces, "--csv", folder.resolve("b"))).isZero();
        assertThat(TestProgram.files(folder.resolve("a"))).isEqualTo(TestProgram.files(folder.resolve("b")));
    }

    /** A dataset is a folder that anybody may have made or changed. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "ranks; 5 AS file",
                "ranks; TIME '24:00:00' AS file",
                "ranks; rank + 4294967296 AS rank",
                "ranks; 'x' || rank AS rank",
                "steps; -5 AS step_index",
                "steps; 2147483647 AS step_index",
                "steps; CAST(NULL AS BIGINT) AS step, 9000000 + step_index AS step_index",
                "steps; 'a' AS step_index",
                "steps; 9223372036854775807 AS period_ns",
                "steps; -9223372036854775808 AS own_ns",
                "kernels; 1.5 AS sum_ns",
                "collectives; [1] AS ts_ns"
            })
    void aTableThatNoDatasetHasIsRefusedByItsName(String table, String instead) throws Exception {
        Path data = copy(dataset, folder.resolve("data"));
        Path rows = data.resolve(table + "/run=traces/rank_block=00000/part-0.parquet");
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE changed AS SELECT * REPLACE (" + instead + ") FROM '" + rows + "'");
            statement.execute("COPY changed TO '" + rows + "' (FORMAT parquet)");
        }

        assertThat(run("fleet", data, "--csv", folder.resolve("a")))
                .as("%s", err)
                .isEqualTo(ExitStatus.UNREADABLE);

        assertThat(err.toString()).contains(rows.toString(), "table " + table);
        assertThat(folder.resolve("a")).doesNotExist();
    }

    @Test
    void stepsOfOneNumberAreComparedHoweverLargeItIs() throws IOException {
        Path traces = ownTraces();
        for (int rank = 0; rank < 24; rank++) {
            Path trace = traces.resolve("rank" + rank + "_trace.json");
            String text = Files.readString(trace);
            for (int step = 9; step >= 0; step--) {
                text = text.replace(
                        "ProfilerStep#" + step + "\"", "ProfilerStep#" + (5_000_000_000L + step + rank / 23) + "\"");
            }
            Files.writeString(trace, text);
        }
        Path csv = folder.resolve("csv");
        assertThat(run("fleet", traces, "--csv", csv)).as(err.toString()).isZero();
        List<String> steps = column(csv.resolve("fleet_steps.csv"), 0);
        assertThat(steps).hasSize(6).allMatch(step -> step.startsWith("500000000"));
        assertThat(column(csv.resolve("fleet_steps.csv"), 1)).containsExactly("23", "23", "24", "24", "24", "1");
        assertThat(out.toString().replaceAll("\\s+", " "))
                .contains("1 of 24 ranks has other steps than most: 23.", "6 ranks are slow: 2, 7, 12-15.");
        Path data = folder.resolve("data");
        assertThat(run("dataset", traces, "-o", data, "--level", "sketch")).isZero();
        assertThat(run("sql", data, "SELECT rank FROM first_divergence WHERE rank = 23", "--csv"))
                .isZero();
        assertThat(out).hasToString("rank\n");
        assertThat(run("sql", data, "SELECT count(*) AS n FROM own_time WHERE steps = 4 AND rank = 23", "--csv"))
                .isZero();
        assertThat(out).hasToString("n\n1\n");
    }

    @Test
    void aDatasetThatIsNotThereAsAWholeIsRefused() throws IOException {
        Path data = folder.resolve("data");
        Path traces = folder.resolve("traces");
        SyntheticRun.write(
                traces, SyntheticTraces.smallRecipe(66).withStraggler(TraceRecipe.NO_STRAGGLER, 1), Layout.flat());
        assertThat(run("dataset", traces, "-o", data, "--level", "sketch")).isZero();
        Path block = data.resolve("steps/run=traces/rank_block=00001");
        Files.delete(block.resolve("part-0.parquet"));
        for (Object[] command : new Object[][] {{"fleet", data}, {"sql", data, "SELECT 1"}}) {
            assertThat(run(command)).isEqualTo(ExitStatus.UNREADABLE);
            assertThat(err.toString()).contains("steps/run=traces: the table steps has 1 of its 2 files", "copied");
        }
        Files.delete(data.resolve("steps/run=traces/rank_block=00000/part-0.parquet"));
        assertThat(run("fleet", data)).isEqualTo(ExitStatus.UNREADABLE);
        assertThat(err.toString()).contains("steps/run=traces: the table steps has 0 of its 2 files");
        assertThat(run("sql", data, "SELECT count(*) AS n FROM ranks", "--csv")).isZero();
        assertThat(out).hasToString("n\n66\n");
        Path described = data.resolve("_runs/traces.json");
        Files.writeString(described, Files.readString(described).replace("files", "others"));
        assertThat(run("fleet", data)).isEqualTo(ExitStatus.UNREADABLE);
        assertThat(err.toString()).contains("the table steps has 0 of its 1 file");
    }

    @Test
    void missingBrokenAndDoubledRanksAreNamedAndTheRestIsRight() throws IOException {
        Path traces = ownTraces();
        Files.delete(traces.resolve("rank5_trace.json"));
        Path broken = traces.resolve("rank9_trace.json");
        Files.write(broken, Arrays.copyOf(Files.readAllBytes(broken), 200));
        Path again = Files.createDirectory(traces.resolve("again"));
        Files.copy(traces.resolve("rank0_trace.json"), again.resolve("rank0_trace.json"));
        Path csv = folder.resolve("csv");
        assertThat(run("fleet", traces, "-v", "--csv", csv)).as(err.toString()).isEqualTo(4);
        assertThat(out.toString().replaceAll("\\s+", " "))
                .contains("Rank 5: no file.", "Rank 0: several traces, the latest counts.", "Rank 9: ");
        assertThat(column(csv.resolve("fleet_slow_ranks.csv"), 0))
                .containsExactlyInAnyOrder("2", "7", "12", "13", "14", "15");
    }

    @Test
    void whatWasLeftOutOfATraceIsSaid() throws IOException {
        Path traces = ownTraces();
        Path trace = traces.resolve("rank3_trace.json");
        String events = "\"traceEvents\": [";
        String text = Files.readString(trace);
        assertThat(text).contains(events);
        String before = "{\"ph\":\"X\",\"name\":\"x\",\"ts\":1,\"dur\":-5,\"pid\":1,\"tid\":1},";
        Files.writeString(trace, text.replace(events, events + before));

        assertThat(run("fleet", traces, "--csv", folder.resolve("csv"))).isZero();
        assertThat(err.toString()).contains("rank 3: ", "rank3_trace.json: 1 x negative_duration: ");
    }

    @Test
    void enginesAreNamedAndSparkReadsTraces() throws IOException {
        assertThat(run("fleet", traces, "--engine", "local", "-o", folder.resolve("local")))
                .isZero();
        assertThat(run("fleet", traces, "--engine", "flink")).isEqualTo(2);
        assertThat(err.toString()).contains("--engine is one of duckdb, spark: flink");
        assertThat(run("fleet", dataset, "--engine", "spark")).isEqualTo(2);
        assertThat(err.toString()).contains("Spark reads traces, and this is a dataset");
    }

    @Test
    void aRunWithoutTroubleHasNoSlowRank() throws IOException {
        Path even = folder.resolve("even");
        for (int seed = 1; seed <= 3; seed++) {
            SyntheticRun.write(even, recipe().withSeed(seed), Layout.flat());
            assertThat(run("fleet", even, "--csv", folder.resolve("csv" + seed)))
                    .isZero();
            assertThat(out.toString()).contains("No rank is slow");
        }
    }

    @Test
    void stagesOfAPipelineAreComparedWithThemselves() throws IOException {
        run(
                "synth",
                "-o",
                folder.resolve("pipeline"),
                "--ranks",
                "16",
                "--tensor",
                "2",
                "--pipeline",
                "4",
                "--layers",
                "4",
                "--hidden",
                "1024",
                "--sequence",
                "512",
                "--quiet",
                "--straggler",
                "5:device:1.4");
        assertThat(run("fleet", folder.resolve("pipeline"), "-o", folder.resolve("stages")))
                .isZero();
        assertThat(out.toString()).contains("Rank 5 is slow").doesNotContain("CPU is late", "link");
    }

    /** What is said where so many ranks share a node; ranks 12 to 15 stand in a rack of their own. */
    private String fleetOn(Path hosts, int ranksPerNode) throws IOException {
        StringBuilder map = new StringBuilder("rank,node,rack\n");
        for (int rank = 0; rank < 24; rank++) {
            map.append(rank).append(",gpu").append(rank / ranksPerNode).append(rank / 4 == 3 ? ",b\n" : ",a\n");
        }
        Files.writeString(hosts, map);
        out.getBuffer().setLength(0);
        assertThat(run("fleet", traces, "--hosts", hosts, "--csv", folder.resolve("csv" + ranksPerNode)))
                .as(err.toString())
                .isZero();
        return out.toString().replaceAll("\\s+", " ");
    }

    @Test
    void theMapOfHostsNamesNodesAndRacks() throws IOException {
        Path hosts = folder.resolve("hosts.csv");
        assertThat(fleetOn(hosts, 4)).contains("Node gpu3 is slow").doesNotContain("Rack b is slow");
        assertThat(fleetOn(hosts, 2))
                .contains("Rack b is slow: each of its ranks, 12-15,")
                .doesNotContain("Node gpu6 is slow");
        Files.writeString(hosts, "\ufeffrank,node\n0,a\n1,a\n100,a\n101,b\n");
        Path csv = folder.resolve("few");
        assertThat(run("fleet", traces, "--hosts", hosts, "--gpus-per-node", 8, "--csv", csv))
                .isZero();
        assertThat(column(csv.resolve("fleet_places.csv"), 1)).containsExactly("0", "1", "2", "a");
        assertThat(column(csv.resolve("fleet_places.csv"), 2)).containsExactly("6", "8", "8", "2");
        Files.writeString(hosts, "rank,node,rack\n1,a,b\n2,,\n");
        assertThat(run("fleet", traces, "--hosts", hosts)).isEqualTo(2);
        assertThat(err.toString()).contains("hosts.csv: line 3: rank 2 has no node");
        Files.writeString(hosts, "rank,node\n1;a\n");
        assertThat(run("fleet", traces, "--hosts", hosts)).isEqualTo(2);
        assertThat(err.toString()).contains("hosts.csv: line 2: expected rank,node");
        Files.writeString(hosts, "rank,node\n1,a\n1,b\n");
        assertThat(run("fleet", traces, "--hosts", hosts)).isEqualTo(2);
        assertThat(err.toString()).contains("hosts.csv: line 3: rank 1 has a node already");
        Files.writeString(hosts, "rank,node\n1,\"a\n");
        assertThat(run("fleet", traces, "--hosts", hosts)).isEqualTo(2);
        assertThat(err.toString()).contains("hosts.csv: line 2: expected rank,node without quotes");
        Files.writeString(hosts, "rank,node\n" + "\n".repeat(1 << 20));
        assertThat(run("fleet", traces, "--hosts", hosts)).isEqualTo(3);
        assertThat(err.toString()).contains("hosts.csv", "longer than 1 MiB");
    }
}
