// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.output;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import dev.lockstep.aiu.pipeline.Args;
import dev.lockstep.aiu.pipeline.RawJson;
import dev.lockstep.write.JsonBytes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IndentedJsonTest {
    private static final JsonFactory STRICT = new JsonFactory();

    private final JsonBytes bytes = new JsonBytes(64);
    private final IndentedJson json = new IndentedJson(bytes, false);

    private String written() {
        return new String(bytes.array(), 0, bytes.size(), StandardCharsets.US_ASCII);
    }

    private String raw(String text) {
        json.value(new RawJson(text));
        return written();
    }

    /** Reads text to its end, where exactly one value must end. */
    static int tokens(String text) throws IOException {
        int tokens = 0;
        int depth = 0;
        try (JsonParser parser = STRICT.createParser(text)) {
            while (parser.nextToken() != null) {
                tokens++;
                depth += parser.currentToken().isStructStart() ? 1 : 0;
                depth -= parser.currentToken().isStructEnd() ? 1 : 0;
                parser.getText();
                assertThat(depth > 0 || tokens == 1 || parser.currentToken().isStructEnd())
                        .as("one value")
                        .isTrue();
            }
        }
        assertThat(depth).isZero();
        return tokens;
    }

    @Test
    void containersAreIndentedByFourAsPythonDoes() {
        json.open('{');
        json.key("a").value(List.of(1L, true));
        json.key("b").value(new double[] {0.5, 1e22});
        json.key("c").value(Args.of("d", "é\n"));
        json.close('}');

        assertThat(written()).isEqualTo("""
            {
                "a": [
                    1,
                    true
                ],
                "b": [
                    0.5,
                    1e+22
                ],
                "c": {
                    "d": "\\u00e9\\n"
                }
            }\
            """);
    }

    @Test
    void emptyContainersStayOnTheirLine() {
        assertThat(raw("{\"a\":[],\"b\":{}}")).isEqualTo("{\n    \"a\": [],\n    \"b\": {}\n}");
    }

    @Test
    void aControlCharacterInATextOfAListIsEscaped() throws IOException {
        assertThat(raw("[\"x\n y\", 5]")).isEqualTo("[\n    \"x\\n y\",\n    5\n]");
        assertThat(tokens(written())).isEqualTo(4);
        assertThat(json.textsForJson()).isZero();
    }

    @Test
    void halfAPairOfSurrogatesIsReplacedAndAWholeOneStays() {
        assertThat(IndentedJson.quote("a\ud83d\ude00b")).isEqualTo("\"a\\ud83d\\ude00b\"");
        assertThat(IndentedJson.quote("\ud83d")).isEqualTo("\"\\ufffd\"");
        assertThat(IndentedJson.quote("\ude00\ud83dx")).isEqualTo("\"\\ufffd\\ufffdx\"");
    }

    @ParameterizedTest
    @CsvSource({"nan,NaN", "inf,Infinity", "-Infinity,-Infinity", "NaN,NaN", "1e999,1e999", "-0,-0", "null,null"})
    void numbersThatPythonKnowsStayAsAcelyzerSpellsThem(String given, String expected) {
        IndentedJson python = new IndentedJson(bytes, true);
        python.value(new RawJson(given));
        assertThat(written()).isEqualTo(expected);
        assertThat(python.textsForJson()).isZero();
    }

    @Test
    void whatIsNoFiniteNumberBecomesAText() throws IOException {
        json.value(
                List.of(Double.NaN, Double.POSITIVE_INFINITY, 1.5, new RawJson("[nan,-Infinity]"), new RawJson("inf")));

        assertThat(written().replaceAll("\\s", ""))
                .isEqualTo("[\"NaN\",\"Infinity\",1.5,\"[nan,-Infinity]\",\"Infinity\"]");
        assertThat(tokens(written())).isEqualTo(7);
        assertThat(json.textsForJson()).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"007", "1.", "-01", "1e", "1.2.3", "1-2", "--1"})
    void whatJsonDoesNotCallANumberBecomesAText(String given) {
        assertThat(raw(given)).isEqualTo('"' + given + '"');
        assertThat(json.textsForJson()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[1, 007]", "[1,[2,{\"a\":tru}]]", "{\"a\":{\"b\":[1,2}", "[\"\\uZZZZ\"]", "{\"a\":nan}"})
    void whatIsNoJsonIsWrittenAsOneTextAndLeavesNoTrace(String given) throws IOException {
        json.open('{');
        json.key("before").value(1L);
        json.key("odd").value(new RawJson(given));
        json.key("behind").value(2L);
        json.close('}');

        assertThat(written())
                .isEqualTo(
                        "{\n    \"before\": 1,\n    \"odd\": " + IndentedJson.quote(given) + ",\n    \"behind\": 2\n}");
        assertThat(tokens(written())).isEqualTo(8);
        assertThat(json.textsForJson()).isEqualTo(1);
    }

    @Test
    void nestingBeyondTheLimitBecomesAText() throws IOException {
        String deep = "[".repeat(1001) + "]".repeat(1001);

        assertThat(raw(deep)).isEqualTo('"' + deep + '"');
        bytes.clear();
        assertThat(tokens(raw("[".repeat(999) + "]".repeat(999)))).isEqualTo(1998);
    }

    @Test
    void whateverIsGivenCanBeReadAgain() throws IOException {
        Random random = new Random(7);
        for (int i = 0; i < 4000; i++) {
            String text = value(random, 4);
            List<String> hostile = new ArrayList<>(List.of(text));
            int cut = random.nextInt(text.length() + 1);
            hostile.add(text.substring(0, cut));
            hostile.add(text.substring(0, cut) + (char) random.nextInt(0x80) + text.substring(cut));
            for (String each : hostile) {
                bytes.clear();
                json.moveTo(bytes, 0, true);
                json.open('[');
                json.element();
                json.value(new RawJson(each));
                json.element();
                json.value(each);
                json.close(']');
                assertThat(tokens(written())).as(each).isGreaterThanOrEqualTo(4);
            }
        }
    }

    /** JSON with everything in it that makes writers stumble. */
    static String value(Random random, int depth) {
        StringBuilder text = new StringBuilder();
        int kind = random.nextInt(depth > 0 ? 5 : 3);
        switch (kind) {
            case 0 -> text.append(SCALARS.get(random.nextInt(SCALARS.size())));
            case 1, 2 -> text(random, text);
            case 3 -> {
                text.append('[');
                for (int i = random.nextInt(4); i > 0; i--) {
                    text.append(value(random, depth - 1)).append(i > 1 ? ",\n" : " ");
                }
                text.append(']');
            }
            default -> {
                text.append('{');
                for (int i = random.nextInt(4); i > 0; i--) {
                    text(random, text);
                    text.append(':').append(value(random, depth - 1)).append(i > 1 ? "," : "");
                }
                text.append('}');
            }
        }
        return text.toString();
    }

    private static final List<String> SCALARS = List.of(
            "0",
            "-1",
            "1e400",
            "123456789012345678901234567890",
            "0.1e-400",
            "NaN",
            "Infinity",
            "-Infinity",
            "nan",
            "inf",
            "007",
            "1.",
            "true",
            "false",
            "null");

    private static final List<String> PIECES = List.of(
            "\u0000", "\u0001", "\n", "\t", "\u001f", "\u007f", "\ud800", "\udc00", "\ufeff", "\u2028", "é", "a",
            "\\\"", "\\\\", "\\ud800", "\\u0000", "\\q", "\\/", "{", "]", "=SUM(1)");

    private static void text(Random random, StringBuilder into) {
        into.append('"');
        for (int i = random.nextInt(5); i > 0; i--) {
            into.append(PIECES.get(random.nextInt(PIECES.size())));
        }
        into.append('"');
    }
}
