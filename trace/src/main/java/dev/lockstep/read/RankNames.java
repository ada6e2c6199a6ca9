// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read;

import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Rank;
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

    /**
     * The rank of a trace that states none: that of its path, if the file holds no other trace, else its place.
     *
     * @param place among the traces of the file
     * @param alone whether the file holds no other trace
     * @param diagnostics takes that a rank was assumed
     */
    public static Rank unstated(Path path, int place, boolean alone, Diagnostics diagnostics) {
        OptionalInt named = rankOf(path);
        if (named.isPresent() && alone) {
            return new Rank(named.getAsInt(), Rank.Origin.PATH);
        }
        String why = named.isPresent()
                ? "the path states rank " + named.getAsInt() + ", but the file holds several processes; "
                : "neither the trace nor its path states a rank; ";
        diagnostics.add(Diagnostics.Weight.OBSERVATION, "no_rank", why + place + " is assumed", -1);
        return new Rank(place, Rank.Origin.ORDER);
    }

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
