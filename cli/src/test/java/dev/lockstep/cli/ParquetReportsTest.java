// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.synth.Layout;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticTraces;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reports as Parquet files, and commands that take finished reports and get such. */
class ParquetReportsTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private Path run;

    @BeforeEach
    void writeRun() throws IOException {
        run = folder.resolve("run");
        SyntheticRun.write(run, SyntheticTraces.smallRecipe(2), Layout.flat());
    }

    private void lockstep(Object... arguments) {
        assertThat(TestProgram.run(out, err, arguments))
                .as(List.of(arguments) + ": " + err)
                .isZero();
    }

    private Path rank(int rank) {
        return run.resolve("rank" + rank + "_trace.json");
    }

    private static Map<String, String> stems(Path folder, String ending) throws IOException {
        Map<String, String> stems = new TreeMap<>();
        TestProgram.files(folder).forEach((name, content) -> {
            if (name.endsWith(ending)) {
                stems.put(name.substring(0, name.length() - ending.length()), content);
            }
        });
        return stems;
    }

    @Test
    void everySheetIsAFile() throws IOException {
        for (List<Object> command : List.of(
                List.<Object>of("report", rank(0)),
                List.<Object>of("collectives", run),
                List.<Object>of("diff", rank(0), rank(1)),
                List.<Object>of("kernels", "extract", rank(0)))) {
            Path to = Files.createTempDirectory(folder, "out");
            Object[] line = command.toArray();
            Object[] all = java.util.Arrays.copyOf(line, line.length + 4);
            all[line.length] = "--csv";
            all[line.length + 1] = to.resolve("csv");
            all[line.length + 2] = "--parquet";
            all[line.length + 3] = to.resolve("parquet");
            lockstep(all);
            assertThat(stems(to.resolve("csv"), ".csv").keySet())
                    .as(command.toString())
                    .isNotEmpty()
                    .containsAll(stems(to.resolve("parquet"), ".parquet").keySet());
            assertThat(stems(to.resolve("parquet"), ".parquet")).isNotEmpty();
        }
    }

    @Test
    void comparisonsSayTheSameOfSheetsInParquet() throws IOException {
        for (int rank = 0; rank < 2; rank++) {
            lockstep(
                    "report",
                    rank(rank),
                    "--csv",
                    folder.resolve("csv/r" + rank),
                    "--parquet",
                    folder.resolve("parquet/r" + rank));
        }
        for (String kind : List.of("csv", "parquet")) {
            Path reports = folder.resolve(kind);
            lockstep(
                    "compare",
                    reports.resolve("r0"),
                    reports.resolve("r1"),
                    "--csv",
                    folder.resolve("compared").resolve(kind));
        }
        Map<String, String> fromCsv = TestProgram.files(folder.resolve("compared/csv"));
        Map<String, String> fromParquet = TestProgram.files(folder.resolve("compared/parquet"));
        assertThat(fromCsv.keySet()).contains("gpu_timeline.csv");
        assertThat(fromParquet.keySet()).isEqualTo(fromCsv.keySet());
        for (String name : fromCsv.keySet()) {
            assertThat(fromParquet.get(name).replace("parquet/r", "csv/r"))
                    .as(name)
                    .isEqualTo(fromCsv.get(name));
        }
    }

    @Test
    void sheetsInParquetAreAskedInSql() {
        lockstep("report", rank(0), "--parquet", folder.resolve("sheets"));
        lockstep("sql", folder.resolve("sheets"), "SELECT count(*) AS n FROM gpu_timeline", "--csv");
        assertThat(out.toString()).startsWith("n\n").doesNotContain("\n0\n");
    }
}
