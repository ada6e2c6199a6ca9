// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** With files that {@code zstd} packed. */
class ZstdSourceTest {
    private final List<String> damage = new ArrayList<>();

    /** What was packed into the files. */
    private static byte[] text(int lines) {
        StringBuilder text = new StringBuilder();
        int seed = 1;
        for (int i = 0; i < lines; i++) {
            seed = seed * 1_103_515_245 + 12_345 & Integer.MAX_VALUE;
            int took = i % 50 == 0 ? seed % 100_000 : (seed >> 8) % 10;
            text.append("slice ")
                    .append(i % 97)
                    .append(" of kernel_")
                    .append((seed >> 16) % 11)
                    .append(" took ")
                    .append(took)
                    .append(" us\n");
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] packed(String name) throws IOException {
        try (InputStream in = ZstdSourceTest.class.getResourceAsStream("zstd/" + name + ".zst")) {
            return Objects.requireNonNull(in).readAllBytes();
        }
    }

    private byte[] unpack(byte[] packed) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] buffer = new byte[5000];
        try (ZstdSource source = new ZstdSource(
                new StreamSource(new ByteArrayInputStream(packed)), (loss, code, message, at) -> damage.add(code))) {
            for (int n = source.read(buffer, 0, buffer.length); n >= 0; n = source.read(buffer, 0, buffer.length)) {
                out.write(buffer, 0, n);
            }
        }
        return out.toByteArray();
    }

    @ParameterizedTest
    @CsvSource({"short-fast, 300", "long-fast, 9000", "long-small, 9000"})
    void whatZstdPackedIsUnpacked(String name, int lines) throws IOException {
        assertThat(unpack(packed(name))).isEqualTo(text(lines));
        assertThat(damage).isEmpty();
    }

    @Test
    void framesFollowOneAnotherAndSomeAreSkipped() throws IOException {
        byte[] skipped = {0x53, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3};
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.write(packed("short-fast"));
        both.write(skipped);
        both.write(packed("short-fast"));

        String once = new String(text(300), StandardCharsets.UTF_8);
        assertThat(new String(unpack(both.toByteArray()), StandardCharsets.UTF_8))
                .isEqualTo(once + once);
    }

    @Test
    void whatLiesBeforeACutIsDelivered() throws IOException {
        byte[] whole = packed("long-fast");
        byte[] found = unpack(Arrays.copyOf(whole, whole.length - 10));

        assertThat(found).isEqualTo(Arrays.copyOf(text(9000), found.length)).hasSizeGreaterThan(100_000);
        assertThat(damage).containsExactly("truncated");
    }

    @Test
    void damageEndsInAReport() throws IOException {
        SplittableRandom random = new SplittableRandom(7);
        byte[] whole = packed("short-fast");
        for (int i = 0; i < 2000; i++) {
            byte[] broken = whole.clone();
            broken[4 + random.nextInt(whole.length - 4)] ^= (byte) (1 << random.nextInt(8));
            assertThat(unpack(broken).length).isLessThan(1 << 20);
        }
        assertThat(damage).contains("damaged_block");
    }
}
