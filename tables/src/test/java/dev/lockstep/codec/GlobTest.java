// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class GlobTest {
    /** As the regular expression says that it stands for. */
    private static boolean expected(String glob, String text) {
        StringBuilder regex = new StringBuilder();
        glob.codePoints()
                .forEach(c -> regex.append(c == '*' ? ".*" : c == '?' ? "." : Pattern.quote(Character.toString(c))));
        return Pattern.compile(regex.toString(), Pattern.DOTALL).matcher(text).matches();
    }

    private static String random(SplittableRandom random, String of) {
        int[] points = of.codePoints().toArray();
        StringBuilder text = new StringBuilder();
        for (int n = random.nextInt(9); n > 0; n--) {
            text.appendCodePoint(points[random.nextInt(points.length)]);
        }
        return text.toString();
    }

    @Test
    void starsStandForAnythingAndQuestionMarksForOneCharacter() {
        SplittableRandom random = new SplittableRandom(7);
        int matching = 0;
        for (int i = 0; i < 50_000; i++) {
            String glob = random(random, "ab\n\0\uD83D\uDE00*?*?");
            String text = random(random, "ab\n\0\uD83D\uDE00*");
            boolean matches = expected(glob, text);
            assertThat(new Glob(glob).matches(text)).as("%s on %s", glob, text).isEqualTo(matches);
            matching += matches ? 1 : 0;
        }
        assertThat(matching).isBetween(2_000, 48_000);
    }

    /** With a regular expression it would not end. */
    @Test
    void manyStarsTakeNoLonger() {
        assertThat(new Glob("*a".repeat(500) + "b").matches("a".repeat(8_192))).isFalse();
        assertThat(new Glob("*a".repeat(500)).matches("a".repeat(8_192))).isTrue();
    }
}
