// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ByteTextTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final ByteText text = new ByteText(bytes);

    @Test
    void decimalsAreThoseOfNumbers() throws IOException {
        Random random = new Random(3);
        StringBuilder expected = new StringBuilder();
        long[] edges = {
            0, 1, -1, 10, -10, 999, 1000, -1000, Long.MAX_VALUE, Long.MIN_VALUE + 1, 1_000_000_000_000_000_000L
        };
        for (int i = 0; i < 50_000; i++) {
            long value = i < edges.length ? edges[i] : random.nextLong() >> random.nextInt(64);
            int digits = i % 4 * 3;
            long divisor = new long[] {1, 1_000, 1_000_000, 1_000_000_000}[i % 4];
            text.decimal(value, digits);
            text.put(' ');
            expected.append(Numbers.plain(value, divisor)).append(' ');
        }
        assertThat(written()).isEqualTo(expected.toString());
    }

    @Test
    void charactersAreEncodedAsUtf8() throws IOException {
        String every = "aµ日😀\u07ff\u0800\uffff\t ";
        text.cell(every, false);
        text.cell("\ud800x\udc00", false);
        text.cell(every + ",\"", false);

        assertThat(written()).isEqualTo(every + "\ufffdx\ufffd" + "\"" + every + ",\"\"\"");
    }

    @Test
    void theBufferGrowsForLongCells() throws IOException {
        String longest = "\"".repeat(400_000);
        text.cell(longest, false);
        text.cell("日".repeat(400_000), false);

        assertThat(written()).isEqualTo("\"" + longest + longest + "\"" + "日".repeat(400_000));
    }

    private String written() throws IOException {
        text.flush();
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
