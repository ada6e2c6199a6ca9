// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A known text is found where all its bytes stand, and nowhere else. */
class KnownTextTest {
    private static final String TEXT = "abcdefghijklmnopqrstuvwxyz0123456789";

    private static byte[] padded(String text) {
        return (text + "\0".repeat(2 * Long.BYTES)).getBytes(US_ASCII);
    }

    @Test
    void everyByteCounts() {
        KnownText known = new KnownText();
        for (int length = 1; length <= TEXT.length(); length++) {
            known.set(padded(TEXT), 0, length);
            assertThat(known.length()).isEqualTo(length);
            assertThat(known.isAt(padded("--" + TEXT), 2))
                    .as("length %d", length)
                    .isTrue();
            for (int at = 0; at < length; at++) {
                byte[] other = padded("--" + TEXT);
                other[2 + at]++;
                assertThat(known.isAt(other, 2))
                        .as("length %d, byte %d", length, at)
                        .isFalse();
            }
            byte[] behind = padded("--" + TEXT);
            behind[2 + length]++;
            assertThat(known.isAt(behind, 2)).as("behind %d", length).isTrue();
        }
    }

    @Test
    void nothingIsFoundBeforeATextIsSet() {
        KnownText known = new KnownText();
        assertThat(known.isAt(padded(TEXT), 0)).isFalse();
        known.set(padded(TEXT), 3, 3);
        assertThat(known.isAt(padded(TEXT), 3)).isFalse();
    }
}
