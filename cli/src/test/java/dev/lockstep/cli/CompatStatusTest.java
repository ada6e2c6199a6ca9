// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.synth.Layout;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In another tool's place the program ends as that tool does, however far the trace can be believed; the trust is in JSON. */
class CompatStatusTest {
    private static final Pattern KERNEL = Pattern.compile("\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"void");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private Path traces;

    /** A run of which one rank lost half of its kernels. */
    @BeforeEach
    void make() throws IOException {
        traces = folder.resolve("traces");
        SyntheticRun.write(
                traces, SyntheticTraces.smallRecipe(2).withStraggler(TraceRecipe.NO_STRAGGLER, 1), Layout.flat());
        Random random = new Random(7);
        Path lossy = traces.resolve("rank1_trace.json");
        Files.writeString(
                lossy,
                KERNEL.matcher(Files.readString(lossy))
                        .replaceAll(kernel -> random.nextBoolean()
                                ? kernel.group()
                                : kernel.group().replace("\"X\"", "\"i\"")));
    }

    private int run(String command, String... more) {
        String[] words = command.replace("RUN", traces.toString())
                .replace("LOSSY", traces.resolve("rank1_trace.json").toString())
                .replace("WHOLE", traces.resolve("rank0_trace.json").toString())
                .split(" ");
        return TestProgram.run(out, err, (Object[])
                Stream.concat(Stream.of(words), Stream.of(more)).toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "report LOSSY hta tracelens",
                "report RUN hta",
                "collectives RUN tracelens",
                "diff WHOLE LOSSY hta tracelens"
            })
    void theStatusIsThatOfTheTool(String line) {
        String[] parts = line.split(" (?=(?:hta|tracelens))");
        assertThat(run(parts[0], "--csv", folder.resolve("own").toString()))
                .as(err.toString())
                .isEqualTo(ExitStatus.PARTIAL);
        for (int i = 1; i < parts.length; i++) {
            assertThat(run(
                            parts[0],
                            "--compat",
                            parts[i],
                            "--csv",
                            folder.resolve(parts[i]).toString()))
                    .as("%s as %s: %s", parts[0], parts[i], err)
                    .isZero();
        }
    }

    @Test
    void theTrustIsStillInJson() throws IOException {
        Path json = folder.resolve("out.json");
        assertThat(run("report LOSSY --compat tracelens --json", json.toString()))
                .isZero();
        assertThat(Files.readString(json)).contains("\"trust\"", "lost_activity", "limited");
    }
}
