// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
    void namesFromTracesDoNotSteerTheTerminal() {
        assertThat(run("sql", report, "SELECT chr(27) || '[2J' || chr(10) || 'x' || chr(8238) AS n"))
                .isZero();
        assertThat(out.toString()).contains("·[2J·x·").doesNotContain("\u001b", "\u202e");
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
    void wrongArgumentsAreExplained() {
        assertThat(run("sql", folder.resolve("none"), "SELECT 1")).isEqualTo(3);
        assertThat(err.toString()).contains("no such file", "lockstep sql DIR");
        assertThat(run("sql", report, "SELECT 1", "--csv", "--json")).isEqualTo(2);
        assertThat(run("sql", report, "--list", "--csv")).isEqualTo(2);
        assertThat(run("sql", report, "SELECT * FROM read_text('/etc/passwd')")).isEqualTo(2);
        assertThat(out).hasToString("");
        assertThat(run("sql", "--help")).isZero();
        assertThat(out.toString()).contains("Examples:\n  lockstep sql ");
    }

    @Test
    void nothingIsWrittenBesideTheInputs() throws IOException {
        Map<String, String> before = TestProgram.files(folder);
        assertThat(run("sql", report, "FROM kernels")).isZero();
        assertThat(TestProgram.files(folder)).isEqualTo(before);
    }
}
