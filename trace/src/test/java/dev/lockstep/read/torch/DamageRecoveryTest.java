// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.Trace;
import dev.lockstep.testkit.TestTraces;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Damage costs the event it hits, not those behind it. */
class DamageRecoveryTest {
    private static List<String> events(int count, String more) {
        return IntStream.range(0, count)
                .mapToObj(i -> "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"op" + i
                        + "\", \"pid\": 1, \"tid\": 1, \"ts\": " + (10 + i * 10) + ", \"dur\": 5" + more + "}")
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"] ", "], "})
    void eventsBehindABracketThatClosesTheListTooEarlyAreRead(String between) {
        List<String> events = events(20, "");
        String text = "{\"traceEvents\": [" + String.join(", ", events.subList(0, 7)) + between
                + String.join(", ", events.subList(7, 20)) + "]}";

        Trace trace = TestTraces.parse(text);

        assertThat(trace.counts().complete()).isEqualTo(20);
        assertThat(trace.diagnostics().hasLoss()).isTrue();
        assertThat(trace.diagnostics().problems()).first().satisfies(p -> {
            assertThat(p.code()).isEqualTo("syntax");
            assertThat(text.charAt((int) p.position())).isEqualTo('{');
        });
    }

    @Test
    void aDamagedEventIsMendedAndObjectsAmongItsArgumentsAreNoEvents() {
        List<String> events =
                events(20, ", \"args\": {\"items\": [{\"id\": 1}, {\"name\": \"x\"}, {\"ts\": 4}], \"rest\": 1}");
        String text = "{\"traceEvents\": ["
                + events.stream().collect(Collectors.joining(",\n")).replace("\"op3\", \"pid\"", "\"op3\" \"pid\"")
                + "]}";

        Trace trace = TestTraces.parse(text);

        assertThat(trace.counts().complete()).isEqualTo(20);
        assertThat(trace.counts().events()).isEqualTo(20);
        assertThat(trace.diagnostics().problems())
                .hasSize(1)
                .first()
                .satisfies(p -> assertThat(p.code()).isEqualTo("syntax"));
    }
}
