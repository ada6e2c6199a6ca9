// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ByteSinkTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Test
    void numbersAndMicrosecondsAreWrittenByHandAsTheLibraryWould() throws IOException {
        StringBuilder expected = new StringBuilder();
        try (ByteSink sink = new ByteSink(bytes)) {
            for (long value : new long[] {0, 7, 10, 999, 1000, 1001, 123_456_789, Long.MAX_VALUE, -1, -1005}) {
                sink.number(value);
                sink.text(" ");
                sink.micros(value);
                sink.text("\n");
                String fraction = String.valueOf(1000 + Math.abs(value % 1000)).substring(1);
                String sign = value < 0 && value > -1000 ? "-" : "";
                expected.append(value + " " + sign + value / 1000 + '.' + fraction + '\n');
            }
            assertThat(sink.count()).isEqualTo(expected.length());
        }
        assertThat(bytes.toString(StandardCharsets.UTF_8)).isEqualTo(expected.toString());
    }

    @Test
    void nothingIsLostAtTheEndOfTheBuffer() throws IOException {
        byte[] large = "x".repeat(200_000).getBytes(StandardCharsets.UTF_8);
        try (ByteSink sink = new ByteSink(bytes)) {
            for (int i = 0; i < 20_000; i++) {
                sink.number(i);
            }
            sink.bytes(large);
            sink.number(5);
            assertThat(sink.count()).isEqualTo(88_890 + 200_001);
        }
        assertThat(bytes.size()).isEqualTo(88_890 + 200_001);
    }
}
