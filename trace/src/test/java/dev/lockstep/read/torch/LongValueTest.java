// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.codec.JsonWindow;
import dev.lockstep.model.Diagnostics.Entry;
import dev.lockstep.model.Trace;
import dev.lockstep.testkit.TestTraces;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A value of which a packed file can hold more than fits into memory costs itself, once, and no more. */
class LongValueTest {
    private static final int AROUND = 20;

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            quoteCharacter = '`',
            value = {
                "{\"ph\":\"X\",\"dur\":1,\"name\":\"#x#\",\"ts\":5}",
                "{\"ph\":\"X\",\"dur\":1,\"name\":\"n\",\"ts\":#1#}",
                "{\"ph\":\"X\",\"dur\":1,\"ts\":4,\"args\":{\"a\":#[#}}",
                "{\"#k#\":1}"
            })
    void itIsSkippedAndCounted(String before, String repeated, String after) throws IOException {
        Trace trace = TestTraces.read(packed(before, repeated, after), 3);

        assertThat(trace.slices().size()).isEqualTo(2 * AROUND);
        assertThat(trace.diagnostics().problems()).extracting(Entry::code).containsExactly("syntax");
        assertThat(trace.diagnostics().problems().getFirst().count()).isEqualTo(1);
        assertThat(trace.diagnostics().problems().getFirst().message())
                .contains("more than " + (JsonWindow.LONGEST >> 20) + " MiB");
    }

    private static byte[] packed(String before, String repeated, String after) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        byte[] block = repeated.repeat(1 << 20).getBytes(UTF_8);
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(("{\"traceEvents\":[" + events(0) + "," + before).getBytes(UTF_8));
            // Looked at when there is half as much again as a value may be.
            for (long written = 0; written < JsonWindow.LONGEST * 7L / 4; written += block.length) {
                out.write(block);
            }
            out.write((after + "," + events(AROUND) + "]}").getBytes(UTF_8));
        }
        return packed.toByteArray();
    }

    private static String events(int from) {
        StringBuilder text = new StringBuilder();
        for (int i = from; i < from + AROUND; i++) {
            text.append(i == from ? "" : ",")
                    .append("{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":7,\"ts\":" + (10 + i)
                            + ",\"dur\":1,\"args\":{}}");
        }
        return text.toString();
    }
}
