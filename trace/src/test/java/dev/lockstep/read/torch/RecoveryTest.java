// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Diagnostics.Entry;
import dev.lockstep.model.Trace;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Damage that reaches far: what was read once in vain is not read again. Each document takes minutes otherwise. */
class RecoveryTest {
    private static final int EVENTS = 40_000;
    private static final String SOUND =
            "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"sound\",\"pid\":0,\"tid\":7,\"ts\":1,\"dur\":1,\"args\":{}}";

    private static Trace read(String events) throws IOException {
        return TestTraces.read(("{\"traceEvents\":[" + SOUND + "," + events).getBytes(UTF_8), 2);
    }

    private static String many(IntFunction<String> event) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < EVENTS; i++) {
            text.append(i == 0 ? "" : ",").append(event.apply(i));
        }
        return text.toString();
    }

    private static String unclosed(int i) {
        return "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k" + i
                + "\",\"args\":{\"a\":[1,{\"b\":2,\"pid\":0,\"tid\":7,\"ts\":" + i + ",\"dur\":1}";
    }

    static Stream<Named<String>> documents() {
        String nested = many(RecoveryTest::unclosed);
        return Stream.of(
                Named.of("arguments that are never closed", nested + "]}"),
                Named.of("the same, cut within a text", nested + ",\"abc"),
                Named.of("the same before damage", nested + ",?]}"),
                Named.of("the same, closed in the wrong order", nested + "}".repeat(3 * EVENTS)),
                Named.of(
                        "quotes within names, too",
                        many(i -> unclosed(i).replace("\"k" + i, "\"k\"" + i + "\"")) + "]}"),
                Named.of(
                        "events within texts that are never closed",
                        many(i -> "{\"ph\":\"X\",\"name\":\"k,{\\\"ph\\\":1"
                                + ",{\"ph\":\"X\",\"args\":{\"a\":[{\"name\":\"x\"}")),
                Named.of("objects that may be events", many(i -> "{\"id\":[")),
                Named.of("the same with a phase far behind", many(i -> "{\"id\":[") + "\"ph\""),
                Named.of("lists", many(i -> "[[\"ph\"")),
                Named.of("members that are never closed", many(i -> "{\"ph\":\"X\",\"other\":{\"a\":[")));
    }

    @ParameterizedTest
    @MethodSource("documents")
    void damageIsMetOnce(String document) throws IOException {
        Trace trace = read(document);

        assertThat(trace.slices().size()).isPositive();
        assertThat(trace.name(0)).isEqualTo("sound");
        assertThat(trace.diagnostics().hasLoss()).isTrue();
    }

    /** What is remembered changes nothing: small documents are read as before. */
    @Test
    void everyEventThatWasNotReadIsCounted() throws IOException {
        Diagnostics odd = read(many(RecoveryTest::unclosed) + "]}").diagnostics();

        List<Entry> losses = odd.problems();
        assertThat(losses).extracting(Entry::code).contains("truncated", "syntax");
        assertThat(losses.stream()
                        .filter(e -> e.code().equals("syntax"))
                        .findFirst()
                        .orElseThrow()
                        .count())
                .isEqualTo(EVENTS - 1);
    }

    @Test
    void whatFollowsTheDamageIsStillFound() throws IOException {
        String document = many(RecoveryTest::unclosed) + ",?,"
                + SOUND.replace("sound", "behind").replace("\"ts\":1", "\"ts\":2") + "]}";

        Trace trace = read(document);

        assertThat(trace.slices().size()).isEqualTo(2);
        assertThat(trace.name(1)).isEqualTo("behind");
    }
}
