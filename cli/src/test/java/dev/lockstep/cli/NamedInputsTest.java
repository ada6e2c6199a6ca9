// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever is wrong with whatever is read: the message names it, says what was expected, and nothing is left behind. */
class NamedInputsTest {
    /** Every place where a command line names something that is read; BAD stands for it, TRACE for a sound trace. ({@code view} serves any file.) */
    static final List<String> LINES = List.of(
            "report BAD -o OUT",
            "report TRACE -o OUT --arch BAD",
            "report TRACE -o OUT --models BAD",
            "report TRACE -o OUT --baseline BAD",
            "report TRACE -o OUT --capture BAD",
            "report BAD -o OUT --compat tracelens",
            "collectives BAD -o OUT",
            "collectives TRACE BAD -o OUT",
            "merge BAD -o OUT/m.json",
            "merge BAD -o OUT/m.pftrace",
            "merge BAD -o OUT/m.json --compat aorta",
            "compare BAD BAD --names A,B -o OUT",
            "diff TRACE BAD -o OUT",
            "diff BAD TRACE -o OUT",
            "split BAD -o OUT",
            "stragglers BAD -o OUT",
            "stragglers --table BAD --json OUT/a.json",
            "fleet BAD -o OUT",
            "fleet TRACE --hosts BAD -o OUT",
            "memory BAD -o OUT",
            "hangs BAD -o OUT",
            "links BAD -o OUT",
            "dataset BAD -o OUT",
            "sql BAD --list",
            "info BAD",
            "ask BAD idle",
            "gate --baseline BAD --candidate TRACE",
            "gate --baseline TRACE --candidate TRACE --budget BAD",
            "view --no-open BAD",
            "info --json BAD",
            "kernels extract BAD -o OUT",
            "kernels extract TRACE -o OUT --categories BAD",
            "kernels extract TRACE -o OUT --execution-trace BAD",
            "kernels gantt BAD -o OUT/g.png",
            "replay plan BAD -o OUT/p.json",
            "replay plan TRACE -o OUT/p.json --execution-trace BAD",
            "replay run BAD -o OUT/r.json",
            "replay export BAD --to python -o OUT/p.py",
            "replay energy BAD -o OUT",
            "replay energy BAD --power BAD -o OUT",
            "replay compare BAD -o OUT",
            "replay compare BAD --power BAD --trace TRACE -o OUT",
            "goal -i BAD -o OUT",
            "goal -i BAD -o OUT -s BAD -l BAD",
            "goal export --chakra BAD -o OUT",
            "goal verify BAD",
            "goal simulate BAD",
            "goal report BAD -o OUT",
            "goal algorithms --algorithm BAD",
            "aiu -i BAD -o OUT/a.json",
            "aiu -i TRACE -o OUT/a.json --profile BAD",
            "aiu -i TRACE -o OUT/a.json -c BAD",
            "aiu -i BAD -o OUT/a.json --compat acelyzer",
            "config report BAD",
            "config compare --baseline BAD --test BAD -o OUT",
            "config run -c BAD -o OUT -p 56,256 --nproc 1 --pause 0 --launcher command -- true",
            "sweep run -f BAD -o OUT -c 28 -t 256 --nproc 1 --pause 0 --launcher command -- true",
            "sweep report BAD",
            "sweep merge BAD",
            "sweep all BAD",
            "sweep html --sweep1 BAD --sweep2 BAD --output OUT/s.html",
            "gemm variance --base-path BAD",
            "gemm plot --csv-path BAD --output-dir OUT",
            "gemm timestamps --input-csv BAD --base-path SWEEP",
            "gemm overlap --input-csv BAD --reports SWEEP/lockstep_reports");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private Path trace = Path.of("");
    private final Map<String, Path> bad = new LinkedHashMap<>();

    @BeforeEach
    void prepare() throws IOException {
        TestProgram.run(out, err, "synth", "-o", folder.resolve("in"), "--ranks", 1, "--size", "60kB");
        trace = folder.resolve("in/rank0_trace.json");
        bad.put("missing", folder.resolve("missing.json"));
        bad.put("missing in a missing folder", folder.resolve("nowhere/missing.csv"));
        for (String ending : List.of("json", "csv", "yaml", "goal", "xlsx")) {
            Path below = Files.createDirectory(folder.resolve(ending));
            bad.put("folder." + ending, Files.createDirectory(below.resolve("folder." + ending)));
            bad.put("empty." + ending, Files.createFile(below.resolve("empty." + ending)));
            bad.put("latin." + ending, write(below.resolve("latin." + ending), "{\"a\u00e9\": 1}\n\u00e9,b\n"));
            bad.put("text." + ending, write(below.resolve("text." + ending), "no such thing\n"));
        }
        Path ranks = Files.createDirectories(folder.resolve("sweep/256thread/nccl_28channels/torch_profiler/rank0"));
        Files.copy(trace, ranks.resolve("trace.json"));
        Files.createDirectory(folder.resolve("sweep/lockstep_reports"));
        byte[] whole = Files.readAllBytes(trace);
        bad.put("cut", Files.write(folder.resolve("json/cut.json"), Arrays.copyOf(whole, 40)));
        bad.put("unreadable", Path.of("/proc/self/mem"));
    }

    private static Path write(Path file, String text) throws IOException {
        return Files.write(file, text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Test
    void everyMessageNamesTheFile() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (String line : LINES) {
            for (Map.Entry<String, Path> kind : bad.entrySet()) {
                if (kind.getKey().equals("unreadable") && !Files.exists(kind.getValue())
                        || line.startsWith("view") && Files.isRegularFile(kind.getValue())) {
                    continue;
                }
                @Nullable String problem = problem(line, kind.getValue().toString());
                if (problem != null) {
                    wrong.add(line + " (" + kind.getKey() + "): " + problem);
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    /** As a locale has them that lacks the letters of a name: they cannot even be a path. */
    @Test
    void namesThatNoFileCanHaveAreNamedToo() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (String line : LINES) {
            for (String name : List.of("beyond\ud800.json", "beyond\0.json")) {
                @Nullable String problem = problem(line, name);
                if (problem != null) {
                    wrong.add(line + ": " + problem);
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(TestProgram.run(out, err, "merge", trace, "-o", folder + "/\ud800.json"))
                .isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString()).contains("no name of a file: ", "Hint: ", "LC_ALL=C.UTF-8");
    }

    private @Nullable String problem(String line, String file) throws IOException {
        Path to = folder.resolve("out");
        Object[] arguments = Arrays.stream(line.split(" "))
                .map(word -> word.equals("BAD")
                        ? file
                        : word.equals("TRACE")
                                ? trace.toString()
                                : word.replace("OUT", to.toString()).replace("SWEEP", folder + "/sweep"))
                .toArray();
        int status = TestProgram.run(out, err, arguments);
        String said = err.toString();
        String names = file.substring(file.lastIndexOf('/') + 1).split("[\\x{d800}\0]")[0];
        if (status == ExitStatus.BUG) {
            return "status 70: " + said;
        }
        if (said.contains("Exception") || said.contains("REDACTED") || said.contains("\tat ")) {
            return said;
        }
        boolean named = said.contains(names) || out.toString().contains(names) || said.contains("known");
        return status == ExitStatus.COMPLETE || named ? left(to) : "status " + status + ", no name: " + said;
    }

    /** Hidden files that were left; what is written is removed. */
    private static @Nullable String left(Path to) throws IOException {
        List<String> hidden = Files.isDirectory(to)
                ? TestProgram.files(to).keySet().stream()
                        .filter(name -> name.contains(".lockstep-"))
                        .toList()
                : List.of();
        if (Files.isDirectory(to)) {
            try (var walk = Files.walk(to)) {
                for (Path path : walk.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
        return hidden.isEmpty() ? null : "left: " + hidden;
    }
}
