// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticTraces;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people see on a real terminal (a pseudo-terminal that Python opens), by the lines of the start script that look at it. */
class TerminalTest {
    private static final Pattern COLOUR = Pattern.compile("\u001b\\[[0-9;]*m");
    private static final String BELOW = "# Java cannot tell by itself";
    private static final String ABOVE = "[[ ! -s $aot ]]";
    private static final int SECONDS = 120;

    /** Runs what follows the width on a terminal of that width, and hands on what appears there. */
    private static final String PTY = """
        import fcntl, os, struct, sys, termios
        pid, terminal = os.forkpty()
        if pid == 0:
            fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack('HHHH', 40, int(sys.argv[1]), 0, 0))
            os.execvp(sys.argv[2], sys.argv[2:])
        while True:
            try:
                shown = os.read(terminal, 65536)
            except OSError:
                break
            if not shown:
                break
            os.write(1, shown)
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
        """;

    @TempDir
    static Path folder;

    private static String python;

    @BeforeAll
    static void prepare() throws IOException {
        python = python();
        Files.write(folder.resolve("trace.json"), SyntheticRun.bytes(SyntheticTraces.smallRecipe(1), 0));
        String script = Documents.read("lockstep");
        String looks = script.substring(script.indexOf(BELOW), script.indexOf(ABOVE));
        Files.writeString(
                folder.resolve("program"),
                "jvm_options=(--enable-native-access=ALL-UNNAMED -XX:+UseSerialGC -XX:TieredStopAtLevel=1)\n" + looks
                        + "exec '"
                        + Path.of(System.getProperty("java.home"), "bin", "java") + "' \"${jvm_options[@]}\" -cp '"
                        + System.getProperty("java.class.path") + "' dev.lockstep.cli.Main \"$@\"\n");
        Files.writeString(folder.resolve("pty.py"), PTY);
    }

    private static String python() {
        for (String place : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
            if (Files.isExecutable(Path.of(place, "python3"))) {
                return place + "/python3";
            }
        }
        String message = "no python3 on the path: nothing was seen on a terminal";
        return System.getenv("CI") == null ? abort(message) : fail(message);
    }

    private static String onTerminal(int width, Map<String, String> environment, String... arguments) throws Exception {
        List<String> line = new ArrayList<>(List.of(
                python,
                folder.resolve("pty.py").toString(),
                Integer.toString(width),
                "bash",
                folder.resolve("program").toString()));
        line.addAll(Arrays.asList(arguments));
        return run(line, environment, 0);
    }

    private static String run(List<String> line, Map<String, String> environment, int status) throws Exception {
        ProcessBuilder process = new ProcessBuilder(line).redirectErrorStream(true);
        for (String name : List.of("NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "LC_ALL")) {
            process.environment().remove(name);
        }
        process.environment().putAll(Map.of("TERM", "xterm-256color", "LANG", "C.UTF-8"));
        process.environment().putAll(environment);
        Path shown = folder.resolve("shown.txt");
        Process running = process.redirectOutput(shown.toFile()).start();
        running.getOutputStream().close();
        assertThat(running.waitFor(SECONDS, TimeUnit.SECONDS)).isTrue();
        String text = Files.readString(shown, StandardCharsets.UTF_8);
        assertThat(running.exitValue()).as(text).isEqualTo(status);
        return text;
    }

    private static String trace() {
        return folder.resolve("trace.json").toString();
    }

    private static String[] report() {
        return new String[] {
            "report", "-v", trace(), "--csv", folder.resolve("csv").toString()
        };
    }

    @Test
    void coloursAreForTerminalsThatWantThem() throws Exception {
        assertThat(onTerminal(100, Map.of(), report())).containsPattern(COLOUR);
        assertThat(onTerminal(100, Map.of("NO_COLOR", "1"), report())).doesNotContainPattern(COLOUR);
        assertThat(onTerminal(100, Map.of("TERM", "dumb"), report())).doesNotContainPattern(COLOUR);
        List<String> piped = List.of("bash", "-c", "bash \"$0\" \"$@\" | cat", folder.resolve("program") + "");
        List<String> line = new ArrayList<>(List.of(python, folder.resolve("pty.py") + "", "100"));
        line.addAll(piped);
        line.addAll(List.of("info", trace()));
        assertThat(run(line, Map.of(), 0)).as("output goes into a pipe").doesNotContainPattern(COLOUR);
    }

    @Test
    void linesTakeTheWidthOfTheTerminal() throws Exception {
        int before = 0;
        for (int width : List.of(64, 90, 120)) {
            String shown = screen(onTerminal(width, Map.of(), report()));
            int longest = shown.lines()
                    .filter(line -> !line.contains("/")) // names of files are not broken, nor is what has no spaces
                    .filter(line -> line.strip().contains(" "))
                    .mapToInt(line -> line.codePointCount(0, line.length()))
                    .max()
                    .orElse(0);
            assertThat(longest).as(width + " wide: " + shown).isBetween(before + 1, width);
            before = longest;
        }
    }

    @Test
    void theBarOfProgressIsDrawnAndTakenAway() throws Exception {
        Path run = Files.createDirectory(folder.resolve("run"));
        for (int rank = 0; rank < 2; rank++) {
            Files.write(
                    run.resolve("rank" + rank + ".json"),
                    SyntheticRun.bytes(SyntheticTraces.smallRecipe(2).withBytesPerRank(5 << 20), rank));
        }
        String[] collectives = {
            "collectives", run.toString(), "--csv", folder.resolve("all").toString()
        };
        String shown = onTerminal(100, Map.of(), collectives);
        String[] quiet = Arrays.copyOf(collectives, collectives.length + 1);
        quiet[collectives.length] = "--quiet";

        assertThat(shown).contains("2 files ", " MB (");
        assertThat(screen(shown)).contains("wrote ").doesNotContain(" MB (");
        assertThat(onTerminal(100, Map.of(), quiet)).isEmpty();
        assertThat(onTerminal(100, Map.of(), report())).as("short work").doesNotContain(" MB (");
    }

    /** What is left on the screen: lines are written over, and the cursor goes up and down. */
    private static String screen(String shown) {
        List<StringBuilder> lines = new ArrayList<>(List.of(new StringBuilder()));
        int line = 0;
        int place = 0;
        Matcher part =
                Pattern.compile("\u001b\\[(\\d*)([A-Za-z])|[\\x00-\\uffff]").matcher(shown);
        while (part.find()) {
            String control = part.group(2);
            int by = control == null || part.group(1).isEmpty() ? 1 : Integer.parseInt(part.group(1));
            if (control != null) {
                line = Math.max(0, line + (control.equals("A") ? -by : control.equals("B") ? by : 0));
            } else if (part.group().equals("\r")) {
                place = 0;
            } else if (part.group().equals("\n")) {
                line++;
            } else {
                place = put(lines.get(line), place, part.group().charAt(0));
            }
            while (lines.size() <= line) {
                lines.add(new StringBuilder());
            }
        }
        return String.join("\n", lines);
    }

    private static int put(StringBuilder line, int place, char sign) {
        while (line.length() <= place) {
            line.append(' ');
        }
        line.setCharAt(place, sign);
        return place + 1;
    }

    @Test
    void aReaderThatHasSeenEnoughIsToldNothing() throws Exception {
        String line = "bash '" + folder.resolve("program") + "' report --help | head -1";

        assertThat(run(List.of("bash", "-c", line), Map.of(), 0).lines()).hasSize(1);
    }
}
