// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class IterationSearchTest {
    private static IterationSearch over(String word) {
        IterationSearch search = new IterationSearch();
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
    void findsWhatAPlainSearchFinds() {
        Random random = new Random(7);
        for (int round = 0; round < 300; round++) {
            StringBuilder word = new StringBuilder();
            String unit = letters(random, 4 + random.nextInt(8), 2 + random.nextInt(5));
            word.append(letters(random, random.nextInt(6), 4)).append(unit.repeat(2 + random.nextInt(4)));
            String text = word.append(letters(random, 10, 3)).toString();

            assertThat(over(text).iterations() > 0).as(text).isEqualTo(plain(text));
        }
    }

    private static String letters(Random random, int length, int kinds) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append((char) ('a' + random.nextInt(kinds)));
        }
        return text.toString();
    }

    private static boolean plain(String text) {
        for (int n = 10; n <= text.length(); n++) {
            for (int prefix = 0; prefix < n / 3; prefix++) {
                int half = (n - prefix) / 2;
                if ((n - prefix) % 2 == 0
                        && text.substring(prefix, prefix + half).equals(text.substring(prefix + half, n))) {
                    return true;
                }
            }
        }
        return false;
    }
}
