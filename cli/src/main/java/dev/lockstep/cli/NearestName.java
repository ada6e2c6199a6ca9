// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds what the user most probably meant. */
public final class NearestName {
    private NearestName() {}

    /** The known word with the fewest edits to {@code word}, if it is near enough to be worth suggesting. */
    public static Optional<String> nearest(String word, Collection<String> known) {
        int limit = Math.max(2, word.length() / 3);
        return known.stream()
                .filter(candidate -> distance(word, candidate) <= limit)
                .min(Comparator.comparingInt((String candidate) -> distance(word, candidate))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** Levenshtein distance: insertions, deletions and replacements. */
    static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replace = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replace, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
