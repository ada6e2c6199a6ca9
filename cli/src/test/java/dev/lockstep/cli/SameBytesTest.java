// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.session.Registry;
import dev.lockstep.synth.Layout;
import dev.lockstep.synth.SweepRecipe;
import dev.lockstep.synth.SyntheticSweep;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.Workers;
import dev.lockstep.testkit.Pickled;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TimeZone;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine.Model.OptionSpec;

/** What any command writes depends on the input alone: not on time zone, language, user or number of threads. */
class SameBytesTest {
    /** Commands that are not run here, and why. */
    private static final Map<String, String> OTHERWISE = Map.ofEntries(
            Map.entry("config run", "writes down when the training ran, and where"),
            Map.entry("sweep run", "writes down when the training ran, and where"),
            Map.entry("record", "measures"),
            Map.entry("replay run", "measures"),
            Map.entry("replay power", "measures"),
            Map.entry("goal algorithms", "writes no file"),
            Map.entry("goal simulate", "writes no file"),
            Map.entry("goal verify", "writes no file"),
            Map.entry("info", "writes no file"),
            Map.entry("ask", "writes no file"),
            Map.entry("mcp", "writes no file"),
            Map.entry("version", "writes no file"),
            Map.entry("view", "writes no file"));

    /** Options that name what is read. */
    private static final Set<String> INPUTS = Set.of(
            "--algorithm",
            "--arch",
            "--trace_dir",
            "--topology",
            "--npkit-data-ll128",
            "--npkit_data_ll",
            "--npkit_data_simple",
            "--nccl_log",
            "--autopilot_data",
            "--base-path",
            "--baseline",
            "--budget",
            "--candidate",
            "--capture",
            "--baseline-capture",
            "--categories",
            "--compiler_info",
            "--compute-csvs",
            "--csv-path",
            "--execution-trace",
            "--file",
            "--hosts",
            "--input",
            "--input-csv",
            "--inputs",
            "--meta",
            "--models",
            "--power",
            "--profile",
            "--reports",
            "--shapes",
            "--table",
            "--test",
            "--whole");

    private final Locale locale = Locale.getDefault();
    private final TimeZone zone = TimeZone.getDefault();
    private final String user = System.getProperty("user.name");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    @AfterEach
    void restore() {
        Locale.setDefault(locale);
        TimeZone.setDefault(zone);
        System.setProperty("user.name", user);
    }

    @Test
    void everyWriterGivesTheSameBytesEverywhere() throws IOException {
        prepare();
        Map<String, String> here = written("UTC", "en-US", "root", 1);

        for (String[] place :
                new String[][] {{"Pacific/Kiritimati", "ar-EG-u-nu-arab", "user"}, {"America/St_Johns", "tr-TR", "ünal"}
                }) {
            Map<String, String> there = written(place[0], place[1], place[2], 3);

            assertThat(there.keySet()).isEqualTo(here.keySet());
            here.forEach((file, content) ->
                    assertThat(there.get(file).equals(content)).as(file).isTrue());
        }
        assertThat(here.keySet())
                .contains("report/report.xlsx", "report/report.html", "report/csv/gpu_timeline.csv", "report.json")
                .contains("merged.json", "merged.json.gz", "merged.pftrace", "compare/report.xlsx", "gantt.png")
                .contains("dataset/_runs/in.json", "dataset/slices/run=in/rank_block=00000/part-0.parquet")
                .contains(
                        "sweep/lockstep_reports/sweep.html", "configs/performance_analysis_report.html", "sweeps.html")
                .contains("configs/collective_comparison.xlsx", "energy/report.html", "gemms.csv", "slices.parquet")
                .anyMatch(file -> file.startsWith("demo/") && file.endsWith(".html"))
                .anyMatch(file -> file.startsWith("plots/") && file.endsWith(".png"))
                .anyMatch(file -> file.startsWith("memory/csv/memory_peak"))
                .anyMatch(file -> file.startsWith("sweep/tracelens_analysis/"));
    }

    static Stream<CommandEntry> commands() {
        return Commands.runnable();
    }

    /** A new command, or a new option that names an output, fails here until a command line above has it. */
    @ParameterizedTest
    @MethodSource("commands")
    void everyCommandThatWritesIsAmongThem(CommandEntry entry) {
        List<List<String>> lines = commandLines(folder).stream()
                .map(line -> line.stream().map(String::valueOf).toList())
                .filter(line -> String.join(" ", line).startsWith(entry.name() + " "))
                .toList();
        assertThat(OTHERWISE.containsKey(entry.name())).as(entry.name()).isEqualTo(lines.isEmpty());
        if (lines.isEmpty()) {
            return;
        }
        Set<String> words = lines.stream()
                .flatMap(List::stream)
                .map(word -> word.startsWith("--") ? word.replaceFirst("=.*", "") : word)
                .collect(Collectors.toSet());
        List<OptionSpec> options =
                Commands.line(entry, entry.create().get()).getCommandSpec().options();
        Set<String> ofReports = new Registry()
                .reportWriters().stream().map(writer -> "--" + writer.id()).collect(Collectors.toSet());
        boolean isReport =
                options.stream().map(OptionSpec::longestName).toList().containsAll(ofReports);
        for (OptionSpec option : options) {
            if (option.paramLabel().matches(".*(FILE|DIR|PATH).*")
                    && !INPUTS.contains(option.longestName())
                    && (!isReport || entry.name().equals("report") || !ofReports.contains(option.longestName()))) {
                assertThat(option.names())
                        .as(entry.name() + " " + option.longestName())
                        .anyMatch(words::contains);
            }
        }
    }

    private void prepare() throws IOException {
        run(List.of("synth", "-o", folder.resolve("in"), "--ranks", 2, "--size", "150kB"));
        Files.writeString(folder.resolve("in/result.replay"), ReplayCommandTest.RESULT);
        Files.writeString(folder.resolve("in/power.csv"), """
            timestamp,gpu,power_w
            1970-01-01T00:00:00.900Z,0,50
            1970-01-01T00:00:02.100Z,0,50
            """);
        Files.write(
                folder.resolve("in/snapshot.pickle"),
                Pickled.of(
                        Pickled.snapshot(
                                List.of(Pickled.segment(0, 1L << 30, 1000)),
                                List.of(
                                        Pickled.change("alloc", 16, 5000, 5, List.of()),
                                        Pickled.change("free_completed", 16, 5000, 9, List.of()))),
                        4));
    }

    private Map<String, String> written(String timeZone, String language, String name, int jobs) throws IOException {
        TimeZone.setDefault(TimeZone.getTimeZone(timeZone));
        Locale.setDefault(Locale.forLanguageTag(language));
        System.setProperty("user.name", name);
        Path to = folder.resolve("out"); // one place: aiu records its command line
        SyntheticSweep.write(
                to.resolve("sweep"),
                SweepRecipe.grid(SyntheticTraces.smallRecipe(2), List.of(256, 1024), List.of(28)),
                Layout.torchProfiler("trace.json"),
                Workers.none());
        for (List<?> command : commandLines(folder)) {
            List<Object> line = new ArrayList<>(command);
            line.add("--jobs");
            line.add(jobs);
            run(line);
        }
        Map<String, String> files = TestProgram.files(to);
        Files.move(to, folder.resolve(language));
        return files;
    }

    private static List<List<?>> commandLines(Path folder) {
        Path to = folder.resolve("out");
        Path in = folder.resolve("in");
        Path rank = in.resolve("rank0_trace.json");
        Path other = in.resolve("rank1_trace.json");
        Path sweep = to.resolve("sweep");
        Path reports = sweep.resolve("lockstep_reports");
        Path one = sweep.resolve("256thread/nccl_28channels/torch_profiler");
        Path two = sweep.resolve("1024thread/nccl_28channels/torch_profiler");
        Path result = in.resolve("result.replay");
        Path power = in.resolve("power.csv");
        return List.of(
                List.of("report", rank, "-o", to.resolve("report")),
                List.of(
                        "report",
                        rank,
                        "--json",
                        to.resolve("report.json"),
                        "--csv",
                        to.resolve("csv"),
                        "--json-summary",
                        to.resolve("summary.json"),
                        "--markdown",
                        to.resolve("report.md"),
                        "--otel",
                        to.resolve("metrics.json"),
                        "--prometheus",
                        to.resolve("report.prom")),
                List.of(
                        "gate",
                        "--baseline",
                        rank,
                        "--candidate",
                        rank,
                        "--history",
                        to.resolve("history"),
                        "--junit",
                        to.resolve("gate.xml"),
                        "--sarif",
                        to.resolve("gate.sarif"),
                        "--markdown",
                        to.resolve("gate.md")),
                List.of("completion", "-o", to.resolve("share")),
                List.of("report", rank, "--html", to.resolve("r.html"), "--parquet", to.resolve("parquet")),
                List.of("report", rank, "--folded", to.resolve("r.folded"), "--speedscope", to.resolve("r.speedscope")),
                List.of("report", rank, "--csv", to.resolve("o"), "--overlay", to.resolve("overlay.json.gz")),
                List.of("report", rank, "--compat", "tracelens", "--xlsx", to.resolve("tracelens.xlsx")),
                List.of("report", rank, "--compat", "hta", "--csv", to.resolve("hta")),
                List.of("report", in, "-o", to.resolve("ranks")),
                List.of("collectives", in, "-o", to.resolve("collectives")),
                List.of("stragglers", in, "-o", to.resolve("stragglers")),
                List.of("fleet", in, "-o", to.resolve("fleet")),
                List.of("synth", "-o", to.resolve("dumps"), "--hang", "none", "--ranks", 8),
                List.of("hangs", to.resolve("dumps"), "--traces", in, "-o", to.resolve("hangs")),
                List.of("synth", "-o", to.resolve("logs"), "--inspector", "none", "--ranks", 8),
                List.of("links", to.resolve("logs"), "-o", to.resolve("links")),
                List.of("memory", in.resolve("snapshot.pickle"), "-o", to.resolve("memory")),
                List.of("dataset", in, "-o", to.resolve("dataset"), "--findings"),
                List.of("sql", to.resolve("dataset"), "FROM ranks", "--csv=" + to.resolve("ranks.csv")),
                List.of("sql", rank, "FROM kernels", "--json=" + to.resolve("kernels.json")),
                List.of("sql", rank, "FROM slices", "--parquet", to.resolve("slices.parquet")),
                List.of(
                        "compare",
                        to.resolve("report/report.xlsx"),
                        to.resolve("report/csv"),
                        "-o",
                        to.resolve("compare")),
                List.of("diff", rank, other, "-o", to.resolve("diff")),
                List.of("merge", in, "-o", to.resolve("merged.json")),
                List.of(
                        "merge",
                        in,
                        "-o",
                        to.resolve("merged.json.gz"),
                        "--align",
                        "collectives",
                        "--manifest",
                        to.resolve("manifest.json")),
                List.of("merge", in, "-o", to.resolve("merged.pftrace")),
                List.of("merge", in, "-o", to.resolve("aorta.json"), "--compat", "aorta"),
                List.of("split", rank, "-o", to.resolve("split")),
                List.of("kernels", "extract", rank, "-o", to.resolve("kernels")),
                List.of("kernels", "gantt", rank, "-o", to.resolve("gantt.png"), "--csv", to.resolve("gantt")),
                List.of("kernels", "gantt", rank, "-o", to.resolve("gantt.svg")),
                List.of("kernels", "gantt", rank, "-o", to.resolve("gantt.html")),
                List.of("replay", "plan", rank, "-o", to.resolve("plan.json")),
                List.of("replay", "export", to.resolve("plan.json"), "--to", "python", "-o", to.resolve("replay.py")),
                List.of("replay", "energy", result, "--power", power, "-o", to.resolve("energy")),
                List.of("replay", "compare", result, "--whole-ms", 300, "-o", to.resolve("replayed")),
                List.of("goal", "generate", "-i", in, "-o", to.resolve("goal")),
                List.of("goal", "-i", in, "-o", to.resolve("goals"), "-p", "--intermediate_goal"),
                List.of("goal", "export", "--chakra", in, "-o", to.resolve("chakra")),
                List.of("goal", "report", to.resolve("goal/output.goal"), "-o", to.resolve("schedule")),
                List.of("aiu", "-i", rank, "-o", to.resolve("aiu.json"), "--copy_to", to.resolve("aiu.copy.json")),
                List.of("sweep", "all", sweep),
                List.of("sweep", "report", sweep, "--compat", "aorta"),
                List.of("sweep", "merge", sweep, "--format", "json"),
                List.of("sweep", "html", "--sweep1", sweep, "--sweep2", sweep, "--output", to.resolve("sweeps.html")),
                List.of("config", "report", one.getParent()),
                List.of(
                        "config",
                        "compare",
                        "--baseline",
                        one,
                        "--test",
                        two,
                        "-o",
                        to.resolve("configs"),
                        "--all",
                        "--generate-plots"),
                List.of("gemm", "variance", "--base-path", reports, "--output-file", to.resolve("gemms.csv")),
                List.of("gemm", "plot", "--csv-path", to.resolve("gemms.csv"), "--output-dir", to.resolve("plots")),
                List.of(
                        "gemm",
                        "timestamps",
                        "--input-csv",
                        to.resolve("gemms.csv"),
                        "--base-path",
                        sweep,
                        "--output-csv",
                        to.resolve("moments.csv")),
                List.of(
                        "gemm",
                        "overlap",
                        "--input-csv",
                        to.resolve("moments.csv"),
                        "--reports",
                        reports,
                        "--output-csv",
                        to.resolve("overlaps.csv")),
                List.of("demo", "-o", to.resolve("demo"), "--quiet"),
                List.of("synth", "-o", to.resolve("synth"), "--ranks", 1, "--size", "100kB", "--gz"));
    }

    private void run(List<?> line) {
        assertThat(TestProgram.run(out, err, line.toArray()))
                .as("%s: %s", line, err)
                .isIn(ExitStatus.COMPLETE, ExitStatus.PARTIAL, ExitStatus.NOTHING);
    }
}
