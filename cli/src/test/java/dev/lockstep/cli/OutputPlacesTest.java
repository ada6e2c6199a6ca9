// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.synth.Layout;
import dev.lockstep.synth.SweepRecipe;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticSweep;
import dev.lockstep.synth.SyntheticTraces;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Model.OptionSpec;

/** Where commands write: over no input, to no place twice, out of no folder, and nowhere without a name. */
class OutputPlacesTest {
    /** Options that name what is read. A new option with a path belongs here, or among those that are written. */
    private static final Set<String> READ = Set.of(
            "--algorithm",
            "--autopilot_data",
            "--base-path",
            "--baseline",
            "--baseline-capture",
            "--budget",
            "--candidate",
            "--capture",
            "--compiler_info",
            "--compose-file",
            "--config",
            "--csv-path",
            "--execution-trace",
            "--file",
            "--hosts",
            "--input-csv",
            "--meta",
            "--models",
            "--nccl_log",
            "--npkit-data-ll128",
            "--npkit_data_ll",
            "--npkit_data_simple",
            "--power",
            "--profile",
            "--rccl",
            "--reports",
            "--rocprof-input",
            "--root",
            "--shapes",
            "--sweep1",
            "--sweep2",
            "--table",
            "--test",
            "--topology",
            "--trace",
            "--trace_dir",
            "--traces",
            "--whole");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    private int run(Object... arguments) {
        return TestProgram.run(out, err, arguments);
    }

    private Path traces() throws IOException {
        Path traces = folder.resolve("run");
        SyntheticRun.write(traces, SyntheticTraces.smallRecipe(2), Layout.flat());
        return traces;
    }

    private static Path first(Path traces) throws IOException {
        try (Stream<Path> files = Files.list(traces)) {
            return files.filter(file -> file.getFileName().toString().startsWith("rank"))
                    .sorted()
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void twoOutputsDoNotShareAPlaceAndNothingIsLeft() throws IOException {
        Path trace = first(traces());
        Map<String, String> before = TestProgram.files(folder);
        Path file = folder.resolve("o.svg");
        Path other = folder.resolve("x/../o.svg");
        twice("report", trace, "--json", file, "--folded", other);
        twice("report", trace, "--html", file, "--speedscope", other);
        twice("report", trace, "--json", file, "--html", other);
        twice("report", trace, "--json", file, "--csv", other);
        twice("kernels", "gantt", trace, "-o", file, "--csv", file);
        twice("sql", trace, "select 1", "--csv=" + file, "--parquet=" + other);
        assertThat(TestProgram.files(folder)).isEqualTo(before);
        assertThat(file).doesNotExist();
    }

    private void twice(Object... arguments) {
        assertThat(run(arguments)).as("%s: %s", List.of(arguments), err).isEqualTo(2);
        assertThat(err.toString()).contains("is named for two outputs");
    }

    @Test
    void linksInADatasetOrASweepLeadNoOutputAway() throws IOException {
        Path traces = traces();
        Path outside = Files.createDirectory(folder.resolve("outside"));
        for (String link : List.of("slices", "_runs")) {
            Path data = folder.resolve("data_" + link);
            assertThat(run("dataset", traces, "-o", data, "--run", "r1")).isZero();
            Files.move(data.resolve(link), folder.resolve("moved_" + link));
            Files.createSymbolicLink(data.resolve(link), outside);
            assertThat(run("dataset", traces, "-o", data, "--run", "r2")).isNotZero();
            assertThat(err.toString()).contains("a link leads out of");
            assertThat(data.resolve("steps/run=r2")).doesNotExist();
        }
        Path sweep = folder.resolve("sweep");
        SyntheticSweep.write(sweep, SweepRecipe.grid(SyntheticTraces.smallRecipe(2), List.of(256), List.of(28)));
        Files.createSymbolicLink(sweep.resolve("lockstep_reports"), outside);
        assertThat(run("sweep", "report", sweep)).isNotZero();
        assertThat(err.toString()).contains("a link leads out of");
        assertThat(outside).isEmptyDirectory();

        assertThat(run("sweep", "report", sweep.resolve("lockstep_reports")))
                .as("the link itself is named: %s", err)
                .isZero();
        assertThat(outside).isNotEmptyDirectory();
    }

    private static boolean isPlace(OptionSpec option) {
        return option.type() == Path.class || option.paramLabel().matches("(FILE|DIR|PATHS?)");
    }

    @Test
    void everyOptionWithAPathIsKnownToBeReadOrWritten() {
        Set<String> read = new TreeSet<>();
        Commands.runnable().forEach(entry -> {
            Commands.Declared declared = Commands.declared(entry, new String[] {"--help"});
            for (OptionSpec option : declared.line().getCommandSpec().options()) {
                if (isPlace(option) && !declared.arguments().written().contains(option)) {
                    read.add(option.longestName());
                }
            }
        });
        assertThat(read).containsExactlyInAnyOrderElementsOf(READ);
    }

    @Test
    void noOptionWritesWhatAnotherOneReads() throws IOException {
        Path file = Files.writeString(folder.resolve("mine"), "mine");
        List<String> wrong = new ArrayList<>();
        Commands.runnable().forEach(entry -> {
            Commands.Declared declared = Commands.declared(entry, new String[] {"--help"});
            List<OptionSpec> places = declared.line().getCommandSpec().options().stream()
                    .filter(OutputPlacesTest::isPlace)
                    .toList();
            for (OptionSpec written : declared.arguments().written()) {
                for (OptionSpec read : places) {
                    if (!declared.arguments().written().contains(read)) {
                        int status =
                                run(line(entry, declared, file, written, read).toArray());
                        if (status != 2
                                || !err.toString().contains("mine is an input; an output never overwrites it")) {
                            wrong.add(
                                    entry.name() + " " + written.longestName() + " " + read.longestName() + ": " + err);
                        }
                    }
                }
            }
        });
        assertThat(wrong).isEmpty();
        assertThat(file).hasContent("mine");
    }

    /** A command line with all that must be given. */
    private List<String> line(
            CommandEntry entry, Commands.Declared declared, Path file, OptionSpec written, OptionSpec read) {
        List<String> line = new ArrayList<>(List.of(entry.name().split(" ")));
        declared.line().getCommandSpec().positionalParameters().stream()
                .filter(argument -> argument.required())
                .forEach(argument -> line.add(folder.resolve("none").toString()));
        for (OptionSpec option : declared.line().getCommandSpec().options()) {
            boolean asked = option == written || option == read;
            if (asked || option.required()) {
                line.add(option.longestName() + "=" + (asked ? file : folder.resolve("none")));
            }
        }
        return line;
    }

    @Test
    void noFileOfAFolderTakesThePlaceOfAnInput() throws IOException {
        Path trace = first(traces());
        Path parts = Files.createDirectory(folder.resolve("parts"));
        for (String name : List.of("index.json", "iterations.csv")) {
            Path input = Files.copy(trace, parts.resolve(name));
            Map<String, String> before = TestProgram.files(folder);
            refused("split", input, "-o", parts);
            assertThat(TestProgram.files(folder)).isEqualTo(before);
        }
        Path sheets = Files.createDirectories(folder.resolve("report/csv"));
        Path input = Files.copy(trace, sheets.resolve("ops_summary.csv"));
        Map<String, String> before = TestProgram.files(folder);
        refused("report", input, "-o", folder.resolve("report"));
        refused("report", input, "--csv", sheets);
        assertThat(TestProgram.files(folder)).isEqualTo(before);
    }

    @Test
    void whatFoldersPatternsAndDatasetsStandForIsNeverOverwritten() throws IOException {
        Path traces = traces();
        Path trace = first(traces);
        Path data = folder.resolve("data");
        Path report = folder.resolve("a");
        Path sheets = folder.resolve("sheets");
        assertThat(run("dataset", traces, "-o", data, "--run", "r1")).isZero();
        assertThat(run("report", trace, "-o", report)).isZero();
        assertThat(run("report", trace, "-o", folder.resolve("b"))).isZero();
        assertThat(run("sql", traces, "select 1 as x", "--parquet", sheets.resolve("t.parquet")))
                .isZero();
        Map<String, String> before = TestProgram.files(folder);

        String part = "run=r1/rank_block=00000/part-0.parquet";
        refused("sql", traces, "select 1", "--csv=" + trace);
        refused("sql", traces + "/*.json", "select 1", "--csv=" + trace);
        refused("sql", sheets, "select 1", "--parquet", sheets.resolve("t.parquet"));
        refused("sql", data, "select 1", "--csv=" + data.resolve("steps").resolve(part));
        refused("sql", report, "select 1", "--csv=" + report.resolve("csv/ops_summary.csv"));
        refused("fleet", data, "--json", data.resolve("_lockstep.json"));
        refused("fleet", data, "--json", data.resolve("_runs/r1.json"));
        refused("fleet", data, "--json", data.resolve("ranks").resolve(part));
        refused("compare", report, folder.resolve("b"), "--xlsx", report.resolve("report.xlsx"));
        refused("aiu", "-i", trace, "-o", folder.resolve("o.json"), "--copy_to", trace);

        assertThat(TestProgram.files(folder)).isEqualTo(before);
    }

    private void refused(Object... arguments) {
        assertThat(run(arguments)).as("%s: %s", List.of(arguments), err).isEqualTo(2);
        assertThat(err.toString()).contains("is an input; an output never overwrites it");
    }

    @Test
    void anEarlierOutputInTheFolderThatIsReadIsReplaced() throws IOException {
        Path traces = traces();
        Path data = folder.resolve("data");
        assertThat(run("dataset", traces, "-o", data, "--run", "r1")).isZero();
        for (int time = 0; time < 2; time++) {
            assertThat(run("report", traces, "-o", traces.resolve("report")))
                    .as(err.toString())
                    .isZero();
            assertThat(run("sql", data, "select 1", "--csv=" + data.resolve("s.csv")))
                    .as(err.toString())
                    .isZero();
            assertThat(run("fleet", data, "--json", data.resolve("fleet.json")))
                    .as(err.toString())
                    .isZero();
        }
    }

    @Test
    void theEmptyWordIsNoPath() throws IOException {
        Path trace = first(traces());
        for (List<Object> line : List.<List<Object>>of(
                List.of("report", trace, "-o", ""),
                List.of("report", trace, "--csv", ""),
                List.of("report", trace, "--json="),
                List.of("report", ""),
                List.of("info", ""),
                List.of("compare", "", ""),
                List.of("sql", "", "select 1"),
                List.of("replay", "plan", "", "-o", folder.resolve("p.json")))) {
            assertThat(run(line.toArray())).as(line.toString()).isEqualTo(2);
            assertThat(err.toString()).contains("an empty word names no file and no folder");
        }
        assertThat(run("report", trace, "--csv", "")).isEqualTo(2);
        assertThat(err.toString()).contains("--csv");
    }
}
