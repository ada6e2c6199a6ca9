// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.lockstep.sql.QueryView;
import dev.lockstep.synth.Layout;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticTraces;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqlCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private Path report;

    @BeforeEach
    void write() throws IOException {
        report = Files.createDirectory(folder.resolve("report"));
        Files.writeString(report.resolve("kernels.csv"), "name,count,time us\ngemm,9007199254740993,1.5\n\"a,b\",2,\n");
    }

    private int run(Object... arguments) {
        return TestProgram.run(out, err, arguments);
    }

    @ParameterizedTest
    @ValueSource(strings = {"csv", "parquet"})
    void sheetsWhoseNamesDifferInCapitalsAloneAreOneTable(String kind) throws IOException {
        Path both = Files.createDirectory(folder.resolve("both"));
        Files.writeString(both.resolve("T.csv"), "a,b\n1,2\n");
        if (kind.equals("parquet")) {
            assertThat(run("sql", both, "FROM T", "--parquet", folder.resolve("t.parquet")))
                    .isZero();
            Files.delete(both.resolve("T.csv"));
            Files.copy(folder.resolve("t.parquet"), both.resolve("T.parquet"));
        }
        Files.copy(both.resolve("T." + kind), both.resolve("t." + kind));
        assumeThat(both.toFile().list()).hasSize(2);

        assertThat(run("sql", both, "FROM T")).isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString()).contains(both + ": ", "are one table in SQL", "Hint: ");
    }

    @Test
    void columnsThatDifferInCapitalsAloneAreNumbered() throws IOException {
        Path sheets = Files.createDirectory(folder.resolve("sheets"));
        Files.writeString(sheets.resolve("s.csv"), "a,A,A_2\n1,2,3\n");
        assertThat(run("sql", sheets, "SELECT * FROM s", "--csv")).as("%s", err).isZero();
        assertThat(out.toString()).isEqualTo("a,A_2,A_2_2\n1,2,3\n");
    }

    @Test
    void aLineEndInAHeadEndsNoLineOfTheList() throws IOException {
        Files.writeString(report.resolve("lines.csv"), "a,\"b\nfeigned  BIGINT\"\n1,2\n");

        assertThat(run("sql", report, "--list")).isZero();
        assertThat(out.toString()).contains("    b·feigned  BIGINT  BIGINT\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--csv", "--json"})
    void aFileBehindABlankIsSaidToBeNone(String option) throws IOException {
        Path file = folder.resolve("rows");
        for (int i = 0; i < 2; i++) {
            assertThat(run("sql", report, "SELECT 1 AS one", option, file)).isEqualTo(ExitStatus.USAGE);
            assertThat(err.toString()).contains("Join them: " + option + "=" + file);
            Files.writeString(file, "there already");
        }
        assertThat(run("sql", report, option, "SELECT 1 AS one"))
                .as(err.toString())
                .isZero();
    }

    @Test
    void rowsAreShownAsATable() {
        assertThat(run("sql", report, "SELECT * FROM kernels"))
                .as(err.toString())
                .isZero();
        assertThat(out).hasToString("""
            name             count  time us
            ----  ----------------  -------
            gemm  9007199254740993      1.5
            a,b                  2     NULL

            2 rows
            """);
        assertThat(run("sql", "--quiet", report, "SELECT 1 AS one")).isZero();
        assertThat(out).hasToString("one\n---\n  1\n");
    }

    @Test
    void aWorkbookOfTheProgramIsAskedWithoutItsFirstSheet() throws IOException {
        Path trace = folder.resolve("t.json");
        Files.writeString(
                trace,
                "{\"traceEvents\":[{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1}]}");
        Path book = folder.resolve("t.xlsx");
        assertThat(run("report", trace, "--xlsx", book)).as(err.toString()).isZero();

        assertThat(run("sql", book, "SELECT name FROM host_summary", "--csv"))
                .as(err.toString())
                .isZero();

        assertThat(out).hasToString("name\na\n");
    }

    @Test
    void namesFromTracesDoNotSteerTheTerminal() {
        assertThat(run("sql", report, "SELECT chr(27) || '[2J' || chr(10) || 'x' || chr(8238) AS n"))
                .isZero();
        assertThat(out.toString()).contains("·[2J·x·").doesNotContain("\u001b", "\u202e");
    }

    @Test
    void oneLongTextDoesNotWidenAllLines() {
        String query = "SELECT repeat('n', i * i) AS name, i FROM (VALUES (2), (1000)) v(i)";
        assertThat(run("sql", "--quiet", report, query)).as(err.toString()).isZero();
        assertThat(out.toString().lines())
                .containsExactly(
                        "name" + " ".repeat(1_001) + "i",
                        "-".repeat(1_000) + "  " + "----",
                        "nnnn" + " ".repeat(1_001) + "2",
                        "n".repeat(999) + "…  1000");
        assertThat(run("sql", report, query, "--csv")).isZero();
        assertThat(out.toString()).contains("n".repeat(1_000_000));
    }

    @Test
    void jsonKeepsIntegersAndHasNoNumbersThatItCannotSpell() {
        assertThat(run("sql", report, "SELECT *, 'nan'::DOUBLE AS none, count FROM kernels", "--json"))
                .isZero();
        assertThat(out).hasToString("""
            [
            {"name":"gemm","count":9007199254740993,"time us":1.5,"none":null,"count_2":9007199254740993},
            {"name":"a,b","count":2,"time us":null,"none":null,"count_2":2}
            ]
            """);
        assertThat(run("sql", report, "SELECT * FROM kernels WHERE count < 0", "--json"))
                .isZero();
        assertThat(out).hasToString("[\n]\n");
    }

    @Test
    void outputsGoIntoFilesTogetherOrNotAtAll() throws IOException {
        Path csv = folder.resolve("a.csv");
        Path parquet = folder.resolve("a.parquet");
        assertThat(run("sql", report, "FROM kernels", "--csv=" + csv, "--parquet", parquet))
                .as(err.toString())
                .isZero();
        assertThat(out).hasToString("wrote " + parquet + "\nwrote " + csv + "\n");
        assertThat(csv).hasContent("name,count,time us\ngemm,9007199254740993,1.5\n\"a,b\",2,\n");
        assertThat(run("sql", report, "SELECT CAST(name AS INT) FROM kernels", "--csv=" + folder.resolve("b.csv")))
                .isEqualTo(2);
        assertThat(TestProgram.files(folder)).containsOnlyKeys("a.csv", "a.parquet", "report/kernels.csv");
        assertThat(run("sql", csv, "SELECT 1", "--csv=" + csv)).isEqualTo(2);
        assertThat(err.toString()).contains("is an input");
    }

    @Test
    void reportsSideBySideSayWhoseARowIs() throws IOException {
        Path other = Files.createDirectory(folder.resolve("other"));
        Files.writeString(other.resolve("kernels.csv"), "name,count,more\ngemm,5,x\n");
        assertThat(run("sql", report, other, "SELECT report, sum(count) FROM kernels GROUP BY 1 ORDER BY 1", "--csv"))
                .as(err.toString())
                .isZero();
        assertThat(out.toString().lines().skip(1)).containsExactly(other + ",5", report + ",9007199254740995");
    }

    @Test
    void theQueryComesFromAFileOrFromStandardInput() throws IOException {
        Path script = Files.writeString(folder.resolve("q.sql"), "SELECT name\nFROM kernels\nWHERE coun > 1;\n");
        assertThat(run("sql", report, "-f", script)).isEqualTo(2);
        assertThat(err.toString()).contains(script + ": line 3, column 7: ", "  WHERE coun > 1;\n        ^^^^");
        InputStream terminal = System.in;
        try {
            System.setIn(new ByteArrayInputStream("SELECT 42 AS n;\n".getBytes(StandardCharsets.UTF_8)));
            assertThat(run("sql", report, "--csv")).isZero();
        } finally {
            System.setIn(terminal);
        }
        assertThat(out).hasToString("n\n42\n");
    }

    @Test
    void theListNamesTablesAndColumns() {
        assertThat(run("sql", report, "--list")).isZero();
        assertThat(out.toString()).contains("kernels\n", "    time us  DOUBLE\n");
    }

    @Test
    void timesAreSpeltInOneWay() {
        String query = "SELECT TIME '24:00:00' AS t, [TIMESTAMP '2020-03-29 02:30:00'] AS l, 'infinity'::DATE AS d";
        assertThat(run("sql", report, query, "--csv")).as("%s", err).isZero();
        assertThat(out).hasToString("t,l,d\n24:00:00,\"[\"\"2020-03-29 02:30:00\"\"]\",infinity\n");
        assertThat(run("sql", report, query, "--json")).as("%s", err).isZero();
        assertThat(out).hasToString("[\n{\"t\":\"24:00:00\",\"l\":[\"2020-03-29 02:30:00\"],\"d\":\"infinity\"}\n]\n");
    }

    @Test
    void columnsOfOneHeadAreNumbered() throws IOException {
        Path sheets = Files.createDirectory(folder.resolve("sheets"));
        Files.writeString(sheets.resolve("s.csv"), "a,a,b\n1,2,3\n");
        assertThat(run("sql", sheets, "FROM s", "--csv")).as("%s", err).isZero();
        assertThat(out).hasToString("a,a_2,b\n1,2,3\n");
    }

    /** Each of the names and widths is looked at a few times, not once for each of the others. */
    @Test
    @Timeout(60)
    void answersMayHaveVeryManyColumns() throws IOException {
        Path query = Files.writeString(
                folder.resolve("q.sql"), "SELECT " + "repeat('x', 900) AS a, ".repeat(5_000) + "1 AS b");
        assertThat(run("sql", report, "-f", query, "--json")).as("%s", err).isZero();
        assertThat(out.toString()).contains(",\"a_5000\":");
    }

    @Test
    void wrongArgumentsAreExplained() {
        assertThat(run("sql", folder.resolve("none"), "SELECT 1")).isEqualTo(3);
        assertThat(err.toString()).contains("no such file");
        assertThat(run("sql", "SELECT 1")).isEqualTo(2);
        assertThat(err.toString()).contains("nothing to ask");
        assertThat(run("sql", report, "SELECT 1", "--csv", "--json")).isEqualTo(2);
        assertThat(run("sql", report, "--list", "--csv")).isEqualTo(2);
        assertThat(run("sql", report, "SELECT * FROM read_text('/etc/passwd')")).isEqualTo(2);
        assertThat(out).hasToString("");
        assertThat(run("sql", "--help")).isZero();
        assertThat(out.toString()).contains("Examples:\n  lockstep sql ");
    }

    private Path traces() throws IOException {
        Path traces = folder.resolve("traces");
        SyntheticRun.write(traces, SyntheticTraces.smallRecipe(4).withStraggler(2, 1.5), Layout.flat());
        return traces;
    }

    @Test
    void aDatasetAndItsTracesGiveTheSameAnswers() throws IOException {
        Path traces = traces();
        Path dataset = folder.resolve("data");
        assertThat(run("dataset", traces, "-o", dataset, "--run", "run"))
                .as(err.toString())
                .isZero();
        Map<String, String> before = TestProgram.files(folder);
        for (QueryView view : QueryView.all()) {
            String query = "SELECT * FROM " + view.name() + " ORDER BY ALL";
            assertThat(run("sql", dataset, query, "--csv"))
                    .as(view.name() + err)
                    .isZero();
            String stored = out.toString();
            assertThat(run("sql", traces, query, "--csv")).as(view.name() + err).isZero();
            assertThat(out).as(view.name()).hasToString(stored);
            if (!view.name().equals("missing")) {
                assertThat(stored.lines()).as(view.name()).hasSizeGreaterThan(1);
            }
        }
        assertThat(run("sql", dataset, "SELECT rank FROM slow_ranks LIMIT 1", "--csv"))
                .isZero();
        assertThat(out).hasToString("rank\n2\n");
        assertThat(run("sql", traces, "SELECT count(*) AS n FROM rows_of_kernels()", "--csv"))
                .isZero();
        assertThat(out).hasToString("n\n0\n");
        assertThat(TestProgram.files(folder)).isEqualTo(before);
    }

    @Test
    void theListOfADatasetSaysWhatEverythingMeans() throws IOException {
        Path dataset = folder.resolve("data");
        assertThat(run("dataset", traces(), "-o", dataset, "--level", "sketch")).isZero();
        assertThat(run("sql", dataset, "--list")).as(err.toString()).isZero();
        assertThat(out.toString())
                .contains("steps: A step of one rank", "    idle_ns  BIGINT  The rest of the total.", "view exposed: ")
                .contains("    SELECT run, rank, status, file, note\n");
    }

    @Test
    void runsOfADatasetAreToldApart() throws IOException {
        Path traces = traces();
        Path dataset = folder.resolve("data");
        for (String name : List.of("monday", "tuesday")) {
            assertThat(run("dataset", traces, "-o", dataset, "--run", name, "--level", "sketch"))
                    .isZero();
        }
        assertThat(run(
                        "sql",
                        dataset,
                        "SELECT run, count(DISTINCT rank) AS n FROM steps GROUP BY 1 ORDER BY 1",
                        "--csv"))
                .isZero();
        assertThat(out).hasToString("run,n\nmonday,4\ntuesday,4\n");
        assertThat(run("sql", dataset, traces, "SELECT 1")).isEqualTo(2);
        assertThat(err.toString()).contains("cannot be asked together");
        assertThat(run("sql", dataset, "")).isEqualTo(2);
        assertThat(err.toString()).contains("--list").doesNotContain("together");
    }

    @Test
    void linksInADatasetLeadNowhere() throws IOException {
        Path dataset = folder.resolve("data");
        assertThat(run("dataset", traces(), "-o", dataset, "--run", "a", "--level", "sketch"))
                .isZero();
        Path other = folder.resolve("other.parquet");
        assertThat(run("sql", report, "SELECT 1 AS secret", "--parquet", other)).isZero();
        Path block = dataset.resolve("steps/run=a/rank_block=00000");
        Files.createSymbolicLink(block.resolve("part-1.parquet"), other);
        Files.createSymbolicLink(block.resolve("part-2.csv"), report.resolve("kernels.csv"));
        assertThat(run("sql", dataset, "SELECT count(*) AS n FROM steps WHERE rank IS NULL", "--csv"))
                .as(err.toString())
                .isZero();
        assertThat(out).hasToString("n\n0\n");
        assertThat(run("sql", dataset, "SELECT * FROM read_csv('" + block.resolve("part-2.csv") + "')"))
                .isEqualTo(2);
    }

    @Test
    void aTableThatIsALinkIsSaidToBeOne() throws IOException {
        Path dataset = folder.resolve("data");
        assertThat(run("dataset", traces(), "-o", dataset, "--run", "a")).isZero();
        Path part = dataset.resolve("steps/run=a/rank_block=00000/part-0.parquet");
        Path moved = Files.move(part, folder.resolve("moved.parquet"));
        Files.createSymbolicLink(part, moved);
        for (String query : List.of("SELECT * FROM steps", "SELECT * FROM ranks")) {
            assertThat(run("sql", dataset, query)).isEqualTo(3);
            assertThat(err.toString()).contains(part.toString(), "this is a link", "0 of its 1 file");
        }
        assertThat(run("fleet", dataset, "-o", folder.resolve("out"))).isEqualTo(3);
        assertThat(err.toString()).contains("this is a link");
        Files.delete(part);
        Files.move(moved, part);
        assertThat(run("sql", dataset, "SELECT * FROM steps")).isZero();

        Path runs = dataset.resolve("steps/run=a");
        Path elsewhere = Files.move(runs, folder.resolve("elsewhere"));
        Files.createSymbolicLink(runs, elsewhere);
        assertThat(run("sql", dataset, "SELECT * FROM steps")).isEqualTo(3);
        assertThat(err.toString()).contains(runs.toString(), "this is a link");
    }

    @Test
    void aQueryHasALimitThatCanBeSet() throws IOException {
        assertThat(run(
                        "sql",
                        report,
                        "SELECT count(*) FROM range(1000000), range(1000000), range(1000000)",
                        "--time-limit",
                        "1"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("took longer than 1 s");
        assertThat(run("sql", report, "SELECT 1", "--time-limit", "60", "--csv"))
                .isZero();
    }

    @Test
    void whatIsMissingOfTracesIsSaid() throws IOException {
        Path traces = traces();
        Files.delete(traces.resolve("rank1_trace.json"));
        assertThat(run("sql", traces, "SELECT rank, status FROM missing", "--csv"))
                .isEqualTo(4);
        assertThat(out).hasToString("rank,status\n1,missing\n");
        assertThat(err.toString()).contains("no file for rank 1");
        assertThat(run("sql", "--allow-partial", traces, "SELECT 1")).isZero();
    }

    @Test
    void nothingIsWrittenBesideTheInputs() throws IOException {
        Map<String, String> before = TestProgram.files(folder);
        assertThat(run("sql", report, "FROM kernels")).isZero();
        assertThat(TestProgram.files(folder)).isEqualTo(before);
    }
}
