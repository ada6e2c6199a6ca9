// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import org.jspecify.annotations.Nullable;

/** Lists of numbers as traces write them: {@code [0, 1, 2]}. */
public final class RankLists {
    private RankLists() {}

    /** The numbers in a text, in order; none for null. */
    public static long[] numbers(@Nullable String text) {
        if (text == null) {
            return new long[0];
        }
        long[] found = new long[8];
        int n = 0;
        int i = 0;
        while (i < text.length()) {
            if (!digit(text.charAt(i))) {
                i++;
                continue;
            }
            long value = 0;
            while (i < text.length() && digit(text.charAt(i))) {
                value = value * 10 + text.charAt(i++) - '0';
            }
            if (n == found.length) {
                found = java.util.Arrays.copyOf(found, n * 2);
            }
            found[n++] = value;
        }
        return java.util.Arrays.copyOf(found, n);
    }

    private static boolean digit(char c) {
        return c >= '0' && c <= '9';
    }
}
