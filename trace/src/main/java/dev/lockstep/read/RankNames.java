// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read;

import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Rank numbers in file and directory names. */
public final class RankNames {
    /** {@code rank3}, {@code rank_03}, {@code rank-3}, {@code rank[3]}, {@code worker3}. */
    private static final Pattern RANK =
            Pattern.compile("(?:^|[^a-z])(?:rank|worker)[-_ .\\[(]{0,2}(\\d{1,7})(?!\\d)", Pattern.CASE_INSENSITIVE);

    private RankNames() {}

    /** The rank in the path: in the file's name, else in the nearest directory that has one. */
    public static OptionalInt rankOf(Path path) {
        for (Path p = path; p != null && p.getFileName() != null; p = p.getParent()) {
            Matcher matcher = RANK.matcher(p.getFileName().toString());
            int rank = -1;
            while (matcher.find()) {
                rank = Integer.parseInt(matcher.group(1));
            }
            if (rank >= 0) {
                return OptionalInt.of(rank);
            }
        }
        return OptionalInt.empty();
    }
}
