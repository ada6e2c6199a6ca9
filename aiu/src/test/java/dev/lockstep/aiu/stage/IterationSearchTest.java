// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class IterationSearchTest {
    private static IterationSearch over(String word) {
        IterationSearch search = new IterationSearch(false);
        for (int i = 0; i < word.length(); i++) {
            search.add(word.charAt(i), 10.0 * (i + 1));
        }
        return search;
    }

    @Test
    void sixEqualRunsAreFiveIntervals() {
        IterationSearch search = over("x" + "abcde".repeat(6));

        assertThat(search.iterations()).isEqualTo(5);
        assertThat(search.meanUs()).isEqualTo(50.0);
    }

    /** Twelve letters are two times six, and four times three. */
    @Test
    void anIterationOfThreeKernelsIsOne() {
        IterationSearch search = new IterationSearch(true);
        IterationSearch longer = new IterationSearch(false);
        String word = "x" + "abc".repeat(6);
        for (int i = 0; i < word.length(); i++) {
            search.add(word.charAt(i), 10.0 * (i + 1));
            longer.add(word.charAt(i), 10.0 * (i + 1));
        }

        assertThat(search.meanUs()).isEqualTo(30.0);
        assertThat(search.iterations()).isEqualTo(5);
        assertThat(longer.meanUs()).isEqualTo(60.0);
    }

    @Test
    void nothingRepeatsInDistinctKernels() {
        assertThat(over("abcdefghijklmnopqrstuvwxyz").iterations()).isZero();
    }

    @Test
    void theIntervalAroundAnAdditionalKernelDoesNotCount() {
        IterationSearch search = over("abcde".repeat(3) + "abZcde" + "abcde".repeat(2));

        assertThat(search.meanUs()).isEqualTo(50.0);
        assertThat(search.iterations()).isEqualTo(3);
    }

    @Test
    void findsWhatAPlainSearchFindsAndAsEarly() {
        Random random = new Random(7);
        for (int round = 0; round < 3000; round++) {
            String text = word(random, random.nextInt(6));

            assertThat(first(text)).as(text).isEqualTo(plain(text));
        }
    }

    /** Pieces, pieces of pieces that are repeated, and now and then another letter. */
    private static String word(Random random, int depth) {
        if (depth == 0) {
            return letters(random, 1 + random.nextInt(9), 1 + random.nextInt(4));
        }
        String unit = word(random, depth - 1);
        StringBuilder text = new StringBuilder(random.nextBoolean() ? "" : word(random, depth - 1));
        for (int i = random.nextInt(4); i >= 0 && text.length() < 250; i--) {
            text.append(unit).append(random.nextInt(5) == 0 ? letters(random, 1, 4) : "");
        }
        return text.toString();
    }

    private static String letters(Random random, int length, int kinds) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append((char) ('a' + random.nextInt(kinds)));
        }
        return text.toString();
    }

    /** Letters that were needed, and the length of the piece. */
    private static String first(String text) {
        IterationSearch search = new IterationSearch(false);
        for (int n = 1; n <= text.length(); n++) {
            search.add(text.charAt(n - 1), n);
            if (search.iterations() > 0) {
                return n + " " + Math.round(search.meanUs());
            }
        }
        return "nothing";
    }

    private static String plain(String text) {
        for (int n = 10; n <= text.length(); n++) {
            for (int prefix = 0; prefix < n / 3; prefix++) {
                int half = (n - prefix) / 2;
                if ((n - prefix) % 2 == 0 && text.regionMatches(prefix, text, prefix + half, half)) {
                    return n + " " + half;
                }
            }
        }
        return "nothing";
    }
}
