// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens.diff;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class NameAlignmentTest {
    private static String steps(int[] a, int[] b) {
        DiffCounterparts steps = NameAlignment.shortest(a, b);
        StringBuilder text = new StringBuilder();
        for (int s = 0; s < steps.size(); s++) {
            text.append(steps.first(s) < 0 ? "-" : steps.first(s))
                    .append(steps.second(s) < 0 ? "-" : steps.second(s))
                    .append(' ');
        }
        return text.toString().strip();
    }

    @Test
    void fromTheEndEqualNamesArePaired() {
        assertThat(steps(new int[] {1, 2, 1}, new int[] {1})).isEqualTo("0- 1- 20");
    }

    @Test
    void aReplacementIsADeletionAndAnInsertion() {
        assertThat(steps(new int[] {1, 2}, new int[] {3, 2})).isEqualTo("0- -0 11");
        assertThat(steps(new int[] {1, 2, 9}, new int[] {3, 4, 9})).isEqualTo("0- -0 1- -1 22");
    }

    @Test
    void oneEmptySideLeavesTheOther() {
        assertThat(steps(new int[0], new int[] {1, 2})).isEqualTo("-0 -1");
        assertThat(steps(new int[] {1}, new int[0])).isEqualTo("0-");
    }

    /** The rule, step by step, over a matrix of all distances. */
    private static String byDefinition(int[] a, int[] b) {
        int[][] d = new int[a.length + 1][b.length + 1];
        for (int i = 0; i <= a.length; i++) {
            for (int j = 0; j <= b.length; j++) {
                d[i][j] = i == 0 || j == 0
                        ? i + j
                        : Math.min(
                                d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1),
                                1 + Math.min(d[i - 1][j], d[i][j - 1]));
            }
        }
        String text = "";
        int i = a.length;
        int j = b.length;
        while (i > 0 || j > 0) {
            if (i > 0 && j > 0 && a[i - 1] == b[j - 1]) {
                text = --i + "" + --j + " " + text;
            } else if (i > 0 && (j == 0 || d[i][j] == d[i - 1][j] + 1)) {
                text = --i + "- " + text;
            } else {
                text = "-" + --j + " " + text;
            }
        }
        return text.strip();
    }

    @Test
    void randomSequencesAreAlignedByTheRule() {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            int[] a = random.ints(random.nextInt(100), 0, 5).toArray();
            int[] b = random.ints(random.nextInt(100), 0, 5).toArray();
            assertThat(steps(a, b)).as("seed %d", seed).isEqualTo(byDefinition(a, b));
        }
    }
}
