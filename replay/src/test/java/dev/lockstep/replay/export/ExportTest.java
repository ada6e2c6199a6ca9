// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.replay.plan.KinetoPlan;
import dev.lockstep.replay.plan.PlanFile;
import dev.lockstep.replay.plan.ReplayPlan;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExportTest {
    private static final String PYTHON = "/usr/bin/python3";
    private static final long SECONDS = 600;

    @TempDir
    Path folder;

    private static ReplayPlan plan() {
        return planOf(op(
                        "aten::sum",
                        0,
                        "\"Input Dims\": [[4,6],[],[],[]], \"Input type\":"
                                + " [\"c10::BFloat16\",\"ScalarList\",\"Scalar\",\"\"], \"Input Strides\":"
                                + " [[1,4],[],[],[]], \"Concrete Inputs\": [\"\",\"[0]\",\"True\",\"\"]")
                + op(
                        "aten::cudnn_convolution",
                        10,
                        "\"Input Dims\": [[1,2,6,6],[3,2,3,3],[],[],[],[],[],[],[]], \"Input type\":"
                                + " [\"float\",\"float\","
                                + "\"ScalarList\",\"ScalarList\",\"ScalarList\",\"Scalar\",\"Scalar\",\"Scalar\",\"Scalar\"],"
                                + " \"Concrete Inputs\": [\"\",\"\",\"[1, 1]\",\"[1, 1]\",\"[1,"
                                + " 1]\",\"1\",\"False\",\"False\",\"True\"]")
                + op("aten::it's_unheard_of", 20, "\"Input Dims\": [[2]], \"Input type\": [\"float\"]")
                + op("c10d::send", 30, ""));
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

    /** With a device that only notes what it is given. */
    @Test
    void theScriptQueuesWorkBeforeACallOnADevice() throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(Path.of(PYTHON)), "SKIPPED: there is no " + PYTHON);
        PythonExport.write(plan(), folder.resolve("replay.py"));
        Path probe = Files.writeString(folder.resolve("probe.py"), """
            import types
            import replay

            said = []
            loading = [50.0]

            class Event:
                def __init__(self, enable_timing):
                    pass

                def record(self):
                    said.append("record")

                def query(self):
                    said.append("query")
                    return "wait" in said

                def synchronize(self):
                    said.append("wait for end")

                def elapsed_time(self, end):
                    return loading.pop() if loading else 0.5

            cuda = types.SimpleNamespace(
                Event=Event, synchronize=lambda: said.append("synchronize"), _sleep=lambda n: said.append("sleep %d" % n))
            options = types.SimpleNamespace(
                time_limit=60, warmup=1, iterations=2, window=0, flush_cache=False, device="cuda", memory=1 << 30)
            runner = replay.Runner(types.SimpleNamespace(cuda=cuda), options)
            result = runner.measure(lambda: lambda: said.append("call"), False, "s", None, True)
            print(said[:4], "sleep 1000000" in said, said[-7:], result["queued"], result["executed"], result["device"]["median_ns"])
            said.clear()
            options.iterations, options.window = 0, 5
            result = runner.measure(lambda: lambda: said.append("call"), False, "s", None, True)
            print(result["device"]["runs"] == result["queued"] < result["executed"], said.count("call") > result["executed"])
            print(replay.identity(types.SimpleNamespace(pci_domain_id=0, pci_bus_id=59, pci_device_id=0, uuid="5e1f")))
            said.clear()
            options.iterations, options.window = 3, 0
            result = runner.measure(lambda: lambda: (said.append("wait"), replay.time.sleep(0.001)), False, "s", None, True)
            print(result["queued"], result["executed"])
            """);

        assertThat(run(PYTHON, probe.toString()).lines())
                .containsExactly(
                        "['synchronize', 'record', 'call', 'record'] True ['record', 'sleep 100000', 'record',"
                                + " 'call', 'record', 'query', 'wait for end'] 2 2 500000",
                        "True True",
                        "{'bus_id': '00000000:3b:00.0', 'uuid': '5e1f'}",
                        "0 3");
    }

    /** With a framework that would do it. */
    @Test
    void theScriptRunsNoCodeOfRecordingsAndTouchesNoFiles() throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(Path.of(PYTHON)), "SKIPPED: there is no " + PYTHON);
        PythonExport.write(plan(), folder.resolve("replay.py"));
        Path probe = Files.writeString(folder.resolve("probe.py"), """
            import types
            import replay

            class Unit:
                def __init__(self, text):
                    self.rms_norm_backward = lambda *values: print("run", values)
                    self.define = lambda *values: print("HOLE", values)

            def schemas(name):
                return [types.SimpleNamespace(arguments=[types.SimpleNamespace(name=name, type="Optional[str]")])]

            torch = types.SimpleNamespace(
                jit=types.SimpleNamespace(CompilationUnit=Unit),
                _C=types.SimpleNamespace(_jit_get_schemas_for_operator=lambda name: schemas(name.split("::")[1])))
            runner = replay.Runner(torch, types.SimpleNamespace(device="cpu"))
            runner.guarded = lambda make, *rest: make("cpu", True)() or {"status": "ran"}
            for name in "script::define", "script::rms_norm_backward", "own::filename":
                print(runner.run({"name": name, "arguments": ["text"]}))
            """);

        assertThat(run(PYTHON, probe.toString()).lines())
                .containsExactly(
                        "{'status': 'not-run', 'reason': 'refused'}",
                        "run ('text',)",
                        "{'status': 'ran'}",
                        "{'status': 'not-run', 'reason': 'refused'}");
    }

    @Test
    void theScriptDoesWithoutWhatAProcessorLacks() throws IOException, InterruptedException {
        assumeTrue(
                Files.isExecutable(Path.of(PYTHON))
                        && run(PYTHON, "-c", "import torch").isEmpty(),
                "SKIPPED: " + PYTHON + " has no torch");
        Path script = folder.resolve("replay.py");
        Path result = folder.resolve("r.json");
        PythonExport.write(
                planOf(op(
                                "aten::empty",
                                0,
                                "\"Input Dims\": [[],[],[],[],[],[]], \"Input type\":"
                                        + " [\"ScalarList\",\"Scalar\",\"Scalar\",\"\",\"Scalar\",\"\"], \"Concrete"
                                        + " Inputs\": [\"[4, 8]\",\"6\",\"0\",\"\",\"True\",\"\"]")
                        + op(
                                "aten::to",
                                10,
                                "\"Input Dims\": [[4,4],[],[],[],[],[]], \"Input type\":"
                                        + " [\"float\",\"\",\"Scalar\",\"Scalar\",\"Scalar\",\"\"], \"Concrete Inputs\":"
                                        + " [\"\",\"\",\"6\",\"False\",\"False\",\"\"]")
                        + op("aten::view", 20, "\"Input Dims\": [[4,6],[]], \"Input type\": [\"float\",\"\"]")),
                script);

        String said = run(PYTHON, script.toString(), "-o", result.toString(), "--iterations", "2");

        assertThat(said).contains("66.67 % of the calls were replayed", "lacks values of its inputs");
        assertThat(Files.readString(result))
                .contains("\"run in memory that is not pinned\"", "Device device", "\"values-missing\"");
        assertThat(run(PYTHON, script.toString(), "-o", result.toString(), "--window", "9", "--iterations", "2"))
                .contains("two answers to one question");
    }

    @Test
    void whatHangsIsReportedAndTheRestRuns() throws IOException, InterruptedException {
        assumeTrue(
                Files.isExecutable(Path.of(PYTHON))
                        && run(PYTHON, "-c", "import torch").isEmpty(),
                "SKIPPED: " + PYTHON + " has no torch");
        Path script = folder.resolve("replay.py");
        Path result = folder.resolve("r.json");
        String matrix = "\"Input Dims\": [[4000,4000]], \"Input type\": [\"float\"]";
        PythonExport.write(
                planOf(op("aten::linalg_eigvals", 0, matrix)
                        + op("aten::relu", 10, "\"Input Dims\": [[3]], \"Input type\": [\"float\"]")),
                script);

        String said = run(PYTHON, script.toString(), "-o", result.toString(), "--time-limit", "4");

        assertThat(said).contains("50.00 % of the calls were replayed", "it took longer than is allowed");
        assertThat(Files.readString(result))
                .contains("\"no end after 4 s\"", "\"worker_restarts\": \"1\"", "\"start_ns\"");
        assertThat(run(PYTHON, script.toString(), "-o", folder + "/no/folder.json"))
                .contains("cannot write");
        assertThat(folder.resolve("r.json.part")).doesNotExist();
    }

    /** All of the program but what needs libtorch, with something else in its place. */
    @Test
    void theProgramSurvivesItsOperators() throws IOException, InterruptedException {
        Path compiler = Path.of("/usr/bin/g++");
        assumeTrue(Files.isExecutable(compiler), "SKIPPED: there is no " + compiler);
        String input = "\"Input Dims\": [[3]], \"Input type\": [\"float\"]";
        String list = "\"Input Dims\": [[],[]], \"Input type\": [\"Scalar\",\"Scalar\"],"
                + " \"Concrete Inputs\": [\"-9223372036854775808\",\"nan\"]";
        CppExport.write(
                planOf(op("aten::relu", 0, input)
                        + op("aten::abs", 10, input)
                        + op("aten::neg", 20, input)
                        + op("aten::fill", 30, list)
                        + op("c10d::send", 40, "")),
                folder);
        try (InputStream fake = Objects.requireNonNull(ExportTest.class.getResourceAsStream("fake_run.cpp"))) {
            Files.write(folder.resolve("run.cpp"), fake.readAllBytes());
        }
        List<String> compile = new ArrayList<>(
                List.of(compiler.toString(), "-std=c++17", "-Wall", "-Wextra", "-Werror", "-pthread", "-o", "replay"));
        compile.addAll(List.of("main.cpp", "run.cpp", "samples.cpp", "result.cpp", "plan.cpp"));
        compile.replaceAll(word -> word.endsWith(".cpp") || word.equals("replay")
                ? folder.resolve(word).toString()
                : word);
        assertThat(run(compile.toArray(String[]::new))).isEmpty();

        String program = folder.resolve("replay").toString();
        String said = run(program, "-o", folder.resolve("r.json").toString(), "--time-limit", "3");

        assertThat(said).contains("40.00 % of the calls were replayed");
        String result = Files.readString(folder.resolve("r.json"));
        assertThat(result)
                .contains("\"reason\": \"crashed\", \"detail\": \"signal 6\"")
                .contains("\"reason\": \"timed-out\", \"detail\": \"no end after 3 s\"")
                .contains("\"worker_restarts\": \"2\"", "\"median_ns\": 20", "\"window\": {\"start_ns\": 5")
                .contains("\"detail\": \"-9223372036854775808\"")
                .contains("\"executed\": 3, \"queued\": 2, \"host\": {\"runs\": 3, \"median_ns\": 20, \"min_ns\": 10")
                .contains("\"executed\": 20000, \"host\": {\"runs\": 16384, \"median_ns\": 40, \"min_ns\": 7")
                .contains("\"shapes\":[[3]],\"types\":[\"float32\"],\"values\":[null]", "\"steps_source\": \"none\"");
        assertThat(run(program, "-o", folder.resolve("s.json").toString(), "--device", "cuda"))
                .contains("this libtorch sees no GPU");
        assertThat(run(program, "-o", folder.resolve("s.json").toString(), "--threads", "none"))
                .contains("--threads: none will not do", "usage: replay");
        assertThat(run(program, "-o", folder.resolve("s.json").toString(), "--window", "9", "--iterations", "2"))
                .contains("--iterations and --window are two answers to one question");
        assertThat(run(program, "-o", folder.resolve("s.json").toString(), "--window", "2500", "--time-limit", "4"))
                .contains("--window wants at most half of --time-limit, which is 4 s");
        assertThat(folder.resolve("s.json")).doesNotExist();
    }

    private static String op(String name, int start, String inputs) {
        return "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"%s\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":3,\"args\":{%s}},\n"
                .formatted(name, start, inputs);
    }

    private static ReplayPlan planOf(String events) {
        return KinetoPlan.of(new DerivedCache(TestTraces.of(events)));
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(SECONDS, TimeUnit.SECONDS)).isTrue();
        return process.exitValue() == 0 ? said : "failed: " + said;
    }

    /** Whatever they hold, texts stay one text of the program, and lists as deep as plans may hold them are written. */
    @Test
    void theProgramHoldsTextsAndListsOfAnyKind() throws IOException {
        String deep = "[".repeat(99) + "\"what??/?\"" + "]".repeat(99);
        Path file = Files.writeString(
                folder.resolve("plan.json"),
                PlanFile.text(plan()).replace("\"arguments\":[]", "\"arguments\":[" + deep + "]"));

        CppExport.write(PlanFile.read(file), folder);

        assertThat(Files.readString(folder.resolve("plan.cpp"))).contains("L({L({S(\"what?\\?/?\")})");
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
