// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.lockstep.codec.JsonCursor.Stop;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The cursor reads what jackson reads, and says so where text is missing or wrong. */
class JsonCursorTest {
    private static final JsonFactory JACKSON = new JsonFactory();
    private static final long LARGEST_NS = 1L << 62;

    private static JsonCursor cursor(byte[] text, int limit) {
        JsonCursor cursor = new JsonCursor();
        cursor.set(Arrays.copyOf(Arrays.copyOf(text, limit), limit + JsonCursor.SLACK), 0, limit);
        return cursor;
    }

    private static JsonCursor cursor(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        return cursor(bytes, bytes.length);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void readsTheTokensThatJacksonReads(long seed) throws Exception {
        Random random = new Random(seed);
        for (int i = 0; i < 300; i++) {
            String text = RandomJson.document(random, false) + "\n";
            JsonCursor cursor = cursor(text);
            List<String> tokens = new ArrayList<>();
            walk(cursor, tokens);
            assertThat(tokens).as(text).isEqualTo(jacksonTokens(text));
            assertThat(cursor.notes).as(text).isZero();
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {11, 12, 13, 14})
    void skipsExactlyOneValue(long seed) throws Stop {
        Random random = new Random(seed);
        for (int i = 0; i < 500; i++) {
            String text = RandomJson.document(random, false);
            JsonCursor cursor = cursor("  " + text + " ,");
            assertThat(cursor.skip()).isEqualTo(2);
            assertThat(cursor.pos).isEqualTo(2 + text.getBytes(UTF_8).length);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {21, 22, 23, 24})
    void textThatIsCutAnywhereIsIncomplete(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 100; i++) {
            byte[] text = RandomJson.document(random, false).getBytes(UTF_8);
            for (int cut = 0; cut < text.length; cut++) {
                JsonCursor cursor = cursor(text, cut);
                assertThatThrownBy(cursor::skip)
                        .as("%s cut at %d", new String(text, UTF_8), cut)
                        .isSameAs(Stop.INCOMPLETE);
                assertThat(cursor.notes).as("notes at cut %d", cut).isZero();
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {31, 32, 33, 34})
    void judgesDamagedDocumentsAsJacksonDoes(long seed) {
        Random random = new Random(seed);
        int accepted = 0;
        int refused = 0;
        for (int i = 0; i < 4000; i++) {
            StringBuilder text = new StringBuilder(RandomJson.document(random, true));
            int at = random.nextInt(text.length());
            if ("{}[],:\"tfn".indexOf(text.charAt(at)) < 0) {
                continue;
            }
            switch (random.nextInt(3)) {
                case 0 -> text.deleteCharAt(at);
                case 1 -> text.insert(at, "{}[],:\"".charAt(random.nextInt(7)));
                default -> text.setCharAt(at, "{}[],:\"".charAt(random.nextInt(7)));
            }
            String damaged = text + "\n";
            boolean sound = jacksonAccepts(damaged);
            assertThat(cursorAccepts(damaged)).as(damaged).isEqualTo(sound);
            accepted += sound ? 1 : 0;
            refused += sound ? 0 : 1;
        }
        assertThat(accepted).isPositive();
        assertThat(refused).isPositive();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":1,}",
                "[1,]",
                "[1 2]",
                "{\"a\" 1}",
                "{1:2}",
                "[}",
                "{]",
                "[tru]",
                "[nul]",
                "[-]",
                "[+1]",
                "{\"a\":}"
            })
    void refusesWhatIsNoJson(String text) {
        JsonCursor cursor = cursor(text + "\n");
        assertThatThrownBy(cursor::skip).isSameAs(Stop.MALFORMED);
        assertThat(cursor.failedAt).isBetween(1, text.length() - 1);
        assertThat(cursor.expected).isNotBlank();
    }

    @ParameterizedTest
    @CsvSource({
        "NaN, INVALID_NUMBER",
        "nan, INVALID_NUMBER",
        "Infinity, INVALID_NUMBER",
        "-Infinity, INVALID_NUMBER",
        "inf, INVALID_NUMBER",
        "007, INVALID_NUMBER",
        "-01, INVALID_NUMBER",
        "00.5, INVALID_NUMBER",
        "5., INVALID_NUMBER",
        "-.5, INVALID_NUMBER",
        "1e, INVALID_NUMBER",
        "1E+, INVALID_NUMBER",
        "1.2.3, INVALID_NUMBER",
        "5-88, INVALID_NUMBER",
        "--1, INVALID_NUMBER",
        "'[3, 04]', INVALID_NUMBER",
        "'\"a\u0001b\"', CONTROL_CHARACTER",
        "'\"a\\qb\"', INVALID_ESCAPE",
        "'\"a\\uZZZZb\"', INVALID_ESCAPE",
        "'\"\\ud800\"', LONE_SURROGATE",
        "'\"\\udc00 and more text\"', LONE_SURROGATE",
        "'\"\\ud800\\u0041\"', LONE_SURROGATE",
    })
    void readsAndNotesWhatIsNotQuiteJson(String value, String note) throws Exception {
        JsonCursor cursor = cursor("[" + value + ", 1]");
        cursor.skip();
        assertThat(cursor.notes).isEqualTo(JsonCursor.class.getField(note).getInt(null));
        assertThat(cursor.notedAt).isBetween(1, value.getBytes(UTF_8).length);
    }

    /** Who takes a number notes what who skips it does: events are written on as they stand where nothing was noted. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-0",
                "0.5",
                "-0.5",
                "10.25",
                "12345678",
                "123456789.125",
                "1e3",
                "007",
                "-01",
                "00",
                "-00.5",
                "00.5",
                "5.",
                "-.5",
                "012345678.5",
                "02410000004619.601",
                "0123456789012345678",
                "1e",
                "1.2.3",
                "NaN",
                "[3, 04]"
            })
    void whoTakesANumberNotesWhatWhoSkipsItDoes(String value) throws Stop {
        JsonCursor skipping = cursor(value + ",");
        skipping.skip();
        JsonCursor[] taking = new JsonCursor[4];
        Arrays.setAll(taking, i -> cursor(value + ","));
        taking[0].nanoseconds();
        taking[1].integer();
        taking[2].real();
        taking[3].identifier();
        assertThat(taking).allSatisfy(cursor -> {
            assertThat(cursor.notes).isEqualTo(skipping.notes);
            assertThat(cursor.pos).isEqualTo(skipping.pos);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-0", "10", "-10", "0.0", "-0.50", "0e0", "1E+05", "12.5e-007", "[0, 10, [0]]"})
    void soundNumbersAreNotNoted(String value) throws Stop {
        JsonCursor cursor = cursor("[" + value + ", 1.5]");
        cursor.skip();
        assertThat(cursor.notes).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"\\ud800\"}", "\"\\udc00\"}", "\"\\u12\"}", "\"\\u\"}", "\"\\q\"}"})
    void badEscapesAtTheEndOfTheTextAreWhole(String text) throws Stop {
        JsonCursor cursor = cursor(text);
        cursor.string();
        assertThat(cursor.pos).isEqualTo(text.length() - 1);
        assertThat(cursor.notes).isNotZero();
    }

    @Test
    void invalidUtf8IsNotedAndReplaced() throws Stop {
        byte[][] wrong = {
            {(byte) 0x80},
            {(byte) 0xC0, (byte) 0x80},
            {(byte) 0xC3},
            {(byte) 0xE2, (byte) 0x82},
            {(byte) 0xED, (byte) 0xA0, (byte) 0x80},
            {(byte) 0xF4, (byte) 0x90, (byte) 0x80, (byte) 0x80},
            {(byte) 0xF8},
            {(byte) 0xFF}
        };
        for (byte[] bytes : wrong) {
            byte[] text = new byte[bytes.length + 8];
            Arrays.fill(text, (byte) ' ');
            text[0] = '"';
            text[1] = 'a';
            System.arraycopy(bytes, 0, text, 2, bytes.length);
            text[bytes.length + 2] = 'z';
            text[bytes.length + 3] = '"';
            JsonCursor cursor = cursor(text, text.length);
            cursor.string();
            assertThat(cursor.notes).isEqualTo(JsonCursor.INVALID_UTF8);
            assertThat(cursor.text()).startsWith("a\uFFFD").endsWith("z").matches("a\uFFFD+z");
        }
    }

    @Test
    void bareQuotesAreReadWhenLenient() throws Stop {
        JsonCursor cursor = cursor("\"a \"quoted\" word\", 1");
        cursor.lenient = true;
        cursor.string();
        assertThat(cursor.text()).isEqualTo("a \"quoted\" word");
        assertThat(cursor.notes).isEqualTo(JsonCursor.BARE_QUOTE);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 63, 64, 65, 128, 1000, 200_000})
    void depthIsLimitedByMemoryAlone(int depth) throws Stop {
        String text = "[{\"a\":".repeat(depth) + "1" + "}]".repeat(depth);
        JsonCursor cursor = cursor(text + "\n");
        cursor.skip();
        assertThat(cursor.pos).isEqualTo(text.length());
        JsonCursor wrong = cursor(text.replaceFirst("}]", "]}") + "\n");
        assertThatThrownBy(wrong::skip).isSameAs(Stop.MALFORMED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "1",
                "-1",
                "0.001",
                "0.0005",
                "0.00049",
                "-0.0005",
                "1.2345",
                "1.2344999999",
                "12345678.123",
                "1e3",
                "1E3",
                "1.5e-3",
                "1e-7",
                "1e-60",
                "0e-999999999",
                "123456789012345678",
                "4611686018427387.904",
                "4611686018427387.903",
                "4611686018427387.905",
                "-4611686018427387.904",
                "4611686018427387904",
                "9999999999999999",
                "9999999999999999.999",
                "99999999999999999999",
                "1e16",
                "1e400",
                "1e999999999",
                "-1e400",
                "0.1234567890123456789012345678901234567890",
                "00012",
                "1."
            })
    void nanosecondsAreThoseOfBigDecimal(String number) throws Stop {
        long wanted = oracle(number);
        assertThat(cursor(number + ",").nanoseconds()).as("plain " + number).isEqualTo(wanted);
        assertThat(cursor("\"" + number + "\",").nanoseconds())
                .as("text " + number)
                .isEqualTo(wanted);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {41, 42, 43})
    void randomNanosecondsAreThoseOfBigDecimal(long seed) throws Stop {
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            StringBuilder number = new StringBuilder(random.nextInt(4) == 0 ? "-" : "");
            number.append(Long.toString(random.nextLong() >>> random.nextInt(64) & Long.MAX_VALUE));
            if (random.nextInt(3) > 0) {
                number.append('.');
                for (int digits = 1 + random.nextInt(7); digits > 0; digits--) {
                    number.append((char) ('0' + random.nextInt(10)));
                }
            }
            if (random.nextInt(8) == 0) {
                number.append('e').append(random.nextInt(40) - 20);
            }
            String text = random.nextBoolean() ? number.toString() : '"' + number.toString() + '"';
            JsonCursor cursor = cursor(text + "}");
            assertThat(cursor.nanoseconds()).as(text).isEqualTo(oracle(number.toString()));
            assertThat(cursor.pos).isEqualTo(text.length());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "true",
                "\"\"",
                "\"abc\"",
                "\"1.2.3\"",
                "[1]",
                "{\"a\": 1}",
                "NaN",
                "\"0x10\"",
                "1.2.3",
                "-Infinity"
            })
    void whatIsNoTimeIsSkipped(String value) throws Stop {
        JsonCursor cursor = cursor(value + ",");
        assertThat(cursor.nanoseconds()).isEqualTo(JsonCursor.NOT_A_NUMBER);
        assertThat(cursor.pos).isEqualTo(value.length());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "12.345",
                "\"12.345\"",
                "-7",
                "\"1e3\"",
                "12345678901234567890",
                "null",
                "[1, 2]",
                "0.12345",
                "\"0x1F\""
            })
    void numbersThatAreCutAreIncomplete(String value) {
        byte[] text = value.getBytes(UTF_8);
        for (int cut = 0; cut <= text.length; cut++) {
            if (cut < text.length || "\"]l".indexOf(value.charAt(cut - 1)) < 0) {
                assertThatThrownBy(cursor(text, cut)::nanoseconds)
                        .as(value + " cut at " + cut)
                        .isSameAs(Stop.INCOMPLETE);
                assertThatThrownBy(cursor(text, cut)::integer)
                        .as(value + " cut at " + cut)
                        .isSameAs(Stop.INCOMPLETE);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "-1, -1",
        "123456789012345678, 123456789012345678",
        "9223372036854775807, 9223372036854775807",
        "18446744073709551615, -1",
        "18446744073709551614, -2",
        "\"42\", 42",
        "\" 42 \", 42",
        "\"0x1F\", 31",
        "\"0Xff\", 255",
        "\"0xffffffffffffffff\", -1",
        "\"18446744073709551615\", -1",
        "5.0, 5",
        "1e3, 1000",
        "007, 7",
        "-01, -1",
    })
    void integersUpTo64BitsWithoutSign(String text, long wanted) throws Stop {
        JsonCursor cursor = cursor(text + ",");
        assertThat(cursor.integer()).isEqualTo(wanted);
        assertThat(cursor.pos).isEqualTo(text.length());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "18446744073709551616",
                "-9223372036854775809",
                "-18446744073709551616",
                "1.5",
                "\"0x\"",
                "\"0x-5\"",
                "\"0xg\"",
                "\"0x10000000000000000\"",
                "\"\"",
                "\"word\"",
                "null",
                "[]",
                "1e400"
            })
    void whatIsNoIntegerIsSkipped(String value) throws Stop {
        JsonCursor cursor = cursor(value + ",");
        assertThat(cursor.integer()).isEqualTo(JsonCursor.NOT_A_NUMBER);
        assertThat(cursor.pos).isEqualTo(value.length());
    }

    @Test
    void equalIdsAreEqualNumbersHoweverTheyAreSpaced() throws Stop {
        assertThat(cursor(" 7,").identifier()).isEqualTo(7);
        assertThat(cursor("\"0x10\",").identifier()).isEqualTo(16);
        long text = cursor("\"arrow a\",").identifier();
        assertThat(cursor("  \"arrow a\"\n,").identifier()).isEqualTo(text);
        assertThat(cursor("\"arrow b\",").identifier()).isNotEqualTo(text);
    }

    @Test
    void numbersOfThousandsOfDigitsCostNothing() throws Stop {
        String digits = "9".repeat(5000);
        assertThat(cursor(digits + ",").nanoseconds()).isEqualTo(JsonCursor.NOT_A_NUMBER);
        assertThat(cursor(digits + ",").integer()).isEqualTo(JsonCursor.NOT_A_NUMBER);
    }

    private static long oracle(String number) {
        BigDecimal ns = new BigDecimal(number).scaleByPowerOfTen(3);
        if (ns.precision() - (long) ns.scale() > 40) {
            return JsonCursor.NOT_A_NUMBER;
        }
        BigDecimal rounded =
                ns.precision() - (long) ns.scale() < -40 ? BigDecimal.ZERO : ns.setScale(0, RoundingMode.HALF_UP);
        return rounded.abs().compareTo(BigDecimal.valueOf(LARGEST_NS)) > 0
                ? JsonCursor.NOT_A_NUMBER
                : rounded.longValueExact();
    }

    private static void walk(JsonCursor cursor, List<String> tokens) throws Stop {
        int c = cursor.peek();
        if (c == '{' || c == '[') {
            boolean object = c == '{';
            tokens.add(object ? "{" : "[");
            cursor.pos++;
            int close = object ? '}' : ']';
            while (cursor.peek() != close) {
                if (object) {
                    cursor.peek();
                    cursor.string();
                    tokens.add("key " + cursor.text());
                    cursor.take(':', "':'");
                }
                walk(cursor, tokens);
                if (cursor.peek() == ',') {
                    cursor.pos++;
                }
            }
            cursor.pos++;
            tokens.add(object ? "}" : "]");
        } else if (c == '"') {
            cursor.string();
            tokens.add("text " + cursor.text());
        } else {
            int from = cursor.skip();
            tokens.add("word " + new String(cursor.buffer, from, cursor.pos - from, UTF_8));
        }
    }

    private static List<String> jacksonTokens(String text) throws IOException {
        List<String> tokens = new ArrayList<>();
        try (JsonParser parser = JACKSON.createParser(text)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                tokens.add(
                        switch (token) {
                            case START_OBJECT -> "{";
                            case END_OBJECT -> "}";
                            case START_ARRAY -> "[";
                            case END_ARRAY -> "]";
                            case FIELD_NAME -> "key " + parser.currentName();
                            case VALUE_STRING -> "text " + parser.getText();
                            default -> "word " + parser.getText();
                        });
            }
        }
        return tokens;
    }

    private static boolean cursorAccepts(String text) {
        JsonCursor cursor = cursor(text);
        try {
            cursor.skip();
            cursor.peek();
            return cursor.pos == cursor.limit && cursor.notes == 0;
        } catch (Stop stop) {
            return false;
        }
    }

    private static boolean jacksonAccepts(String text) {
        try (JsonParser parser = JACKSON.createParser(text)) {
            int depth = 0;
            int values = 0;
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                parser.getText();
                values += depth == 0 ? 1 : 0;
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
            }
            return values == 1;
        } catch (JsonProcessingException e) {
            return false;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
