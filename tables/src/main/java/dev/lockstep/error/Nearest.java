// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.error;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Finds what a misspelt name may have meant. */
public final class Nearest {
    private Nearest() {}

    /**
     * The known name with the fewest letters to change, the first of several; capitals do not matter.
     *
     * @param name what was given
     * @param known the names there are
     * @return one of the known names, empty where there is none
     */
    public static String of(String name, List<String> known) {
        String sought = name.strip().toLowerCase(Locale.ROOT);
        return known.stream()
                .min(Comparator.comparingInt(candidate -> distance(sought, candidate.toLowerCase(Locale.ROOT))))
                .orElse("");
    }

    /** Letters to insert, delete or replace. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
