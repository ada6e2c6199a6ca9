// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.RecordedTexts;
import dev.lockstep.model.Trace;
import dev.lockstep.read.ReadOptions.Keep;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the reader remembers of events before makes it quicker, and changes nothing of what it reads. */
class RepeatedLayoutsTest {
    private static final String[] VALUES = {
        "1",
        "12",
        "-3",
        "4.5",
        "1e3",
        "\"a\"",
        "\"ab\"",
        "\"q\\\"r\"",
        "\"\\u00e9\"",
        "[]",
        "[1, 2]",
        "[1,2]",
        "[[1], []]",
        "[\"x\", \"\"]",
        "{}",
        "{\"y\": [1, {\"z\": null}]}",
        "true",
        "false",
        "null",
        "NaN",
        "[1, NaN]",
        "[-1]",
        "\"\""
    };
    private static final String[] KEYS = {
        "correlation", "External id", "stream", "Input Dims", "Ev Idx", "Python id", "x", "args", "name", "k\\u0041"
    };

    private static String event(Random random, int number) {
        List<String> fields = new ArrayList<>(List.of(
                "\"ph\":" + space(random) + "\"X\"",
                "\"name\":" + space(random) + "\"n" + number + "\"",
                "\"cat\":" + space(random) + "\"" + "abc".substring(random.nextInt(3)) + "\"",
                "\"pid\":" + space(random) + random.nextInt(12),
                "\"tid\":" + space(random) + (random.nextBoolean() ? "\"t\"" : Integer.toString(random.nextInt(120))),
                "\"ts\":" + space(random) + (1000 + number),
                "\"dur\": " + random.nextInt(3) + ".25"));
        if (random.nextInt(4) > 0) {
            fields.add("\"args\":" + space(random) + "{" + arguments(random) + space(random) + "}");
        }
        if (random.nextInt(4) == 0) {
            fields.add(random.nextInt(fields.size()), "\"cname\": \"good\"");
        }
        return "{" + space(random) + String.join(random.nextBoolean() ? ", " : " ,\n", fields) + space(random) + "}";
    }

    private static String arguments(Random random) {
        List<String> members = new ArrayList<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            members.add("\"" + KEYS[random.nextInt(KEYS.length)] + "\":" + space(random)
                    + VALUES[random.nextInt(VALUES.length)]);
        }
        return String.join(random.nextInt(3) > 0 ? ", " : ",\n  ", members);
    }

    private static String space(Random random) {
        return random.nextInt(3) > 0 ? " " : random.nextBoolean() ? "" : "\n  ";
    }

    private static Trace read(List<String> events, Keep keep) throws IOException {
        return TestTraces.read(TestTraces.document(String.join(",\n", events)).getBytes(UTF_8), 1, keep);
    }

    private static String spelt(Trace trace, int slice) {
        RecordedTexts.Cursor text =
                Objects.requireNonNull(trace.recorded()).slices().cursor();
        text.move(slice);
        return trace.name(slice) + " " + trace.strings().orNull(trace.slices().category(slice)) + " "
                + trace.tracks().get(trace.slices().track(slice)).process() + " "
                + trace.tracks().get(trace.slices().track(slice)).thread() + " "
                + trace.slices().ts(slice) + " " + trace.slices().dur(slice) + " "
                + trace.slices().correlation(slice) + " " + trace.slices().externalId(slice) + " "
                + text.hasArguments + " "
                + new String(text.bytes, text.arguments, text.fieldsEnd - text.arguments, UTF_8) + " "
                + (text.correlation < 0 ? -1 : text.correlation - text.arguments) + " "
                + (text.externalId < 0 ? -1 : text.externalId - text.arguments);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void eventsSayTheSameAloneAndAmongOthers(long seed) throws IOException {
        Random random = new Random(seed);
        List<String> events = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            events.add(event(random, i));
        }
        for (Keep keep : new Keep[] {Keep.EVERYTHING, Keep.RECORDING}) {
            Trace together = read(events, keep);
            assertThat(together.slices().size()).isEqualTo(events.size());
            for (int i = 0; i < events.size(); i++) {
                assertThat(spelt(together, i))
                        .as(events.get(i))
                        .isEqualTo(spelt(read(List.of(events.get(i)), Keep.EVERYTHING), 0));
            }
        }
    }
}
