// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.cli.command.Questions;
import dev.lockstep.codec.Json;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AskCommandTest {
    @TempDir
    private static Path folder;

    private static final StringWriter OUT = new StringWriter();
    private static final StringWriter ERR = new StringWriter();

    @BeforeAll
    static void make() {
        run(
                "synth",
                "-o",
                folder.resolve("run"),
                "--ranks",
                2,
                "--steps",
                4,
                "--layers",
                2,
                "--memory",
                "--straggler",
                "1:device:1.4",
                "--quiet");
        run("report", folder.resolve("run/rank1_trace.json"), "--csv", folder.resolve("rank"), "--quiet");
        run("report", folder.resolve("run"), "--csv", folder.resolve("all"), "--quiet");
    }

    private static int run(Object... line) {
        OUT.getBuffer().setLength(0);
        ERR.getBuffer().setLength(0);
        return TestProgram.run(OUT, ERR, line);
    }

    /** Every question, of a rank and of a run: each number is that of the cell in the CSV file. */
    @Test
    void everyAnswerIsMadeOfCells() throws IOException {
        TreeSet<String> answered = new TreeSet<>();
        for (Map.Entry<String, String> input :
                Map.of("run/rank1_trace.json", "rank", "run", "all").entrySet()) {
            for (String question : Questions.names()) {
                int status = run("ask", folder.resolve(input.getKey()), question, "--json", "--quiet");
                if (status == 0) {
                    answered.add(question);
                    compare((Json.Members) Json.parse(OUT.toString()), folder.resolve(input.getValue()));
                } else {
                    assertThat(status).as(ERR.toString()).isEqualTo(ExitStatus.NOTHING);
                    assertThat(ERR.toString()).contains("nothing answers '" + question + "' here");
                }
            }
        }
        assertThat(Questions.names()).hasSizeGreaterThanOrEqualTo(40).doesNotHaveDuplicates();
        assertThat(answered).containsAll(Questions.names());
    }

    private static void compare(Json.Members answer, Path sheets) throws IOException {
        Path sheet = sheets.resolve(answer.text("table") + ".csv");
        List<List<String>> cells = rows(sheet);
        for (Json one : answer.items("rows")) {
            Json.Members row = (Json.Members) one;
            List<String> line = cells.get((int) row.whole("row", -1) + 1);
            assertThat(row.object("cells").members()).isNotEmpty();
            row.object("cells").members().forEach((head, value) -> {
                String cell = line.get(cells.getFirst().indexOf(head));
                String said = switch (value) {
                    case Json.Text(String text) -> text;
                    case Json.Numeral(String text) -> text;
                    default -> "";
                };
                assertThat(said).as(sheet + ": " + head).isEqualTo(cell);
            });
        }
    }

    /** Cells of a CSV file, with its head. */
    private static List<List<String>> rows(Path sheet) throws IOException {
        List<List<String>> rows = new ArrayList<>(List.of(new ArrayList<>()));
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (char next : Files.readString(sheet).toCharArray()) {
            if (next == '"') {
                quoted = !quoted;
                if (quoted && !cell.isEmpty()) {
                    cell.append('"');
                }
            } else if (!quoted && (next == ',' || next == '\n')) {
                rows.getLast().add(cell.toString());
                cell.setLength(0);
                if (next == '\n') {
                    rows.add(new ArrayList<>());
                }
            } else {
                cell.append(next);
            }
        }
        return rows;
    }

    @Test
    void columnsAndTextsOfTheRegistryAreThoseOfTheTables() throws IOException {
        assertThat(run("ask", folder.resolve("run/rank1_trace.json"), "idle")).isZero();
        assertThat(OUT.toString())
                .contains("How long is the GPU idle?", "time ms", "From table gpu_timeline, 1 row of");
        assertThat(run("ask", folder.resolve("run/rank1_trace.json"), "idel")).isEqualTo(ExitStatus.USAGE);
        assertThat(ERR.toString()).contains("Did you mean 'idle'?");
        assertThat(run("ask", "--list")).isZero();
        assertThat(OUT.toString().lines()).hasSameSizeAs(Questions.names());
        assertThat(run("ask", folder.resolve("run"))).isEqualTo(ExitStatus.USAGE);
    }
}
