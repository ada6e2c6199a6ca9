// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The command lines of the README, the tour, the how-tos and the examples of the help do what they say, on made data. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DocumentedCommandsTest {
    private static final Pattern LINE = Pattern.compile("^(?: {4})?(?:\\./)?lockstep ([a-z].*)$");
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");
    private static final Pattern NUMBER = Pattern.compile("[0-9.]+");

    /** Options that name a place, whatever it is called. */
    private static final Set<String> PLACES = Set.of(
            "-o",
            "--output",
            "-i",
            "--csv",
            "--json",
            "--parquet",
            "--sweep1",
            "--sweep2",
            "--base-path",
            "--output-dir");

    /** What writes into the current folder where nothing is said. */
    private static final Set<String> REPORTING =
            Set.of("report", "collectives", "diff", "compare", "stragglers", "kernels", "fleet", "memory", "split");

    private static final String WRITERS = "-o|--csv|--xlsx|--html|--json|--parquet";

    /** What cannot be done here is read, and not run. */
    private static final Pattern ONLY_READ = Pattern.compile(String.join(
            "|",
            "^view ", // stays until it is ended
            "^replay (run|power|energy|compare) ", // runs operators by a library that is fetched, or reads what that
            // measured
            "^record ",
            "--engine spark",
            "^(config|sweep) run (?!.*--dry-run)", // trains
            "--(capture|table|execution-trace) ", // recordings of a serving engine, tables and traces of other tools
            "^memory .*pickle", // snapshots of PyTorch's own
            "^split serve", // a recording of a serving engine
            "--compat aorta",
            "--step 3$", // folders with the number of a step in their names
            "^aiu .* -c compiler.log",
            "^demo", // the demo's own tests run it
            "^(hangs|links) ", // dumps of jobs that hang, logs of their communication
            "^mcp ", // goes on until its client ends it
            "^gate .*(history|branch/)", // runs of several days; the gate's own tests make them
            " -- "));

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private static Path folder;

    private Path made = Path.of("");
    private Path here = Path.of("");
    private List<String> around = List.of();

    static Stream<String> documents() throws IOException {
        return Documents.all().stream()
                .map(file -> Documents.ROOT.relativize(file).toString())
                .filter(name ->
                        name.equals("README.md") || name.equals("docs/tour.md") || name.startsWith("docs/how-to/"));
    }

    /** What newcomers have: traces of a run, of single ranks, a sweep; under all names that the documents use. */
    @BeforeAll
    void make() throws IOException {
        around = names();
        made = Files.createDirectories(folder.resolve("made"));
        here = made;
        run("synth -o run --ranks 4 --steps 7 --layers 2 --gpus-per-node 4 --memory --gz");
        run("synth -o plain --ranks 2 --steps 3 --layers 1");
        run("synth -o sweep --sweep 256x28,42 --ranks 2 --steps 2 --layers 1");
        run("report run/rank0_trace.json.gz -o baseline --quiet");
        run("report run/rank1_trace.json.gz -o r2 --quiet");
        for (String name : List.of("torch_profiler", "runs/step_100", "tuesday")) {
            copy("run", name);
        }
        for (int rank = 0; rank < 4; rank++) {
            copy("run/rank" + rank + "_trace.json.gz", "runs/rank" + rank + "/trace.json.gz");
            copy("run/rank" + rank + "_trace.json.gz", "traces/rank" + rank + ".json.gz");
        }
        for (int rank = 0; rank < 2; rank++) {
            copy("plain/rank" + rank + "_trace.json", "trace_rank" + rank + ".json");
            copy("plain/rank" + rank + "_trace.json", "rank" + rank + ".json");
        }
        for (String name : List.of("trace", "before", "after", "T", "rank0", "owlv2", "rank0_trace", "TRACE")) {
            copy("run/rank" + (name.equals("after") ? 1 : 0) + "_trace.json.gz", name + ".json.gz");
        }
        for (String name : List.of("trace.json", "job.json", "log/worker0.1700000000000.pt.trace.json", "TRACE")) {
            copy("plain/rank0_trace.json", name);
        }
        copy("baseline/report.xlsx", "baseline.xlsx");
        copy("r2/report.xlsx", "today.xlsx");
        for (String name : List.of("baseline r1", "baseline before", "r2 after", "r2 candidate")) {
            copy(name.split(" ")[0], name.split(" ")[1]);
        }
        String cell = "sweep/256thread/nccl_28channels";
        for (String name : List.of(
                "experiments/rccl_warp_speed_20251120_212921/56cu_256threads",
                "runs/56cu_256threads",
                "old",
                "new",
                "newer")) {
            copy(cell, name);
        }
        for (String name : List.of("experiments/sweep_20251124_222204", "lockstep-demo/sweep", "a", "b", "s")) {
            copy("sweep", name);
        }
        write("hosts.csv", "rank,node\n0,node0\n1,node0\n2,node1\n3,node1\n");
        write("config/distributed.yaml", "training:\n  max_steps: 3\n");
        write("config.yaml", "training:\n  max_steps: 3\n");
        write("my-models.json", json("docs/how-to/add-an-op-model.md"));
    }

    @AfterAll
    void nothingIsLeftInTheCurrentFolder() throws IOException {
        assertThat(names()).isEqualTo(around);
    }

    private static List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(""))) {
            return files.map(Path::toString).sorted().toList();
        }
    }

    private void copy(String from, String to) throws IOException {
        Path source = made.resolve(from);
        Path target = made.resolve(to);
        try (Stream<Path> files = Files.walk(source)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path place = Files.isDirectory(source) ? target.resolve(source.relativize(file)) : target;
                Files.createDirectories(place.getParent());
                Files.copy(file, place);
            }
        }
    }

    private void write(String name, String text) throws IOException {
        Files.createDirectories(made.resolve(name).getParent());
        Files.writeString(made.resolve(name), text);
    }

    /** The first JSON document in a document. */
    private static String json(String document) {
        String text = Documents.read(document);
        int from = text.indexOf("    {");
        return text.substring(from, text.indexOf("\n    }", from) + 6);
    }

    /** A folder of its own with all that was made, so that no document lives on what another one wrote. */
    private void begin(String name) throws IOException {
        here = Files.createDirectories(folder.resolve(name));
        try (Stream<Path> files = Files.walk(made)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path place = here.resolve(made.relativize(file));
                Files.createDirectories(place.getParent());
                Files.createLink(place, file);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("documents")
    void commandsDoWhatTheySay(String document) throws IOException {
        begin(document);
        List<String> failed = new ArrayList<>();
        for (String line : Documents.read(document).lines().toList()) {
            for (MatchResult command : LINE.matcher(line).results().toList()) {
                for (String part : command.group(1).replaceFirst("\\s+#.*", "").split(" && (\\./)?(lockstep )?")) {
                    failed.addAll(wrong(part));
                }
            }
        }
        assertThat(failed).isEmpty();
    }

    @Test
    void examplesOfTheHelpDoToo() throws IOException {
        begin("help");
        for (String line : List.of(
                "dataset run/ -o data --run monday",
                "goal -i run/ -o schedule",
                "replay plan trace.json -o plan.json",
                "merge run/ -o merged.json.gz",
                "sweep all sweep/ --quiet",
                "sweep all a/ --quiet",
                "sweep all b/ --quiet",
                "gemm variance --base-path sweep/lockstep_reports --output-file ./gemm_variance.csv",
                "gemm variance --base-path s/lockstep_reports --output-file ./gemm.csv",
                "gemm timestamps --input-csv gemm.csv --base-path s/ --output-csv a.csv")) {
            assertThat(wrong(line)).isEmpty();
        }
        List<String> failed = new ArrayList<>();
        for (CommandEntry entry : Commands.runnable().toList()) {
            TestProgram.run(out, err, (Object[]) (entry.name() + " --help").split(" "));
            String help = out.toString();
            List<String> examples =
                    help.substring(help.indexOf("Examples:")).lines().skip(1).toList();
            assertThat(examples)
                    .as("in one line each, so that they can be copied")
                    .allMatch(line -> line.startsWith("  lockstep "));
            for (String line : examples) {
                failed.addAll(wrong(line.strip().substring("lockstep ".length()).replace("-o data", "-o other")));
            }
        }
        assertThat(failed).isEmpty();
    }

    /** What goes wrong with a command line. */
    private List<String> wrong(String line) throws IOException {
        if (line.contains("...")) {
            return List.of();
        }
        if (!ONLY_READ.matcher(line).find()) {
            int status = run(line);
            return status == ExitStatus.COMPLETE ? List.of() : List.of(line + " = " + status + ": " + err);
        }
        List<String> words = words(line.replaceFirst(" > .*", ""));
        CommandEntry entry = Commands.runnable()
                .filter(command -> (line + " ").startsWith(command.name() + " "))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no command: " + line));
        try {
            Commands.line(entry, entry.create().get())
                    .parseArgs(
                            words.stream().skip(entry.name().split(" ").length).toArray(String[]::new));
            return List.of();
        } catch (RuntimeException e) {
            return List.of(line + ": " + e.getMessage());
        }
    }

    /** Runs a line as if the folder of what was made were the current one. */
    private int run(String line) throws IOException {
        String[] parts = line.split(" > ");
        List<String> words = words(parts[0]);
        List<String> arguments = new ArrayList<>();
        int named = Commands.named(words.getFirst()).orElseThrow() instanceof Commands.Group
                        && !words.get(1).startsWith("-")
                ? 2
                : 1;
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            boolean isPlace = i >= named
                    && !words.get(i - 1).matches("--(align|level|names|run|sheets|to)")
                    && (isPath(word) || PLACES.contains(words.get(i - 1)) || Files.exists(here.resolve(word)));
            arguments.add(isPlace ? here.resolve(word).normalize().toString() : word);
        }
        if (REPORTING.contains(words.getFirst())
                && Stream.of(WRITERS.split("\\|")).noneMatch(words::contains)) {
            arguments.addAll(List.of("-o", here.resolve("default").toString()));
        }
        if (line.startsWith("synth -o ") && Files.exists(here.resolve(words.get(2)))) {
            try (Stream<Path> files = Files.walk(here.resolve(words.get(2)))) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
        int status = TestProgram.run(out, err, arguments.toArray());
        if (parts.length > 1) {
            Files.writeString(here.resolve(parts[1].strip()), out.toString());
        }
        return status;
    }

    private static boolean isPath(String word) {
        return !word.startsWith("-")
                && !NUMBER.matcher(word).matches()
                && Stream.of(" ", "=", ":", "..").noneMatch(word::contains)
                && (word.contains("/")
                        || word.contains(".")
                        || word.toLowerCase(Locale.ROOT).equals("d"));
    }

    private static List<String> words(String line) {
        return WORD.matcher(line)
                .results()
                .map(word -> Stream.of(1, 2, 3)
                        .map(word::group)
                        .filter(group -> group != null)
                        .findFirst()
                        .orElseThrow())
                .toList();
    }
}
