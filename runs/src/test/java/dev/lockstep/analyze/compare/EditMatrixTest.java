// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EditMatrixTest {
    /** The distances by the definition. */
    static int[][] distances(int[] a, int[] b) {
        int[][] d = new int[a.length + 1][b.length + 1];
        for (int i = 0; i <= a.length; i++) {
            for (int j = 0; j <= b.length; j++) {
                if (i == 0 || j == 0) {
                    d[i][j] = i + j;
                } else {
                    int replaced = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
                    d[i][j] = Math.min(replaced, 1 + Math.min(d[i - 1][j], d[i][j - 1]));
                }
            }
        }
        return d;
    }

    static int[] random(Random random, int length, int symbols) {
        return random.ints(length, 0, symbols).toArray();
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1, 2",
        "5, 9, 3",
        "63, 64, 4",
        "64, 65, 2",
        "65, 200, 3",
        "130, 400, 5",
        "300, 300, 200",
        "1000, 7, 2"
    })
    void stepsAreThoseOfTheDefinition(int m, int n, int symbols) {
        for (int seed = 0; seed < 5; seed++) {
            Random random = new Random(seed);
            int[] a = random(random, m, symbols);
            int[] b = random(random, n, symbols);
            int[][] wanted = distances(a, b);
            EditMatrix matrix = new EditMatrix(a, b);
            for (int j = n; j >= 0; j--) {
                for (int i = 1; i <= m; i++) {
                    assertThat(matrix.rises(i, j))
                            .as("seed %d, row %d, column %d", seed, i, j)
                            .isEqualTo(wanted[i][j] == wanted[i - 1][j] + 1);
                }
            }
        }
    }

    @Test
    void columnsMayBeAskedForInAnyOrder() {
        int[] a = random(new Random(1), 100, 3);
        int[] b = random(new Random(2), 500, 3);
        int[][] wanted = distances(a, b);
        EditMatrix matrix = new EditMatrix(a, b);
        for (int j : new int[] {500, 0, 250, 499, 64, 65, 1}) {
            assertThat(matrix.rises(77, j)).isEqualTo(wanted[77][j] == wanted[76][j] + 1);
        }
    }
}
