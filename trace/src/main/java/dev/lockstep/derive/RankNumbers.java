// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Lists of numbers as traces write them: {@code [0, 1, 2]}. */
public final class RankNumbers {
    private RankNumbers() {}

    /** The numbers in a text, in order; none for null. */
    public static long[] of(@Nullable String text) {
        long[] found = new long[8];
        int n = 0;
        int length = text == null ? 0 : text.length();
        for (int i = 0; i < length; i++) {
            if (text == null || !digit(text.charAt(i))) {
                continue;
            }
            long value = 0;
            for (; i < length && digit(text.charAt(i)); i++) {
                value = value * 10 + text.charAt(i) - '0';
            }
            if (n == found.length) {
                found = Arrays.copyOf(found, n * 2);
            }
            found[n++] = value;
        }
        return Arrays.copyOf(found, n);
    }

    private static boolean digit(char c) {
        return c >= '0' && c <= '9';
    }
}
