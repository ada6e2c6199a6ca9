// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.lockstep.codec.Json;
import dev.lockstep.model.ArgumentTokens;
import dev.lockstep.model.RecordedText;
import dev.lockstep.model.RecordedTexts;
import dev.lockstep.model.Trace;
import dev.lockstep.read.ReadOptions.Keep;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Arguments that are handed through to a merged file. */
class HandedThroughTest {
    private static final int EVENTS = 4000;

    private static RecordedTexts recorded(List<String> arguments, Keep keep) throws IOException {
        StringBuilder events = new StringBuilder();
        for (int i = 0; i < arguments.size(); i++) {
            events.append("{\"ph\": \"X\", \"name\": \"n\", \"pid\": 1, \"tid\": 1, \"ts\": ")
                    .append(i * 10L)
                    .append(", \"dur\": 1, \"args\": {")
                    .append(arguments.get(i))
                    .append("}},\n");
        }
        Trace trace = TestTraces.read(TestTraces.document(events.toString()).getBytes(StandardCharsets.UTF_8), 2, keep);
        return Objects.requireNonNull(trace.recorded()).slices();
    }

    private static String text(RecordedTexts.Cursor at) {
        return new String(at.bytes, at.arguments, at.argumentsEnd - at.arguments, StandardCharsets.UTF_8);
    }

    private static String value(Random random, List<String> met) {
        String value = switch (random.nextInt(8)) {
            case 0 -> Long.toString(random.nextLong() >>> random.nextInt(1, 64));
            case 1 -> Long.toString(-random.nextInt(1000));
            case 2 -> random.nextInt(100) + ".50e-" + random.nextInt(9);
            case 3 -> "\"" + "text \\u00e9 é".repeat(random.nextInt(40)) + "\"";
            case 4 -> "[[" + random.nextInt(9) + ", 7], [], \"Scalar\"]";
            case 5 -> "{\"k\":[true,null," + "1,".repeat(random.nextInt(600)) + "2]}";
            case 6 -> "123456789012345678901234567890";
            default -> met.isEmpty() ? "false" : met.get(random.nextInt(met.size()));
        };
        if (met.size() < 50) {
            met.add(value);
        }
        return value;
    }

    @ParameterizedTest
    @EnumSource(
            value = Keep.class,
            names = {"RECORDING", "EVERYTHING"})
    void comeBackAsTheyWere(Keep keep) throws IOException {
        Random random = new Random(5);
        List<String> met = new ArrayList<>();
        List<String> all = new ArrayList<>();
        for (int i = 0; i < EVENTS; i++) {
            List<String> members = new ArrayList<>();
            for (int k = random.nextInt(8); k > 0; k--) {
                members.add("\"key" + random.nextInt(12) + "\":" + value(random, met));
            }
            all.add(String.join(",", members));
        }
        RecordedTexts.Cursor row = recorded(all, keep).cursor();
        for (int i = 0; i < EVENTS; i++) {
            assertThat(row.move(i)).isTrue();
            assertThat(text(row)).isEqualTo(all.get(i));
        }
    }

    /** What was met in an event with other damage is no less damaged in the next. */
    @ParameterizedTest
    @EnumSource(
            value = Keep.class,
            names = {"RECORDING", "EVERYTHING"})
    void damagedValuesAreJsonHoweverOftenTheyAreMet(Keep keep) throws IOException {
        List<String> values = List.of(
                "NaN",
                "-Infinity",
                "007",
                "[3, 04]",
                "5.",
                "\"a\u0001b\"",
                "\"a\\qb\"",
                "\"\\ud800\"",
                "1",
                "\"sound\"",
                "[3, 4]");
        List<String> keys = List.of("a", "b", "Input Dims", "External id", "stream", "k\u0001", "k\\q");
        Random random = new Random(6);
        List<String> all = new ArrayList<>();
        for (int i = 0; i < EVENTS; i++) {
            List<String> members = new ArrayList<>();
            for (int k = random.nextInt(4); k > 0; k--) {
                members.add('"' + keys.get(random.nextInt(keys.size())) + "\":"
                        + values.get(random.nextInt(values.size())));
            }
            all.add(String.join(",", members));
        }
        RecordedTexts.Cursor row = recorded(all, keep).cursor();
        for (int i = 0; i < EVENTS; i++) {
            assertThat(row.move(i)).isTrue();
            String text = "{" + text(row) + "}";
            assertThatCode(() -> Json.parse(text)).as(text).doesNotThrowAnyException();
        }
    }

    @Test
    void ofSeveralIdsTheLastIsTheOneThatCounts() throws IOException {
        RecordedTexts texts = recorded(
                List.of("\"External id\":7,\"a\":1,\"External id\":8,\"correlation\":9", "\"a\":1"), Keep.RECORDING);
        RecordedTexts.Cursor row = texts.cursor();
        row.move(0);
        assertThat(text(row).substring(row.externalId - row.arguments)).startsWith("8,");
        assertThat(text(row).substring(row.correlation - row.arguments)).startsWith("9");
        ArgumentTokens tokens = texts.tokens();
        List<Integer> roles = new ArrayList<>();
        assertThat(tokens.move(0)).isTrue();
        while (tokens.next()) {
            roles.add(tokens.role);
        }
        assertThat(roles)
                .containsExactly(
                        RecordedText.PLAIN, RecordedText.PLAIN, RecordedText.EXTERNAL_ID, RecordedText.CORRELATION);
        row.move(1);
        assertThat(row.externalId).isEqualTo(-1);
    }

    @Test
    void digitsAreTheNumberTheySpell() throws IOException {
        List<String> numbers = new ArrayList<>();
        for (int digits = 1; digits <= ArgumentTokens.MOST_DIGITS; digits++) {
            numbers.add("9".repeat(digits));
            numbers.add("1" + "0".repeat(digits - 1));
            numbers.add("123456789012345678".substring(0, digits));
        }
        RecordedTexts texts = recorded(numbers.stream().map(n -> "\"k\":" + n).toList(), Keep.RECORDING);
        ArgumentTokens tokens = texts.tokens();
        for (int i = 0; i < numbers.size(); i++) {
            assertThat(tokens.move(i) && tokens.next()).isTrue();
            assertThat(tokens.kind).isEqualTo(ArgumentTokens.DIGITS);
            assertThat(tokens.digits()).isEqualTo(Long.parseLong(numbers.get(i)));
        }
    }

    @Test
    void mendedArgumentsAreNoTokens() throws IOException {
        RecordedTexts texts = recorded(List.of("\"a\":NaN,\"correlation\":5"), Keep.RECORDING);
        assertThat(texts.tokens().move(0)).isFalse();
        RecordedTexts.Cursor row = texts.cursor();
        row.move(0);
        assertThat(text(row)).isEqualTo("\"a\":\"NaN\",\"correlation\":5");
        assertThat(text(row).substring(row.correlation - row.arguments)).isEqualTo("5");
    }

    @Test
    void idsInsideOfOtherArgumentsAreNoIdsOfMendedOnesEither() throws IOException {
        RecordedTexts.Cursor row = recorded(
                        List.of(
                                "\"a\":{\"b\":NaN,\"correlation\":{\"c\":[1,2]},\"External id\":3},\"External id\":4,\"d\":\",\\\"correlation\\\":\","
                                        + "\"External id\":5,\"e\":[{\"f\":6,\"External id\":7}]"),
                        Keep.RECORDING)
                .cursor();
        row.move(0);
        assertThat(row.correlation).isEqualTo(-1);
        assertThat(text(row).substring(row.externalId - row.arguments)).startsWith("5,");
    }

    /** What is mended takes exactly its room, so that what comes next must get its own. */
    @Test
    void whatFollowsAMendedEventHasRoom() throws IOException {
        List<String> arguments = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            arguments.add("\"key" + i + "\":{\"word\":" + i + "}");
        }
        List<String> longNumbers = List.of("\"key2999\":123456789012345678", "\"key2998\":{\"word\":2999}");
        for (String next : longNumbers) {
            arguments.add("\"n\":NaN");
            arguments.add("");
            arguments.add(next);
        }
        String events = "{\"ph\": \"X\", \"name\": \"n\", \"pid\": 1, \"tid\": 1, \"ts\": %d, \"dur\": 1%s}";
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < arguments.size(); i++) {
            String own = arguments.get(i).equals("\"n\":NaN")
                    ? ", \"other\": NaN"
                    : ", \"args\": {" + arguments.get(i) + "}";
            all.append(String.format(Locale.ROOT, events, i * 10, own)).append(",\n");
        }
        RecordedTexts.Cursor row = Objects.requireNonNull(TestTraces.read(
                                TestTraces.document(all.toString()).getBytes(StandardCharsets.UTF_8), 1, Keep.RECORDING)
                        .recorded())
                .slices()
                .cursor();
        for (int i = 0; i < arguments.size(); i++) {
            row.move(i);
            assertThat(text(row)).isEqualTo(arguments.get(i).equals("\"n\":NaN") ? "" : arguments.get(i));
        }
    }
}
