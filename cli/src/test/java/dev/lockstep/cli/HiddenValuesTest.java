// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HiddenValuesTest {
    private static final HiddenValues HIDDEN = HiddenValues.in(
            List.of("--token", "aabaabac", "--password=ünïcode-päss"), List.of(Map.of("API_KEY", "aabaabaabac")));

    @Test
    void knownSecretsAreHiddenInTexts() {
        assertThat(HIDDEN.hide("x aabaabac, aabaabaabac; aabaab ünïcode-päss")).isEqualTo("x ***, ***; aabaab ***");
        assertThat(HiddenValues.in(List.of("--pin", "12", "--steps", "300000")).hide("12 300000"))
                .isEqualTo("12 300000");
    }

    /** Whatever pieces the stream comes in, of texts that nearly are secrets. */
    @Test
    void streamsGiveTheSameAsTexts() throws IOException {
        Random random = new Random(19);
        for (int round = 0; round < 300; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(30); i >= 0; i--) {
                text.append(List.of("a", "aab", "aabaabac", "aabaabaabac", "ü", "ünïcode-päss", "\n", " ")
                        .get(random.nextInt(8)));
            }
            byte[] bytes = text.toString().getBytes(UTF_8);
            InputStream pieces = new FilterInputStream(new ByteArrayInputStream(bytes)) {
                @Override
                public int read(byte[] into, int offset, int length) throws IOException {
                    return super.read(into, offset, Math.min(length, 1 + random.nextInt(7)));
                }
            };
            ByteArrayOutputStream copied = new ByteArrayOutputStream();
            HIDDEN.around(pieces).transferTo(copied);

            assertThat(copied.toString(UTF_8)).doesNotContain("aabaabac").doesNotContain("ünïcode-päss");
            assertThat(copied.toString(UTF_8).replace("***", "")).hasSizeLessThanOrEqualTo(text.length());
        }
        assertThat(new String(
                        HIDDEN.around(new ByteArrayInputStream("aab aabaabac aabaa".getBytes(UTF_8)))
                                .readAllBytes(),
                        UTF_8))
                .isEqualTo("aab *** aabaa");
    }
}
