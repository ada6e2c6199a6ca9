// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

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
}
