// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.dataset.DatasetTable;
import dev.lockstep.dataset.DatasetTables;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticTraces;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Recorders note the environment in a trace's metadata; nothing hands its values on unless it is told to. */
class EnvironmentInTracesTest {
    private static final String SECRET = "S3CRETofTheTrace";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private Path run;

    @BeforeEach
    void writeTraces() throws IOException {
        run = Files.createDirectory(folder.resolve("run"));
        for (int rank = 0; rank < 2; rank++) {
            String trace = new String(SyntheticRun.bytes(SyntheticTraces.smallRecipe(2), rank), UTF_8);
            Matcher process = Pattern.compile("\"cpu_op\"[^}]*?\"pid\": (\\d+)").matcher(trace);
            assertThat(process.find()).isTrue();
            String noted = trace.replaceFirst("\\{", """
                {"env": {"ZZ": "S3CRETofTheTrace1"}, "system": {"environ": ["Q=S3CRETofTheTrace2"]},
                "wandb_api_key": "S3CRETofTheTrace3", "cmd": ["x", "--token", "S3CRETofTheTrace4"],\
                """)
                    .replaceFirst("\"traceEvents\"\\s*:\\s*\\[", """
                        "traceEvents": [{"ph":"M","name":"environment","pid":%s,"tid":0,"ts":1,"args":{"ZZ":"S3CRETofTheTrace5"}},\
                        {"ph":"M","name":"recorder","pid":%1$s,"tid":0,"args":{},"environ":{"ZZ":"S3CRETofTheTrace6"}},\
                        {"ph":"M","name":"environment","pid":%1$s,"tid":0,"ts":1,"\\\\u0061rgs":{"ZZ":"S3CRETofTheTrace7"}},\
                        """.replace("%s", "%1$s")
                            .formatted(process.group(1)));
            assertThat(noted).contains(SECRET + 1, SECRET + 5, "\\u0061rgs");
            Files.writeString(run.resolve("rank" + rank + ".json"), noted);
        }
    }

    private int lockstep(Object... arguments) {
        return TestProgram.run(out, err, arguments);
    }

    private Path rank(int number) {
        return run.resolve("rank" + number + ".json");
    }

    /** All that commands wrote, unpacked. */
    private String written() throws IOException {
        StringBuilder all = new StringBuilder().append(out).append(err);
        for (var file : TestProgram.files(folder).entrySet()) {
            if (!file.getKey().startsWith("run/")) {
                byte[] bytes = Files.readAllBytes(folder.resolve(file.getKey()));
                all.append(new String(bytes, UTF_8));
                if (file.getKey().endsWith(".gz")) {
                    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
                        all.append(new String(in.readAllBytes(), UTF_8));
                    }
                }
                if (file.getKey().endsWith(".xlsx")) {
                    try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(bytes))) {
                        for (ZipEntry e = in.getNextEntry(); e != null; e = in.getNextEntry()) {
                            all.append(new String(in.readAllBytes(), UTF_8));
                        }
                    }
                }
            }
        }
        return all.toString();
    }

    @Test
    void infoSaysThatValuesAreLeftOut() {
        assertThat(lockstep("info", rank(0))).isZero();
        assertThat(out.toString()).contains("4 x environment_left_out").doesNotContain(SECRET);
        assertThat(lockstep("info", "--json", rank(0))).isZero();
        assertThat(out.toString()).contains("environment_left_out").doesNotContain(SECRET);
    }

    @Test
    void reportsAndPagesDoNotHoldThem() throws IOException {
        assertThat(lockstep("report", rank(0), "-o", folder.resolve("report"))).isZero();
        assertThat(lockstep("collectives", run, "-o", folder.resolve("collectives")))
                .isZero();
        assertThat(lockstep("diff", rank(0), rank(1), "-o", folder.resolve("diff")))
                .isZero();
        assertThat(lockstep("report", rank(1), "--json", folder.resolve("r.json")))
                .isZero();

        assertThat(written()).contains("environment_left_out").doesNotContain(SECRET);
    }

    @Test
    void tablesOfADatasetDoNotHoldThem() throws IOException {
        Path data = folder.resolve("data");
        assertThat(lockstep("dataset", run, "-o", data, "--findings")).isZero();
        assertThat(written()).doesNotContain(SECRET);
        for (DatasetTable table : DatasetTables.ALL) {
            assertThat(lockstep("sql", data, "FROM " + table.name(), "--csv")).isZero();
            assertThat(written()).as(table.name()).contains("rank").doesNotContain(SECRET);
        }
        assertThat(lockstep("sql", data, "FROM diagnostics", "--csv")).isZero();
        assertThat(out.toString()).contains("environment_left_out");
    }

    @ParameterizedTest
    @ValueSource(strings = {"m.json", "m.json.gz", "m.pftrace"})
    void mergedTracesHoldThemOnRequest(String name) throws IOException {
        Path some = folder.resolve("some").resolve(name);
        Path all = folder.resolve("all").resolve(name);
        assertThat(lockstep("merge", run, "-o", some)).isZero();
        assertThat(out.toString()).containsPattern(" 14 +values of environment variables");
        assertThat(lockstep("merge", run, "-o", all, "--keep-environment")).isZero();
        assertThat(out.toString()).doesNotContain("environment variables");
        assertThat(lockstep("info", all)).isZero();
        assertThat(out.toString()).contains("environment_left_out").doesNotContain(SECRET);

        assertThat(asJson(some)).doesNotContain(SECRET).contains("wandb_api_key");
        assertThat(asJson(all)).contains(SECRET + 1, SECRET + 2, SECRET + 3, SECRET + 4);
        if (!name.endsWith(".pftrace")) { // from which events of metadata are not read back
            assertThat(asJson(all)).contains(SECRET + 5);
        }
    }

    /** All that a merged file holds, in a form that can be searched. */
    private String asJson(Path merged) throws IOException {
        Path json = merged.resolveSibling("as.json");
        assertThat(lockstep("merge", merged, "-o", json, "--keep-environment")).isZero();
        return Files.readString(json);
    }

    @Test
    void partsOfATraceDoNotHoldThem() throws IOException {
        assertThat(lockstep("split", rank(0), "-o", folder.resolve("parts"))).isZero();

        assertThat(out.toString()).contains("secrets left out 7");
        assertThat(written()).doesNotContain(SECRET);
    }

    @Test
    void resultsOfOtherCommandsDoNotHoldThem() throws IOException {
        for (List<Object> line : List.<List<Object>>of(
                List.of("aiu", "-i", rank(0), "-o", folder.resolve("aiu.json")),
                List.of("kernels", "extract", rank(0), "-o", folder.resolve("kernels")),
                List.of("replay", "plan", rank(0), "-o", folder.resolve("plan.json")))) {
            lockstep(line.toArray());
            assertThat(written()).as("%s: %s %s", line, out, err).doesNotContain(SECRET);
        }
        assertThat(folder.resolve("aiu.json")).content().contains("\"***\"");
    }
}
