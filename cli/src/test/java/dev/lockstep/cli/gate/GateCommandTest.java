// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.Main;
import dev.lockstep.codec.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

class GateCommandTest {
    private static final StringWriter SAID = new StringWriter();

    @TempDir
    private static Path folder;

    @BeforeAll
    static void make() {
        synth("a", "--seed", "1");
        synth("b", "--seed", "2");
        synth("slow", "--seed", "3", "--sequence", "3072");
    }

    private static void synth(String name, String... more) {
        List<String> line = new ArrayList<>(
                List.of("synth", "-o", place(name), "--ranks", "1", "--steps", "6", "--layers", "1", "--quiet"));
        line.addAll(List.of(more));
        assertThat(run(line.toArray(String[]::new))).isZero();
    }

    private static String place(String name) {
        return folder.resolve(name).toString();
    }

    private static int run(String... line) {
        SAID.getBuffer().setLength(0);
        return Main.run(new PrintWriter(SAID), new PrintWriter(SAID), line);
    }

    @Test
    void aSlowerRunFailsInEveryForm() throws Exception {
        Path xml = folder.resolve("gate.xml");
        Path sarif = folder.resolve("gate.sarif");
        Path markdown = folder.resolve("gate.md");
        assertThat(run(
                        "gate",
                        "--baseline",
                        place("a"),
                        "--candidate",
                        place("slow"),
                        "--junit",
                        xml.toString(),
                        "--sarif",
                        sarif.toString(),
                        "--markdown",
                        markdown.toString()))
                .isEqualTo(ExitStatus.GATE_FAILED);
        assertThat(SAID.toString())
                .startsWith("Gate: regression\n  regression: step_time is ")
                .contains("% worse");

        Document document =
                DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(xml.toFile());
        assertThat(document.getElementsByTagName("failure").getLength()).isEqualTo(1);
        assertThat(document.getDocumentElement()
                        .getFirstChild()
                        .getAttributes()
                        .getNamedItem("failures")
                        .getNodeValue())
                .isEqualTo("1");
        Json.Members run = (Json.Members) ((Json.Members) Json.parse(Files.readString(sarif)))
                .items("runs")
                .getFirst();
        Json.Members result = (Json.Members) run.items("results").getFirst();
        assertThat(result.text("ruleId")).isEqualTo("step_time");
        assertThat(result.text("level")).isEqualTo("error");
        assertThat(Files.readString(markdown)).contains("### Lockstep gate: regression", "| `step_time` | ");
    }

    @Test
    void theSameIsNoRegression() {
        assertThat(run("gate", "--baseline", place("a"), "--candidate", place("b")))
                .isZero();
        assertThat(run("gate", "--baseline", place("a"), "--candidate", place("a")))
                .isZero();
        assertThat(SAID.toString()).startsWith("Gate: pass");
    }

    @Test
    void aHistoryGrowsByWhatIsAcceptedAndIsABaseline() throws IOException {
        Path history = folder.resolve("history");
        for (String name : List.of("a", "b", "a", "b")) {
            assertThat(run(
                            "gate",
                            "--baseline",
                            place("a"),
                            "--candidate",
                            place(name),
                            "--history",
                            history.toString()))
                    .isZero();
        }
        List<String> before = names(history);
        assertThat(before)
                .containsExactly(
                        "000001-a.figures.json",
                        "000002-b.figures.json",
                        "000003-a.figures.json",
                        "000004-b.figures.json");
        String first = Files.readString(history.resolve(before.getFirst()));

        assertThat(run(
                        "gate",
                        "--baseline",
                        history.toString(),
                        "--candidate",
                        place("slow"),
                        "--history",
                        history.toString()))
                .isEqualTo(ExitStatus.GATE_FAILED);
        assertThat(SAID.toString()).contains("scatter of 5 runs");
        assertThat(names(history)).isEqualTo(before);
        assertThat(run(
                        "gate",
                        "--baseline",
                        history.toString(),
                        "--candidate",
                        place("b"),
                        "--history",
                        history.toString(),
                        "--last",
                        "3"))
                .isZero();
        assertThat(SAID.toString()).contains("scatter of 4 runs");
        assertThat(names(history)).hasSize(5);
        assertThat(Files.readString(history.resolve(before.getFirst()))).isEqualTo(first);
    }

    private static List<String> names(Path history) throws IOException {
        try (Stream<Path> files = Files.list(history)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void budgetsNameFiguresAndLimits() throws IOException {
        Path budget = Files.writeString(folder.resolve("budget.yaml"), "step_time: 400\nidle_share: 400\n");
        assertThat(run("gate", "--baseline", place("a"), "--candidate", place("slow"), "--budget", budget.toString()))
                .isZero();
        for (String wrong : List.of("step_tme: 5", "step_time: -1", "step_time: many", "[1]", "", ": :")) {
            Files.writeString(budget, wrong);
            assertThat(run("gate", "--baseline", place("a"), "--candidate", place("b"), "--budget", budget.toString()))
                    .as(wrong)
                    .isEqualTo(ExitStatus.USAGE);
        }
        Files.writeString(budget, "peak_memory: 5");
        assertThat(run("gate", "--baseline", place("a"), "--candidate", place("b"), "--budget", budget.toString()))
                .isEqualTo(ExitStatus.NOTHING);
    }

    @Test
    void aClaimThatCannotBeMadeCanBeDemanded() {
        String[] line = {"gate", "--baseline", place("a"), "--candidate", place("slow"), "--budget", place("total.yaml")
        };
        try {
            Files.writeString(folder.resolve("total.yaml"), "total_time: 5");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        assertThat(run(line)).isZero();
        assertThat(SAID.toString()).contains("inconclusive: total_time", "too few runs to know their scatter");
        String[] demanding = java.util.Arrays.copyOf(line, line.length + 1);
        demanding[line.length] = "--demand-conclusive";
        assertThat(run(demanding)).isEqualTo(ExitStatus.GATE_FAILED);
    }
}
