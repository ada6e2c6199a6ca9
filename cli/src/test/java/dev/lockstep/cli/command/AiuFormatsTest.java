// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code lockstep aiu} reads and writes beyond JSON. */
class AiuFormatsTest {
    private static final Pattern TS = Pattern.compile("\"ts\": ([0-9.]+)");

    /** One kernel of 100 us and one of 50 us, at 500 MHz and 800 MHz: 50000 and 25000 cycles; 40000 ideal ones. */
    private static final String LOG = """
            [INFO] compiling
            ====== Perf Summary ======
            ~~~~ Ideal/Total Cycles ~~~~
            mm_1-opCatBmm_fp16                     40000
            add_1-opCatBroadcast                       0
            ====== Perf Summary End ======
            """;

    @TempDir
    Path folder;

    private String said = "";

    private int run(String... arguments) {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        int status = Main.run(out, out, arguments);
        said = text.toString();
        return status;
    }

    private String file(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content).toString();
    }

    private String at(String name) {
        return folder.resolve(name).toString();
    }

    private static String kernel(int pid, String name, double ts, double dur, long power) {
        long cycles = Math.round(dur * 500);
        return "{\"ph\":\"X\",\"name\":\"" + name + " Cmpt Exec\",\"pid\":" + pid + ",\"tid\":7,\"ts\":" + ts
                + ",\"dur\":" + dur + ",\"attr\":{\"TS1\":\"1000\",\"TS2\":\"1000\",\"TS3\":\"1000\",\"TS4\":\""
                + (1000 + cycles) + "\",\"TS5\":\"" + (1000 + cycles) + "\",\"Power\":\"" + power + "\"}}";
    }

    private String flex() throws IOException {
        return file(
                "flex.json", "[" + kernel(0, "mm_1", 1000, 100, 10) + "," + kernel(0, "add_1", 1200, 50, 3010) + "]");
    }

    @Test
    void theEndingOfTheTargetChoosesPerfetto() throws IOException {
        assertThat(run("aiu", "-i", flex(), "--freq", "500:800", "-o", at("out.pftrace")))
                .isZero();
        assertThat(run("info", at("out.pftrace"))).isZero();
        assertThat(said).contains("perfetto").contains("complete 2, on devices 2");
        assertThat(folder.resolve("out_summary.csv")).exists();
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(f -> f.getFileName().toString())).noneMatch(name -> name.startsWith("."));
        }
    }

    @Test
    void packedPerfettoFilesNameTheirTablesAlike() throws IOException {
        assertThat(run("aiu", "-i", flex(), "--freq", "500:800", "-o", at("out.pftrace.gz")))
                .isZero();
        assertThat(folder.resolve("out_summary.csv")).exists();
        assertThat(Files.readAllBytes(folder.resolve("out.pftrace.gz"))).startsWith(0x1F, 0x8B);
    }

    @Test
    void tensorBoardGetsNoPerfetto() throws IOException {
        assertThat(run("aiu", "-i", flex(), "--tb", "-o", at("out.pftrace"))).isEqualTo(2);
        assertThat(said).contains("TensorBoard reads no trace in Perfetto's format");
        assertThat(folder.resolve("out.pftrace")).doesNotExist();
    }

    @Test
    void compatKeepsJsonWhateverTheEnding() throws IOException {
        assertThat(run("aiu", "-i", flex(), "--freq", "500:800", "-o", at("out.pftrace"), "--compat", "acelyzer"))
                .isZero();
        assertThat(folder.resolve("out.pftrace")).content().startsWith("{");
    }

    @Test
    void perfettoFilesAreReadAsTheirJsonWouldBe() throws IOException {
        String flex = flex();
        assertThat(run("merge", flex, "-o", at("in.pftrace"))).isZero();
        assertThat(run("aiu", "-i", flex, "--freq", "500:800", "-o", at("a.json")))
                .isZero();
        assertThat(run("aiu", "-i", at("in.pftrace"), "--freq", "500:800", "-o", at("b.json")))
                .isZero();
        String a = Files.readString(folder.resolve("a.json"));
        String b = Files.readString(folder.resolve("b.json"));
        assertThat(matches(TS, a)).hasSizeGreaterThan(5);
        assertThat(matches(TS, b)).isEqualTo(matches(TS, a));
        assertThat(b).contains("\"TS4\": \"51000\"");
        assertThat(folder.resolve("b_summary.csv")).hasSameTextualContentAs(folder.resolve("a_summary.csv"));
    }

    private static List<String> matches(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(MatchResult::group).toList();
    }

    @Test
    void aLogAmongTheInputsIsTheCompilers() throws IOException {
        String log = file("compiler.log", LOG);
        assertThat(run("aiu", "-i", flex() + "," + log, "--freq", "500:800", "-o", at("a.json")))
                .isZero();
        assertThat(run("aiu", "-i", flex(), "-c", log, "--freq", "500:800", "-o", at("b.json")))
                .isZero();
        assertThat(folder.resolve("a_categories.csv")).hasSameTextualContentAs(folder.resolve("b_categories.csv"));
        assertThat(folder.resolve("a_categories.csv")).content().contains("Bmm_fp16,100.0,0.6667,1,50.0,40000,1.0,0.5");
    }

    @Test
    void aLogAloneIsNoTrace() throws IOException {
        assertThat(run("aiu", "-i", file("compiler.log", LOG), "-o", at("a.json")))
                .isEqualTo(3);
        assertThat(said).contains("a log, no trace");
    }

    /** 50000 of 75000 cycles are 0.6667; at 800 MHz they are 80000, half of which is ideal. */
    @Test
    void categoriesComeInCyclesToo() throws IOException {
        String log = file("compiler.log", LOG);
        assertThat(run("aiu", "-i", flex(), "-c", log, "--freq", "500:800", "-o", at("a.json")))
                .isZero();
        assertThat(Files.readAllLines(folder.resolve("a_categories_cycles.csv")))
                .containsExactly(
                        "Pid,Category,Cycles,Frac_Cycle,Calls,Cycles(core),Ideal_Cyc,Frac_Ideal,PT_Util",
                        "0,Broadcast,25000,0.3333,1,40000,0,0.0,0.0",
                        "0,Bmm_fp16,50000,0.6667,1,80000,40000,1.0,0.5",
                        "0,Total,75000,1.0,2,120000,40000,1.0,0.3333");
        assertThat(folder.resolve("a_categories_cycles.txt")).content().contains("Cycles(core)");
        assertThat(run("aiu", "-i", flex(), "-c", log, "-o", at("b.json"), "--compat", "acelyzer"))
                .isZero();
        assertThat(folder.resolve("b_categories_cycles.csv")).doesNotExist();
    }

    @Test
    void ranksWithLogsOfTheirOwnShareOneTable() throws IOException {
        String log = file("compiler.log", LOG);
        String ranks = file(
                "ranks.json", "[" + kernel(0, "mm_1", 1000, 100, 10) + "," + kernel(1, "mm_1", 1000, 200, 10) + "]");
        assertThat(run("aiu", "-i", ranks, "-c", log + "," + log, "-M", "--freq", "500:800", "-o", at("a.json")))
                .isZero();
        assertThat(Files.readAllLines(folder.resolve("a_categories_cycles.csv")))
                .contains("0,Total,50000,1.0,1,80000,40000,1.0,0.5", "1,Total,100000,1.0,1,160000,40000,1.0,0.25");
        assertThat(folder.resolve("a_categories.csv"))
                .content()
                .contains("0,UNKN,Total")
                .contains("1,UNKN,Total");
    }

    @Test
    void aPageStandsBesideTheTrace() throws IOException {
        String log = file("compiler.log", LOG);
        assertThat(run("aiu", "-i", flex(), "-c", log, "--freq", "500:800", "-o", at("a.json")))
                .isZero();
        assertThat(folder.resolve("a.html"))
                .content()
                .contains("Time of kernels by category")
                .contains("Bmm_fp16")
                .contains("avg_mm_util")
                .contains("Power over time");
        assertThat(run("aiu", "-i", flex(), "-t", "-o", at("b.json"))).isZero();
        assertThat(folder.resolve("b.html")).doesNotExist();
        assertThat(run("aiu", "-i", flex(), "-o", at("c.json"), "--compat", "acelyzer"))
                .isZero();
        assertThat(folder.resolve("c.html")).doesNotExist();
    }

    private static String torch(String... events) {
        return "{\"deviceProperties\":[{\"id\":0}],\"traceEvents\":[" + String.join(",", events) + "]}";
    }

    private static String host(String name, int pid, double ts, double dur) {
        return "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"" + name + "\",\"pid\":" + pid + ",\"tid\":3,\"ts\":" + ts
                + ",\"dur\":" + dur + ",\"args\":{}}";
    }

    /** Ends differ by 1100 - 100160 and 2050 - 101070: the smaller one is -99060. */
    @Test
    void eventsOfFlexMoveOntoTheClockOfTheTorchProfile() throws IOException {
        String profile = file(
                "torch.json",
                torch(
                        host("Torch-Compiled Region: 0/0", 4242, 1000, 100),
                        host("Torch-Compiled Region: 0/0", 4242, 2000, 50)));
        String flex = file(
                "flex.json",
                "[" + host("Flex RoundTrip", 0, 100100, 60).replace("\"cat\":\"cpu_op\",", "") + ","
                        + kernel(0, "mm_1", 100110, 40, 1) + ","
                        + host("Flex RoundTrip", 0, 101000, 70).replace("\"cat\":\"cpu_op\",", "") + "]");
        assertThat(run("aiu", "-i", profile + "," + flex, "--freq", "500:800", "-o", at("a.json")))
                .isZero();
        assertThat(said).contains("TALN: Flex Time Offset for 0: -99060.0");
        assertThat(kernelTimes("a.json")).containsExactly("\"ts\": 1050.0");
        assertThat(run("aiu", "-i", flex, "--freq", "500:800", "-o", at("b.json")))
                .isZero();
        assertThat(kernelTimes("b.json")).containsExactly("\"ts\": 100110.0");
        assertThat(run(
                        "aiu",
                        "-i",
                        profile + "," + flex,
                        "--freq",
                        "500:800",
                        "-o",
                        at("c.json"),
                        "--compat",
                        "acelyzer"))
                .isZero();
        assertThat(kernelTimes("c.json")).containsExactly("\"ts\": 100110.0");
    }

    /** Where the kernels of a result begin. */
    private List<String> kernelTimes(String name) throws IOException {
        List<String> times = new ArrayList<>();
        for (String event : Files.readString(folder.resolve(name)).split("\"name\": ")) {
            if (event.startsWith("\"mm Cmpt Exec\"")) {
                times.addAll(matches(TS, event));
            }
        }
        return times;
    }
}
