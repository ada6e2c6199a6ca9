// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StragglersCommandTest {
    private static final String OPERATIONS = "(VALUES ('forward-compute', 0, 0.0, 0.01, 0, 0, 0),"
            + " ('forward-compute', 1, 0.01, 0.01, 0, 1, 0), ('backward-compute', 0, 0.02, 0.02, 0, 0, 0),"
            + " ('backward-compute', 1, 0.04, 0.02, 0, 1, 0), ('gc', 0, 0.06, 0.001, -1, -1, -1),"
            + " ('optimizer', 0, 0.061, 0.004, -1, -1, -1)) o(optype, seq_id, start_ts, duration, mc, mb_id, gmc)";
    private static final String ALL = "SELECT 0::TINYINT AS dp_rank, 0::TINYINT AS stage, 0::SMALLINT AS rank,"
            + " s.step::BIGINT AS step, optype, start_ts::FLOAT AS start_ts,"
            + " (duration * CASE WHEN s.step = 4 AND optype = 'gc' THEN 21 ELSE 1 END)::FLOAT AS duration,"
            + " seq_id::INTEGER AS seq_id, mc::TINYINT AS mc, mb_id::TINYINT AS mb_id, gmc::SMALLINT AS gmc FROM "
            + OPERATIONS + ", (VALUES (2), (4)) s(step)";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    private Path table;

    @BeforeEach
    void write() throws SQLException {
        table = write("job.parquet", ALL);
    }

    private Path write(String name, String query) throws SQLException {
        Path file = folder.resolve(name);
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute("COPY (" + query + ") TO '" + file + "' (FORMAT parquet)");
        }
        return file;
    }

    private int run(Object... args) {
        return TestProgram.run(out, err, args);
    }

    @Test
    void theFieldsOfTheStudyAreWritten() throws IOException {
        Path json = folder.resolve("out.json");
        Path meta = Files.writeString(folder.resolve("meta.yaml"), "trial_name: a\ntp_size: 8\n");
        assertThat(run("stragglers", "--table", table, "--json", json, "--compat", "wia", "--meta", meta))
                .as(err.toString())
                .isZero();
        assertThat(Files.readString(json).replaceAll("\\s", ""))
                .contains(
                        "\"dp_size\":1,\"pp_size\":1,\"trial_name\":\"a\",\"run_id\":null,\"tp_size\":8",
                        "\"blocking_slowdown\":1.0,",
                        "\"blocking_decompose_by_optype\":null",
                        "\"mw\":null",
                        "\"ms\":{");
    }

    @Test
    void sheetsAndTheirSummaryAreWritten() throws IOException {
        Path into = folder.resolve("out");
        assertThat(run("stragglers", "--table", table, "-o", into, "--decompose-threshold", "1"))
                .as(err.toString())
                .isZero();
        assertThat(TestProgram.files(into))
                .containsKeys(
                        "report.html",
                        "report.xlsx",
                        "csv/straggler_whatif.csv",
                        "csv/straggler_steps.csv",
                        "csv/straggler_heatmap.csv");
        assertThat(out.toString().replaceAll("\\s+", " ")).contains("S = 1.0000", "M_W", "rank 0 (stage 0,");
    }

    @Test
    void whatTimesCannotSayIsSaid() {
        assertThat(run("stragglers", "--table", table, "--recover-roles", "--json", folder.resolve("o.json")))
                .as(err.toString())
                .isZero();
        assertThat(out.toString().replaceAll("\\s+", " "))
                .contains("cannot be told from times", "Of 12 operations the table gives 12");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "SELECT 1 AS one | no column",
                "SELECT * EXCLUDE duration FROM ({}) | no column duration",
                "SELECT * REPLACE (start_ts::VARCHAR AS start_ts) FROM ({}) | column start_ts",
                "SELECT * REPLACE (stage::FLOAT AS stage) FROM ({}) | column stage",
                "SELECT * REPLACE (CASE WHEN step = 4 THEN 'nan' ELSE duration END::FLOAT AS duration) FROM ({}) |"
                        + " column duration",
                "SELECT * REPLACE (CASE WHEN step = 4 THEN 'inf' ELSE start_ts END::FLOAT AS start_ts) FROM ({}) |"
                        + " column start_ts",
                "SELECT * REPLACE (CASE WHEN step = 4 THEN NULL ELSE step END AS step) FROM ({}) | column step: there"
                        + " is no value",
                "SELECT * REPLACE (CASE WHEN seq_id = 1 THEN NULL ELSE optype END AS optype) FROM ({}) | column optype",
                "SELECT * REPLACE ('forward-send-recv' AS optype) FROM ({}) | 'forward-send-recv' is no type",
                "SELECT * REPLACE (-duration AS duration) FROM ({}) | it is negative",
                "SELECT * FROM ({}) WHERE step = 2 OR optype <> 'gc' | gc 0 of stage 0",
                "SELECT * FROM ({}) WHERE optype <> 'optimizer' | no optimizer ends the step",
                "SELECT * FROM ({}) UNION ALL SELECT * FROM ({}) | stands in two rows"
            })
    void whatIsNoTableOfOperationsIsRefused(String query, String problem) throws Exception {
        Path wrong = write("wrong.parquet", query.replace("{}", ALL));
        Path json = folder.resolve("out.json");
        for (Object[] mode : new Object[][] {{}, {"--compat", "wia"}}) {
            Object[] args = {"stragglers", "--table", wrong, "--json", json};
            Object[] all =
                    Stream.concat(Arrays.stream(args), Arrays.stream(mode)).toArray();
            assertThat(run(all)).isEqualTo(ExitStatus.UNREADABLE);
            assertThat(err.toString()).contains(problem).contains("wrong.parquet");
            assertThat(json).doesNotExist();
        }
    }

    @Test
    void statusesSayWhatIsMissing() throws Exception {
        Path json = folder.resolve("out.json");
        Path partial = write("partial.parquet", "SELECT * FROM (" + ALL + ") WHERE step = 2 OR optype <> 'gc'");
        assertThat(run("stragglers", "--table", partial, "--json", json, "--allow-partial"))
                .isEqualTo(ExitStatus.PARTIAL);
        assertThat(out.toString()).contains("Step 4 is left out");
        assertThat(run("stragglers", "--table", table, "--steps", "5-9")).isEqualTo(ExitStatus.NOTHING);
        assertThat(run("stragglers", "--table", table, "--steps", "nine")).isEqualTo(ExitStatus.USAGE);
        assertThat(run("stragglers", "--table", table, "--compat", "tracelens")).isEqualTo(ExitStatus.USAGE);
        assertThat(run("stragglers", "--table", table, "--compat", "wia", "--ideal", "role"))
                .isEqualTo(ExitStatus.USAGE);
        assertThat(run("stragglers", "--table", table, "--decompose-threshold", "NaN"))
                .isEqualTo(ExitStatus.USAGE);
        assertThat(run("stragglers")).isEqualTo(ExitStatus.USAGE);
        assertThat(run("stragglers", "--table", table, "--json", table)).isEqualTo(ExitStatus.USAGE);
    }

    private Path traces(String name, String... more) {
        Path into = folder.resolve(name);
        Object[] args = {
            "synth",
            "-o",
            into,
            "--ranks",
            4,
            "--steps",
            3,
            "--layers",
            2,
            "--timing",
            "even",
            "--sync-events",
            "--quiet"
        };
        assertThat(run(Stream.concat(Arrays.stream(args), Arrays.stream(more)).toArray()))
                .isZero();
        return into;
    }

    /** Nothing varies but the slow rank, so that the run without it is what the prediction has to meet. */
    @Test
    void theGainFromTracesIsThatOfTheRunWithoutTheStraggler() throws IOException {
        Path slow = traces("slow", "--straggler", "1:device:1.3");
        Path sound = traces("sound", "--straggler", "-1");
        assertThat(run("stragglers", slow, "--csv", folder.resolve("a"), "--ideal", "fastest"))
                .isZero();
        assertThat(out.toString().replaceAll("\\s+", " ")).contains("M_W = 1.000", "rank 1");
        assertThat(run("stragglers", sound, "--csv", folder.resolve("b"))).isZero();
        double[] predicted = column(folder.resolve("a/straggler_steps.csv"), 3);
        double[] without = column(folder.resolve("b/straggler_steps.csv"), 2);
        assertThat(predicted).hasSize(3).containsExactly(without, within(2.0));
        assertThat(Files.readString(folder.resolve("a/straggler_heatmap.csv"))).contains("1,,,1,1.2");
    }

    private static double[] column(Path csv, int column) throws IOException {
        return Files.readAllLines(csv).stream()
                .skip(1)
                .mapToDouble(line -> Double.parseDouble(line.split(",", -1)[column]))
                .toArray();
    }

    @ParameterizedTest
    @ValueSource(strings = {"2:work", "2:gc", "2:device:1.4"})
    void everyKindOfStragglerIsPricedAndNamed(String kind) throws IOException {
        Path run = traces("run", "--straggler", kind);
        assertThat(run("stragglers", run, "--csv", folder.resolve("csv"))).isZero();
        String prices = Files.readString(folder.resolve("csv/straggler_whatif.csv"));
        assertThat(prices.substring(prices.indexOf("rank,"))).matches("(?s)rank,2,[12]\\..*");
        // what is more in one step and less in another may be anybody's, in three steps
        String verdict = kind.startsWith("2:device")
                ? "Most of it lies in single ranks"
                : "Most of it lay in few ranks, as chance alone makes it";
        assertThat(out.toString().replaceAll("\\s+", " ")).contains(verdict, "Without rank 2 ");
    }

    @Test
    void equalRanksCostNothing() {
        Path run = traces("run", "--straggler", "-1");
        assertThat(run("stragglers", run, "-o", folder.resolve("out"))).isZero();
        assertThat(out.toString().replaceAll("\\s+", " "))
                .contains("S = 1.0000")
                .doesNotContain("M_W");
    }

    @Test
    void tracesTakeNoOptionsOfTables() throws IOException {
        Path run = traces("run");
        assertThat(run("stragglers", run, "--table", table)).isEqualTo(ExitStatus.USAGE);
        assertThat(run("stragglers", run, "--compat", "wia")).isEqualTo(ExitStatus.USAGE);
        assertThat(run("stragglers", run, "--steps", "1")).isEqualTo(ExitStatus.USAGE);
        assertThat(run("stragglers", run.resolve("rank0_trace.json"))).isEqualTo(ExitStatus.NOTHING);
        Files.delete(run.resolve("rank2_trace.json"));
        assertThat(run("stragglers", run, "--csv", folder.resolve("csv"))).isEqualTo(ExitStatus.PARTIAL);
        assertThat(run("stragglers", run, "--csv", folder.resolve("csv"), "--allow-partial"))
                .isZero();
    }
}
