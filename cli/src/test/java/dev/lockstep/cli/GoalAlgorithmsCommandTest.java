// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GoalAlgorithmsCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    private int run(String... args) {
        return Main.run(new PrintWriter(out), new PrintWriter(err), args);
    }

    @Test
    void whatIsModelledIsListed() {
        assertThat(run("goal", "algorithms")).isZero();
        assertThat(out.toString())
                .containsPattern("AllReduce +tree +tree +the program")
                .containsPattern("AllGather +pat +pat +the program");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ring-all-reduce", "tree-all-reduce", "halving-all-reduce"})
    void examplesAreFilesThatAreListed(String name) throws IOException {
        assertThat(run("goal", "algorithms", "--example", name)).isZero();
        Path file = Files.writeString(folder.resolve("mine.steps"), out.toString());

        assertThat(run("goal", "algorithms", "--algorithm", file.toString())).isZero();
        assertThat(out.toString()).containsPattern("AllReduce +" + name + " +\\w+ +" + file);
    }

    @Test
    void namesOfFilesStayOnTheirLine() throws IOException {
        assertThat(run("goal", "algorithms", "--example", "ring-all-reduce")).isZero();
        Path file = Files.writeString(folder.resolve("a\tb\nc.steps"), out.toString());

        assertThat(run("goal", "algorithms", "--algorithm", file.toString())).isZero();
        assertThat(out.toString()).containsPattern("ring-all-reduce +ring +.*a·b·c.steps\\R");
    }

    @Test
    void theFileOfTheHowToIsComplete() throws IOException {
        String howTo = Files.readString(Documents.ROOT.resolve("docs/how-to/state-an-algorithm.md"));
        int from = howTo.indexOf("# What follows");
        Path file = Files.writeString(folder.resolve("chain.steps"), howTo.substring(from, howTo.indexOf("```", from)));

        assertThat(run("goal", "algorithms", "--algorithm", file.toString())).isZero();
        assertThat(out.toString()).containsPattern("Reduce +chain-reduce +all");
    }

    @Test
    void mistakesNameFileAndLine() throws IOException {
        Path file = Files.write(
                folder.resolve("mine.steps"),
                List.of("algorithm mine", "collective AllGather", "steps", "send part rank to next"));

        assertThat(run("goal", "algorithms", "--algorithm", file.toString())).isEqualTo(3);
        assertThat(err.toString()).contains(file + ": line 4: with 2 ranks: rank 0 sends part 0 to rank 1");
    }

    @Test
    void anotherExampleIsNone() {
        assertThat(run("goal", "algorithms", "--example", "star")).isEqualTo(2);
        assertThat(err.toString()).contains("there is no example star", "halving-all-reduce");
    }
}
