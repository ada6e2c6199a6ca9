// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplayCommandTest {
    private static final String EVENTS = """
        {"traceEvents": [
        {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":0,"dur":8,"args":{"Input Dims":[[4,4],[4,4]],"Input type":["float","float"],"Concrete Inputs":["",""]}},
        {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":10,"dur":8,"args":{"Input Dims":[[4,4],[4,4]],"Input type":["float","float"],"Concrete Inputs":["",""]}},
        {"ph":"X","cat":"cpu_op","name":"c10d::send","pid":1,"tid":1,"ts":20,"dur":4,"args":{}}
        """;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    private Path trace;
    private Path plan;

    @BeforeEach
    void writeATrace() throws IOException {
        trace = Files.writeString(folder.resolve("trace.json"), EVENTS + "]}");
        plan = folder.resolve("plan.json");
    }

    private int run(Object... words) {
        String[] arguments = Stream.of(words).map(Object::toString).toArray(String[]::new);
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }

    @Test
    void plansSayWhatCanBeReplayed() throws IOException {
        assertThat(run("replay", "plan", trace, "-o", plan)).isZero();

        assertThat(out.toString())
                .contains("3 operator calls, 2 of them different", "66.67 % of the calls can be replayed")
                .contains("with 80.00 % of the recorded time", "1 x c10d::send");
        assertThat(Files.readString(plan))
                .contains("\"name\":\"aten::mm\"", "\"calls\":2", "\"reason\":\"collective\"");
    }

    @Test
    void theSameTraceGivesTheSamePlan() throws IOException {
        run("replay", "plan", trace, "-o", plan);
        run("replay", "plan", trace, "-o", folder.resolve("again.json"), "--jobs", "2");

        assertThat(folder.resolve("again.json")).hasSameTextualContentAs(plan);
    }

    @Test
    void aDamagedTraceIsPlannedInPart() throws IOException {
        Files.writeString(trace, EVENTS + ",{\"ph\":\"X\",\"cat\":\"cpu_op\",\"na");

        assertThat(run("replay", "plan", trace, "-o", plan)).isEqualTo(ExitStatus.PARTIAL);
        assertThat(plan).exists();
        assertThat(run("replay", "plan", trace, "-o", plan, "--strict")).isEqualTo(ExitStatus.UNREADABLE);
    }

    @Test
    void aTraceWithoutOperatorsHasNothingToPlan() throws IOException {
        Files.writeString(trace, """
            {"traceEvents": [{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":0,"dur":8,"args":{"device":0,"stream":7}}]}
            """);

        assertThat(run("replay", "plan", trace, "-o", plan)).isEqualTo(ExitStatus.NOTHING);
        assertThat(plan).doesNotExist();
    }

    @Test
    void inputsAreNeverOverwritten() throws IOException {
        String before = Files.readString(trace);

        assertThat(run("replay", "plan", trace, "-o", trace)).isEqualTo(ExitStatus.USAGE);
        run("replay", "plan", trace, "-o", plan);
        assertThat(run("replay", "run", plan, "-o", plan)).isEqualTo(ExitStatus.USAGE);
        assertThat(run("replay", "export", plan, "--to", "python", "-o", plan)).isEqualTo(ExitStatus.USAGE);
        assertThat(Files.readString(trace)).isEqualTo(before);
    }

    @Test
    void exportsLieBesideThePlan() throws IOException {
        run("replay", "plan", trace, "-o", plan, "--quiet");

        assertThat(run("replay", "export", plan, "--to", "python")).isZero();
        assertThat(run("replay", "export", plan, "--to", "cpp")).isZero();
        assertThat(Files.readString(folder.resolve("plan.py"))).contains("aten::mm");
        assertThat(Files.readString(folder.resolve("plan_cpp/plan.cpp"))).contains("aten::mm");
        assertThat(run("replay", "export", plan, "--to", "fortran")).isEqualTo(ExitStatus.USAGE);
    }

    @Test
    void commandsThatAreOfferedRunNothingElse() {
        run("replay", "plan", trace, "-o", plan, "--quiet");
        Path odd = folder.resolve("it's $(id)");

        assertThat(run("replay", "export", plan, "--to", "python", "-o", odd + ".py"))
                .isZero();
        assertThat(out.toString()).contains("python3 '" + folder + "/it'\\''s $(id).py' -o");
        assertThat(run("replay", "export", plan, "--to", "cpp", "-o", odd)).isZero();
        assertThat(out.toString()).contains("cmake -S '" + folder + "/it'\\''s $(id)' -B");
    }

    @Test
    void wrongSettingsAreRefusedBeforeAnythingIsFetched() {
        run("replay", "plan", trace, "-o", plan, "--quiet");
        Path result = folder.resolve("result.json");

        assertThat(run("replay", "run", plan, "-o", result, "--device", "tpu")).isEqualTo(ExitStatus.USAGE);
        assertThat(run("replay", "run", plan, "-o", result, "--warmup", "0")).isEqualTo(ExitStatus.USAGE);
        for (String option :
                List.of("--warmup", "--iterations", "--threads", "--memory-limit", "--time-limit", "--window")) {
            for (String number : List.of("0", "-1")) {
                assertThat(run("replay", "run", plan, "-o", result, option, number))
                        .isEqualTo(ExitStatus.USAGE);
            }
        }
        assertThat(run("replay", "run", plan, "-o", result, "--window", "500", "--iterations", "5"))
                .isEqualTo(ExitStatus.USAGE);
        assertThat(run("replay", "run", plan, "-o", result, "--window", "600", "--time-limit", "1"))
                .isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString()).contains("half of --time-limit");
        assertThat(run("replay", "run", trace, "-o", result)).isEqualTo(ExitStatus.UNREADABLE);
        assertThat(run("record")).isEqualTo(ExitStatus.USAGE);
        if (!Files.exists(Path.of("/dev/nvidia0"))) {
            assertThat(run("replay", "run", plan, "-o", result, "--device", "cuda"))
                    .isEqualTo(ExitStatus.USAGE);
            assertThat(err.toString()).contains("there is no NVIDIA GPU");
        }
        assertThat(result).doesNotExist();
    }

    static final String RESULT = """
        {"format": "lockstep-replay-result", "version": 1, "environment": {"device": "cpu"}, "steps": 2, "operators": [
        {"id":0,"name":"aten::mm","shapes":[[4,4],[4,4]],"types":["float32","float32"],"values":[null,null],"status":"ran","executed":10,"host":{"median_ns":100000000},"window":{"start_ns":1000000000,"end_ns":2000000000},"calls":4,"calls_per_step":2,"recorded_cpu_ns":480000000},
        {"id":1,"name":"aten::mm","shapes":[[8,4],[4,4]],"types":["float32","float32"],"values":[null,null],"status":"not-run","reason":"memory","calls":4,"calls_per_step":2,"recorded_cpu_ns":80000000}]}
        """;

    @Test
    void energyOfShortWindowsNamesTheRemedyAndTellsPartsApart() throws IOException {
        Path result = Files.writeString(folder.resolve("result.json"), RESULT);
        Path log = Files.writeString(folder.resolve("p.csv"), """
            timestamp,gpu,power_w
            1970-01-01T00:00:00.900Z,0,50
            1970-01-01T00:00:01.400Z,0,50
            1970-01-01T00:00:02.100Z,0,50
            """);

        assertThat(run("replay", "energy", result, "--power", log, "--csv", folder.resolve("csv")))
                .isEqualTo(ExitStatus.PARTIAL);
        assertThat(out.toString()).contains("1 of 1 parts hold fewer than 20").contains("--window");
        assertThat(Files.readString(folder.resolve("csv/replay_energy.csv")))
                .startsWith("operator,name,shapes,types,values,kind,")
                .contains("0,aten::mm,\"[[4,4],[4,4]]\"");
        assertThat(run("replay", "energy", result, "--power", log, "--forwards", "0"))
                .isEqualTo(ExitStatus.USAGE);
    }

    @Test
    void comparisonsNeedPartsThatRan() throws IOException {
        Path result = Files.writeString(folder.resolve("result.json"), RESULT);
        assertThat(run("replay", "compare", result, "--whole-ms", "300", "--csv", folder.resolve("csv")))
                .isZero();
        assertThat(out.toString()).contains("--mode sequence");
        assertThat(Files.readString(folder.resolve("csv/contributions.csv")))
                .contains("parts alone,200,", "other conditions in the recording,40,", "not replayed,40,");

        Files.writeString(result, RESULT.replace("\"median_ns\"", "\"other\""));
        assertThat(run("replay", "compare", result, "--whole-ms", "300", "--csv", folder.resolve("csv")))
                .isEqualTo(ExitStatus.NOTHING);
    }
}
