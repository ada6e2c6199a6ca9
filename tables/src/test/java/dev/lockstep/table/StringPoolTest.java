// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.table;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StringPoolTest {
    private final StringPool pool = new StringPool();

    @Test
    void equalTextsHaveOneIdInOrderOfAppearance() {
        assertThat(pool.intern("a")).isZero();
        assertThat(pool.intern("")).isEqualTo(1);
        assertThat(pool.intern("a")).isZero();
        assertThat(pool.get(1)).isEmpty();
        assertThat(pool.size()).isEqualTo(2);
        assertThat(pool.find("a")).isZero();
        assertThat(pool.find("b")).isEqualTo(-1);
        assertThat(pool.orNull(-1)).isNull();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void agreesWithAMap(long seed) {
        Random random = new Random(seed);
        Map<String, Integer> ids = new LinkedHashMap<>();
        for (int i = 0; i < 30_000; i++) {
            String text = text(random);
            int wanted = ids.computeIfAbsent(text, t -> ids.size());
            byte[] bytes = ("<<" + text + "and more behind").getBytes(UTF_8);
            int id = random.nextBoolean() ? pool.intern(text) : pool.intern(bytes, 2, 2 + text.getBytes(UTF_8).length);
            assertThat(id).isEqualTo(wanted);
        }
        assertThat(pool.size()).isEqualTo(ids.size());
        ids.forEach((text, id) -> assertThat(pool.get(id)).isEqualTo(text));
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {4, 5})
    void orderIsThatOfCodePoints(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 2000; i++) {
            String a = text(random);
            String b = text(random);
            int wanted = Arrays.compare(a.codePoints().toArray(), b.codePoints().toArray());
            int found = pool.compare(pool.intern(a), pool.intern(b));
            assertThat(Integer.signum(found)).isEqualTo(Integer.signum(wanted));
        }
        assertThat(pool.compare(-1, pool.intern("a"))).isNegative();
        assertThat(pool.compare(-1, -1)).isZero();
    }

    @Test
    void textsOfAnotherPoolKeepTheirContent() {
        StringPool other = new StringPool();
        for (int i = 0; i < 1000; i++) {
            other.intern("text " + i);
        }
        pool.intern("text 5");
        for (int i = 999; i >= 0; i--) {
            assertThat(pool.get(pool.internFrom(other, i))).isEqualTo("text " + i);
        }
        assertThat(pool.size()).isEqualTo(1000);
    }

    @Test
    void longTextsFit() {
        String longText = "x".repeat(3_000_000);
        int id = pool.intern(longText);
        assertThat(pool.intern("y")).isEqualTo(id + 1);
        assertThat(pool.get(id)).isEqualTo(longText);
    }

    private static String text(Random random) {
        String letters = "abc é€😀";
        StringBuilder text = new StringBuilder();
        for (int left = random.nextInt(12); left > 0; left--) {
            text.appendCodePoint(letters.codePointAt(new int[] {0, 1, 2, 3, 4, 5, 6}[random.nextInt(7)]));
        }
        return text.toString();
    }
}
