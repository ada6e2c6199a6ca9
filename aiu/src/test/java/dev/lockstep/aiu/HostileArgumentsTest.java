// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu;

import static dev.lockstep.testkit.AiuRuns.attr;
import static dev.lockstep.testkit.AiuRuns.cycles;
import static dev.lockstep.testkit.AiuRuns.flex;
import static dev.lockstep.testkit.AiuRuns.x;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.lockstep.aiu.pipeline.AiuOption;
import dev.lockstep.testkit.AiuRuns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever stands in arguments and members, all that is written can be read again. */
class HostileArgumentsTest {
    private static final JsonFactory STRICT = JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(2000).build())
            .build();

    @TempDir
    Path folder;

    private void read() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(f -> f.getFileName().toString().startsWith("out"))
                    .toList()) {
                if (!file.toString().endsWith(".csv") && !file.toString().endsWith(".html")) {
                    try (JsonParser parser = STRICT.createParser(Files.readString(file))) {
                        while (parser.nextToken() != null) {
                            parser.getText();
                        }
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[\"x\n y\"]",
                "[1, \"x\u0001 y\"]",
                "{\"a\":{\"b\n\":\"\u0000\"}}",
                "\"\\ud800 \\udc00\"",
                "[\"\\ud800\", \"\\q\"]",
                "123456789012345678901234567890",
                "[1e999, NaN, -Infinity]",
                "007",
                "1.",
                "nan",
                "[nan, 007]",
                "-Infinity"
            })
    void argumentsAndMembersOfAllStagesParseAgain(String value) throws IOException {
        String args = ",\"args\":{\"odd\":" + value + ",\"c\":3},\"member\":" + value;
        String trace = "{\"head\":" + value + ",\"traceEvents\":"
                + flex(
                        x("host", 1, 2, args),
                        x("k_1 Cmpt Exec", 10, 5, attr(cycles(0, 0, 0, 2500, 2500)) + ",\"member\":" + value),
                        x("torch", 20, 1, args).replace("\"pid\":0", "\"pid\":" + value),
                        x("mark", 30, 1, args).replace("\"X\"", "\"i\""))
                + "}";

        new AiuRuns(folder).run(o -> o.with(AiuOption.INTERMEDIATE, true), trace);
        read();
        new AiuRuns(folder).run(o -> o.with(AiuOption.TENSOR_BOARD, true), trace);
        read();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1E400", "-1E400", "1e308", "-1e308", "Infinity", "9223372036854775808"})
    void anEventBeyondAllTimeIsLeftOutAndSaid(String time) throws IOException {
        AiuRuns runs = new AiuRuns(folder);
        String usual = x("kept", 1, 2, "");

        String out = runs.run(
                o -> o.with(AiuOption.INTERMEDIATE, true),
                flex(
                        usual,
                        usual.replace("kept", "begin").replaceFirst("\"ts\":[0-9.]+", "\"ts\":" + time),
                        usual.replace("kept", "long").replaceFirst("\"dur\":[0-9.]+", "\"dur\":" + time)));

        assertThat(out).contains("kept").doesNotContain("begin").doesNotContain("long");
        assertThat(runs.lines()).anyMatch(line -> line.contains("ignored 2 entries"));
        read();
    }

    @Test
    void nestingBeyondAThousandIsWrittenAsTextAndSaid() throws IOException {
        AiuRuns runs = new AiuRuns(folder);

        String out = runs.run(
                o -> {},
                flex(x("a", 1, 2, ",\"args\":{\"deep\":" + "[".repeat(5000) + "]".repeat(5000) + ",\"c\":3}")));

        assertThat(out).contains("\"deep\":\"[[[").contains("\"c\":3");
        assertThat(runs.lines()).contains("WARNING EXPORT: 1 values that are no JSON have been written as texts");
        read();
    }

    @Test
    void namesWithAllControlCharactersParseAgain() throws IOException {
        StringBuilder events = new StringBuilder(x("first", 0, 1, ""));
        for (int c = 0; c < ' '; c++) {
            String escaped = String.format("a\\u%04xb", c);
            for (String name : List.of(escaped, c == 0 ? "plain" : "a" + (char) c + "b")) {
                events.append(',').append(x(name, 10 + c, 1, ",\"cat\":\"" + name + "\",\"" + name + "\":1"));
            }
        }

        new AiuRuns(folder).run(o -> o.with(AiuOption.INTERMEDIATE, true), "[" + events + "]");

        read();
    }

    @Test
    void namesThatTablesSeparateByDoNotBreakThePage() throws IOException {
        Path perf = Files.createDirectories(folder.resolve("c/inductor-spyre/mm_1/perf"));
        Files.writeString(perf.resolve("ideal_cycles.json"), "[{\"ideal_cycles\":40000,\"op_category\":\"a,\\\"b\"}]");

        new AiuRuns(folder)
                .run(
                        o -> o.with(AiuOption.COMPILER_INFO, folder.resolve("c").toString()),
                        flex(
                                x("mm_1 Cmpt Exec", 10, 100, attr(cycles(0, 0, 0, 50000, 50000))),
                                x(
                                        "tab\\there\\nline Cmpt Exec",
                                        200,
                                        100,
                                        attr(cycles(95000, 95000, 95000, 145000, 145000)))));

        assertThat(folder.resolve("out.html")).content().contains("here").contains("a,\\\"b");
    }

    @Test
    void durationsBeyondAllNumbersAreWritten() throws IOException {
        new AiuRuns(folder)
                .run(
                        o -> o.with(AiuOption.PROFILE, "torch_minimal.json"),
                        flex(x("k Cmpt Exec", 10, 1, attr(cycles(0, 0, 0, 1, 1)))
                                .replace("\"dur\":1.0", "\"dur\":1e999")));

        read();
    }
}
