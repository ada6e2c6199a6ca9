// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

/**
 * Names of which parts are left open: {@code *} stands for anything, {@code ?} for one character, the rest for itself. The time
 * that it takes is at most in proportion to the product of both lengths.
 *
 * @param pattern as it was given
 */
public record Glob(String pattern) {
    /** Whether a text is wholly what the pattern says. */
    public boolean matches(String text) {
        int p = 0;
        int t = 0;
        int behindStar = -1;
        int covered = 0;
        while (t < text.length()) {
            char wanted = p < pattern.length() ? pattern.charAt(p) : '\0';
            if (wanted == '*') {
                behindStar = ++p;
                covered = t;
            } else if (wanted == '?') {
                p++;
                t = next(text, t);
            } else if (p < pattern.length() && wanted == text.charAt(t)) {
                p++;
                t++;
            } else if (behindStar >= 0) {
                p = behindStar;
                covered = next(text, covered);
                t = covered;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == '*') {
            p++;
        }
        return p == pattern.length();
    }

    private static int next(String text, int at) {
        return at + Character.charCount(text.codePointAt(at));
    }
}
