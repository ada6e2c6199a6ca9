// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import dev.lockstep.table.StringPool;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonBytesTest {
    private final JsonBytes bytes = new JsonBytes(1);

    private String text() {
        String text = new String(bytes.array(), 0, bytes.size(), StandardCharsets.UTF_8);
        bytes.clear();
        return text;
    }

    @Test
    void microsecondsAreExactAndShort() {
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            long nanos = random.nextLong() >> random.nextInt(64);
            if (nanos == Long.MIN_VALUE) {
                continue;
            }
            bytes.micros(nanos);
            BigDecimal exact = new BigDecimal(nanos).movePointLeft(3);
            String plain =
                    exact.signum() == 0 ? "0" : exact.stripTrailingZeros().toPlainString();
            assertThat(text()).isEqualTo(plain);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 9, 10, 99, 100, 12345, -1, -10, Long.MAX_VALUE, Long.MIN_VALUE})
    void wholeNumbers(long value) {
        bytes.number(value);
        assertThat(text()).isEqualTo(Long.toString(value));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "plain",
                "a \"quote\" inside",
                "back\\slash",
                "tab\there",
                "ünïcödé 語 😀",
                "12345678\"",
                "\u0001"
            })
    void textsComeBack(String text) throws IOException {
        StringPool pool = new StringPool();
        bytes.quoted(pool, pool.intern(text), "[R1] ".getBytes(StandardCharsets.US_ASCII));
        bytes.put('\n');
        bytes.quoted(text);
        List<String> read = new ArrayList<>();
        try (JsonParser parser = new JsonFactory().createParser(text())) {
            while (parser.nextToken() != null) {
                read.add(parser.getText());
            }
        }
        assertThat(read).containsExactly("[R1] " + text, text);
    }
}
