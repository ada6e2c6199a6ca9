// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every command, given something that is not for it: it says what that is, and where a command takes it, which one. */
class WrongInputTest {
    /** Commands that read nothing that a user names. */
    private static final Set<String> WITHOUT_INPUT =
            Set.of("completion", "demo", "mcp", "record", "replay power", "synth", "version");

    /** What reads the files that the options of a command name, and not its traces, reports or schedules. */
    private static final Pattern SETTINGS = Pattern.compile(
            "--(algorithm|arch|budget|categories|execution-trace|hosts|models|profile) BAD| -c BAD|-f BAD|--compat acelyzer");

    /**
     * @param title what is said that it is
     * @param takers commands that take such files
     */
    private record Kind(Path path, String title, Pattern takers) {}

    private static final String OF_TRACES =
            "report|collectives|stragglers|fleet|memory|dataset|merge|diff|split|info|sql|view|kernels|"
                    + "replay plan|goal -i|goal export|aiu|ask|gate --baseline";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final Map<String, Kind> kinds = new LinkedHashMap<>();

    @TempDir
    private Path folder;

    private int runs;

    private Path trace = Path.of("");

    @BeforeEach
    void prepare() throws IOException {
        TestProgram.run(out, err, "synth", "-o", folder.resolve("in"), "--ranks", 2, "--steps", 1, "--layers", 1);
        trace = folder.resolve("in/rank0_trace.json");
        Path finished = folder.resolve("made/finished");
        Path parquet = folder.resolve("made/parquet");
        TestProgram.run(out, err, "report", trace, "-o", finished, "--parquet", parquet, "--json", finished + ".json");
        TestProgram.run(out, err, "goal", "-i", trace.getParent(), "-o", folder.resolve("made/goal"));
        TestProgram.run(
                out, err, "goal", "-i", trace.getParent(), "-o", folder.resolve("made/binary"), "--format", "binary");
        TestProgram.run(out, err, "replay", "plan", trace, "-o", folder.resolve("made/plan.json"));
        TestProgram.run(out, err, "merge", trace.getParent(), "-o", folder.resolve("made/all.pftrace"));
        kind("made/finished/report.xlsx", "a workbook", "compare|sql");
        kind("made/finished", "the folder of a finished report", "compare|sql");
        kind("made/finished/report.html", "a page for a browser", "-");
        kind("made/finished/csv/gpu_timeline.csv", "a CSV file", "compare|sql");
        kind("made/finished.json", "a finished report as JSON", "-");
        kind("made/parquet/gpu_timeline.parquet", "a Parquet file", "compare|sql|stragglers --table");
        kind("made/goal/output.goal", "a GOAL schedule", "goal verify|goal simulate|goal report");
        kind("made/binary/output.bin", "a GOAL schedule", "goal verify|goal simulate|goal report");
        kind("made/plan.json", "a plan of a replay", "replay run|replay export");
        kind("made/all.pftrace", "a trace", OF_TRACES);
        kind("in/rank0_trace.json", "a trace", OF_TRACES);
        kind(bytes("rec.nsys-rep", "NVIDIA Tegra Profiler Report 1.\n"), "a recording of Nsight Systems", "-");
        kind(
                bytes("et.json", "{\"schema\": \"1.1.1-chakra.0.0.4\", \"pid\": 1, \"nodes\": []}"),
                "an execution trace of PyTorch",
                "info|kernels extract|replay plan|goal -i");
        kind(bytes("pic.png", "\u0089PNG\r\n\u001a\n\0\0\0\rIHDR"), "a picture", "-");
        kind(bytes("thing.pickle", "\u0080\u0004K\u0001."), "a pickle", "memory");
        kind(bytes("some.sqlite", "SQLite format 3\0" + "\0".repeat(2000)), "an SQLite database", OF_TRACES);
        kind(bytes("paper.pdf", "%PDF-1.7\n"), "a PDF document", "-");
        kind(bytes("tool", "\u007fELF\u0002\u0001\u0001"), "a program", "-");
        kind(bytes("run.yaml", "training:\n  max_steps: 3\n"), "a YAML file", "config run|sweep run");
        Path zip = folder.resolve("some.zip");
        try (OutputStream file = Files.newOutputStream(zip);
                ZipOutputStream packed = new ZipOutputStream(file)) {
            packed.putNextEntry(new ZipEntry("notes.txt"));
            packed.write("no such thing".getBytes(ISO_8859_1));
        }
        kind("some.zip", "a ZIP archive", "-");
        Files.createDirectories(folder.resolve("empty/within"));
        Path ranks = Files.createDirectories(folder.resolve("sweep/256thread/nccl_28channels/torch_profiler/rank0"));
        Files.copy(trace, ranks.resolve("trace.json"));
        Files.createDirectory(folder.resolve("sweep/lockstep_reports"));
    }

    private String bytes(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text, ISO_8859_1);
        return name;
    }

    private void kind(String name, String title, String takers) {
        Path path = folder.resolve(name);
        assertThat(path).exists();
        kinds.put(name, new Kind(path, title, Pattern.compile("(" + takers + ")\\b.*")));
    }

    @Test
    void everyCommandWithAnInputIsTried() {
        Set<String> tried = NamedInputsTest.LINES.stream()
                .flatMap(line -> Commands.runnable()
                        .map(CommandEntry::name)
                        .filter(name -> (line + " ").startsWith(name + " ")
                                || name.equals("goal generate") && line.startsWith("goal -")))
                .collect(Collectors.toSet());

        assertThat(Stream.concat(tried.stream(), WITHOUT_INPUT.stream()))
                .containsExactlyInAnyOrderElementsOf(
                        Commands.runnable().map(CommandEntry::name).toList());
    }

    @Test
    void whatIsNotForACommandIsNamed() {
        List<String> silent = new ArrayList<>();
        for (String line : NamedInputsTest.LINES) {
            for (Kind kind : kinds.values()) {
                boolean isTaken = kind.takers.matcher(line).matches();
                if (SETTINGS.matcher(line).find() || isTaken) {
                    continue;
                }
                int status = run(line, kind.path);
                if (status != ExitStatus.PARTIAL && status != ExitStatus.UNREADABLE && status != ExitStatus.NOTHING
                        || status != ExitStatus.PARTIAL
                                && !err.toString()
                                        .toLowerCase(Locale.ROOT)
                                        .contains(("This is " + kind.title).toLowerCase(Locale.ROOT))
                        || repeats(err.toString())) {
                    silent.add(line + " (" + kind.path.getFileName() + "): " + status + " " + err);
                }
            }
        }
        assertThat(silent).isEmpty();
    }

    /** Whether a sentence stands twice in what is said. */
    private static boolean repeats(String said) {
        List<String> sentences = Stream.of(said.toLowerCase(Locale.ROOT).split("(: |(?<=\\.)) ?|\n"))
                .map(sentence -> sentence.replaceFirst("\\.$", "").strip())
                .filter(sentence -> sentence.contains(" "))
                .toList();
        return Set.copyOf(sentences).size() < sentences.size();
    }

    /** An export of Nsight Systems is a database, so that one which is none is no reason to try another command. */
    @Test
    void whoTakesExportsOfNsightSendsNoDatabaseElsewhere() {
        Kind database = Objects.requireNonNull(kinds.get("some.sqlite"));
        List<String> elsewhere = new ArrayList<>();
        for (String line : NamedInputsTest.LINES) {
            if (database.takers.matcher(line).matches()
                    && !SETTINGS.matcher(line).find()) {
                run(line, database.path);
                if (err.toString().contains("'lockstep report'")) {
                    elsewhere.add(line + ": " + err);
                }
            }
        }
        assertThat(elsewhere).isEmpty();
    }

    @Test
    void aPackedFileThatIsCutBeforeItsContentIsNotCalledEmpty() throws IOException {
        Path packed = folder.resolve("cut.json.gz");
        try (OutputStream file = new GZIPOutputStream(Files.newOutputStream(packed))) {
            file.write(Files.readAllBytes(trace));
        }
        Files.write(packed, Arrays.copyOf(Files.readAllBytes(packed), 40));
        assertThat(run("report BAD", packed)).isEqualTo(ExitStatus.UNREADABLE);
        assertThat(err.toString()).contains("the packed file was cut before its first byte of content");
        Files.write(packed, new byte[0]);
        assertThat(run("report BAD", packed)).isEqualTo(ExitStatus.UNREADABLE);
        assertThat(err.toString()).contains("the file is empty");
    }

    @Test
    void anEmptyFolderEndsAlikeEverywhere() {
        List<String> others = new ArrayList<>();
        Path empty = folder.resolve("empty");
        for (String line : NamedInputsTest.LINES) {
            int status = SETTINGS.matcher(line).find() ? ExitStatus.NOTHING : run(line, empty);
            if (status != ExitStatus.NOTHING
                    || !err.toString().startsWith("lockstep: " + empty + ": this folder is empty")) {
                others.add(line + ": " + status + " " + err);
            }
        }
        assertThat(others).isEmpty();
    }

    private int run(String line, Path bad) {
        runs++;
        Object[] arguments = Stream.of(line.split(" "))
                .map(word -> switch (word) {
                    case "BAD" -> bad.toString();
                    case "TRACE" -> trace.toString();
                    default -> word.replace("OUT", folder + "/out" + runs).replace("SWEEP", folder + "/sweep");
                })
                .toArray();
        return TestProgram.run(out, err, arguments);
    }
}
