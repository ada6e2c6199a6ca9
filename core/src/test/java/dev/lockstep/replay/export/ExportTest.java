// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.replay.KinetoPlan;
import dev.lockstep.replay.ReplayPlan;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExportTest {
    private static final String PYTHON = "/usr/bin/python3";
    private static final long SECONDS = 120;

    @TempDir
    Path folder;

    private static ReplayPlan plan() {
        String op =
                "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"%s\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":3,\"args\":{%s}},\n";
        return KinetoPlan.of(new DerivedCache(TestTraces.of(op.formatted(
                        "aten::sum",
                        0,
                        "\"Input Dims\": [[4,6],[],[],[]], \"Input type\": [\"c10::BFloat16\",\"ScalarList\",\"Scalar\",\"\"],"
                                + " \"Input Strides\": [[1,4],[],[],[]], \"Concrete Inputs\": [\"\",\"[0]\",\"True\",\"\"]")
                + op.formatted(
                        "aten::cudnn_convolution",
                        10,
                        "\"Input Dims\": [[1,2,6,6],[3,2,3,3],[],[],[],[],[],[],[]], \"Input type\": [\"float\",\"float\","
                                + "\"ScalarList\",\"ScalarList\",\"ScalarList\",\"Scalar\",\"Scalar\",\"Scalar\",\"Scalar\"],"
                                + " \"Concrete Inputs\": [\"\",\"\",\"[1, 1]\",\"[1, 1]\",\"[1, 1]\",\"1\",\"False\",\"False\",\"True\"]")
                + op.formatted("aten::it's_unheard_of", 20, "\"Input Dims\": [[2]], \"Input type\": [\"float\"]")
                + op.formatted("c10d::send", 30, ""))));
    }

    @Test
    void theScriptIsWhole() throws IOException {
        Path script = folder.resolve("replay.py");
        PythonExport.write(plan(), script);

        assertThat(Files.readString(script))
                .doesNotContain("@PLAN@", "@SCRIPTS@", "@MEANINGS@")
                .contains("it\\u0027s_unheard_of", "def rms_norm_backward");
    }

    /** With the PyTorch of Debian, where there is one. */
    @Test
    void theScriptRunsAndWritesAResult() throws IOException, InterruptedException {
        assumeTrue(
                Files.isExecutable(Path.of(PYTHON))
                        && run(PYTHON, "-c", "import torch").isEmpty(),
                "SKIPPED: " + PYTHON + " has no torch");
        Path script = folder.resolve("replay.py");
        PythonExport.write(plan(), script);

        String said =
                run(PYTHON, script.toString(), "-o", folder.resolve("r.json").toString(), "--window", "30");

        assertThat(said).contains("50.00 % of the calls were replayed");
        assertThat(Files.readString(folder.resolve("r.json")))
                .contains("\"lockstep-replay-result\"", "\"substitution\": \"run as aten::convolution\"")
                .contains(
                        "\"calls_percent\": 50.0",
                        "\"no-such-operator\"",
                        "\"collective\"",
                        "\"window\": {",
                        "\"shapes\": [");
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(SECONDS, TimeUnit.SECONDS)).isTrue();
        return process.exitValue() == 0 ? said : "failed: " + said;
    }

    @Test
    void theProgramHoldsThePlanAsData() throws IOException {
        CppExport.write(plan(), folder);

        assertThat(folder.resolve("CMakeLists.txt")).exists();
        assertThat(folder.resolve("main.cpp")).exists();
        assertThat(folder.resolve("replay.hpp")).exists();
        assertThat(Files.readString(folder.resolve("plan.cpp")))
                .contains("D({4, 6}, {1, 4}, 0, 0, 24, \"bfloat16\")")
                .contains("{\"aten::sum\", \"?\", {T(", "L({I(0LL)}), B(true), N()}}")
                .contains("{\"aten::convolution\", \"?\"")
                .contains("all.push_back({\"collective\", 1, 0, -1.0,")
                .contains("\\\"shapes\\\":[[4,6],null,null,null],\\\"types\\\":[\\\"bfloat16\\\",null")
                .contains("STEPS_SOURCE = \"none\"");
    }
}
