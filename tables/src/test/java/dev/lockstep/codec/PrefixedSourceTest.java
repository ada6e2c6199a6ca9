// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class PrefixedSourceTest {
    @Test
    void givesTheHeadAgainAndThenTheRest() throws IOException {
        StreamSource rest = new StreamSource(new ByteArrayInputStream("world".getBytes(UTF_8)));
        try (PrefixedSource source = new PrefixedSource("hello ".getBytes(UTF_8), rest)) {
            byte[] into = new byte[20];
            assertThat(source.read(into, 0, 4)).isEqualTo(4);
            int n = 4 + source.fill(into, 4, 16);
            assertThat(new String(into, 0, n, UTF_8)).isEqualTo("hello world");
            assertThat(source.fill(into, 0, 5)).isZero();
        }
    }
}
