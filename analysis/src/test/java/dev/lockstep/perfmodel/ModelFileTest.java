// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import static dev.lockstep.perfmodel.Calls.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.error.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelFileTest {
    private static final String MODEL = "'family': 'F', 'category': 'C', 'flops': 1";

    private static OpModels with(String json) {
        return OpModels.standard().with("m.json", json.replace('\'', '"'));
    }

    private static String guide() throws IOException {
        Path guide = Path.of(System.getProperty("basedir", ".")).resolve("../docs/how-to/add-an-op-model.md");
        return Files.readString(guide);
    }

    @Test
    void theExampleOfTheGuideDoesWhatItSays() throws IOException, NotModelled {
        String guide = guide();
        String json = guide.lines()
                .dropWhile(line -> !line.equals("    {"))
                .takeWhile(line -> line.isEmpty() || line.startsWith("    "))
                .collect(Collectors.joining("\n"));
        OpModels models = OpModels.standard().with("my-models.json", json);
        OpModel model = Objects.requireNonNull(models.of("mylib::linear_relu"));
        Work work = model.forward(
                call("mylib::linear_relu", "[[3, 4], [5, 4], [5]]", "['float', 'float', 'float']", "['','','']"));
        assertThat(guide)
                .contains("takes " + (long) work.flops() + " operations, moves " + (long) work.bytes() + " bytes")
                .contains("peak for `" + work.computeSpec() + "`")
                .contains("`" + Parameter.json(work.parameters()) + "`");
        OpModel eightBits = Objects.requireNonNull(models.of("mylib::linear_relu_w8"));
        Work scaled = eightBits.forward(call(
                "mylib::linear_relu_w8",
                "[[3, 4], [5, 4], [], [5]]",
                "['c10::Half', 'signed char', '', 'float']",
                "['','','','']"));
        assertThat(scaled.flops()).isEqualTo(120);
        assertThat(scaled.bytes()).isEqualTo(3 * 4 * 2 + 5 * 4 + 5 * 4 + 3 * 5 * 2);
    }

    @Test
    void theGuideListsAllFunctions() throws IOException {
        String guide = guide();
        assertThat(Functions.names())
                .allSatisfy(name -> assertThat(guide)
                        .contains("`"
                                + Objects.requireNonNull(Functions.named(name)).usage() + "`"));
    }

    @Test
    void allModelsThatShipWithTheProgramAreUnderstood() {
        for (String file : java.util.List.of("gemm.json", "elementwise.json", "fused.json")) {
            String json = ElementTypes.resource(OpModels.class, "models/" + file);
            assertThat(OpModels.of(ModelRules.standard()).with(file, json).families())
                    .isNotEmpty();
        }
    }

    @Test
    void aLaterModelReplacesAnEarlierOneAndPatternsComeLast() throws NotModelled {
        OpModels models = with("{'models': [{'ops': ['aten::mm'], " + MODEL + "}, "
                + "{'pattern': 'my::.*', 'like': 'unary', 'category': 'P'}]}");
        assertThat(Objects.requireNonNull(models.of("aten::mm")).category()).isEqualTo("C");
        assertThat(models.category("aten::mm")).isEqualTo("C");
        assertThat(models.family("aten::mm")).isEqualTo("F");
        assertThat(Objects.requireNonNull(models.of("my::op")).category()).isEqualTo("P");
        assertThat(models.of("your::op")).isNull();
        assertThat(models.families()).endsWith("F");
        assertThat(Objects.requireNonNull(OpModels.standard().of("aten::mm")).category())
                .isEqualTo("GEMM");
    }

    @Test
    void whatIsNotAskedForIsNotComputed() throws NotModelled {
        OpModels models = with("{'models': [{'ops': ['a'], 'define': {'x': 'fail(1)', 'y': 2}, 'parameters': ['y'], "
                + "'family': 'F', 'category': 'C', 'flops': 'y'}]}");
        Work work = Objects.requireNonNull(models.of("a")).forward(call("a", "[]", "[]", "[]"));
        assertThat(work.flops()).isEqualTo(2);
        assertThat(work.bytes()).isNaN();
        assertThat(work.computeSpec()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "[]                                              | m.json:1:1: expected a JSON object with a list of models",
                "{'model': []}                                   | m.json:1:11: expected 'models', not 'model'",
                "{'models': [{}]}                                | m.json:1:13: a model needs 'ops', a 'pattern' or, to be taken over by others, a 'name'",
                "{'models': [{'ops': ['a']}]}                    | m.json:1:13: the model has no 'family'",
                "{'models': [{'op': 'a'}]}                       | m.json:1:20: expected name, like, ops, pattern, family, category, unit, precision, define, parameters, flops, bytes, backward or comment, not 'op'",
                "{'models': [{'like': 'gem'}]}                   | m.json:1:22: expected the name of a model above, such as 'gemm', not 'gem'",
                "{'models': [{'unit': 'tensor'}]}                | m.json:1:22: expected matrix or vector, not 'tensor'",
                "{'models': [{'pattern': '('}]}                  | m.json:1:25: expected a regular expression: Unclosed group",
                "{'models': [{'define': {'a b': 1}}]}            | m.json:1:25: expected a name of letters, digits and _, not 'a b'",
                "{'models': [{'define': {'if': 1}}]}             | m.json:1:25: expected a name of letters, digits and _, not 'if'",
                "{'models': [{'flops': true}]}                   | m.json:1:23: expected a formula",
                "{'models': [{'ops': ['a'], 'define': {'x': 'y', 'y': 'x'}, 'family': 'F', 'category': 'C', 'flops': 'x'}]} | m.json:1:45: the value depends on itself in 'y'",
                "{'models': [{'ops': ['a'], 'parameters': ['z'], 'family': 'F', 'category': 'C', 'flops': 1}]} | m.json:1:44: expected a name under 'define' in 'z'",
                "{'models': [{'ops': ['a'], 'family': 'F', 'category': 'C', 'flops': '2 * M'}]} | m.json:1:74: 'M' is not defined in '2 * M'",
            })
    void mistakesAreShownWhereTheyAre(String json, String message) {
        assertThatThrownBy(() -> with(json)).isInstanceOfSatisfying(UserException.class, e -> {
            assertThat(e).hasMessage(message);
            assertThat(e.hint()).contains("docs/how-to/add-an-op-model.md");
        });
    }

    /** Names that each stand for what the one before does. */
    private static String names(int count, UnaryOperator<String> formula) {
        return IntStream.range(0, count)
                .mapToObj(i -> "'n" + i + "': '" + (i == 0 ? "(1, 2)" : formula.apply("n" + (i - 1))) + "'")
                .collect(Collectors.joining(", ", "'define': {", "}, "));
    }

    private static String model(String define, String flops) {
        return "{'models': [{'ops': ['my::op'], " + define + "'family': 'F', 'category': 'C', 'bytes': 1, 'flops': '"
                + flops + "'}]}";
    }

    private static double flops(String define, String flops) throws NotModelled {
        OpModel model = Objects.requireNonNull(with(model(define, flops)).of("my::op"));
        return model.forward(call("my::op", "[]", "[]", "[]")).flops();
    }

    @Test
    void whatTheStackMayNotSufficeForIsRefused() throws NotModelled {
        assertThat(flops("", "1" + " + 1".repeat(999))).isEqualTo(1000);
        assertThat(flops("", "(1, 2)" + "[0:2]".repeat(390) + "[1]")).isEqualTo(2);
        assertThat(flops(names(1900, name -> name), "prod(n1899)")).isEqualTo(2);

        for (String refused : List.of(
                model("", "1" + " + 1".repeat(1000)),
                model("", "(1, 2)" + "[0:2]".repeat(100_000)),
                model(names(20_000, name -> name), "prod(n19999)"))) {
            assertThatThrownBy(() -> with(refused))
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining("the formulas of a model have more than 2000 numbers, names and symbols")
                    .message()
                    .hasSizeLessThan(400);
        }
    }

    /** Values that hold each other twice, again and again. */
    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            concat(NAME, NAME); len(n60)
            (NAME, NAME); prod(n60)
            [NAME, 1, NAME]; n60 == n59
            """)
    void whatDoublesIsNotModelled(String formula, String flops) {
        assertThatThrownBy(() -> flops(names(61, name -> formula.replace("NAME", name)), flops))
                .isInstanceOfSatisfying(
                        NotModelled.class,
                        e -> assertThat(e.reason()).isEqualTo("a formula puts 65536 values together"));
    }
}
