// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read;

import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Rank;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Rank numbers in file and directory names. */
public final class RankNames {
    /** {@code rank3}, {@code rank_03}, {@code rank-3}, {@code rank[3]}, {@code worker3}. */
    private static final Pattern RANK =
            Pattern.compile("(?:^|[^a-z])(?:rank|worker)[-_ .\\[(]{0,2}(\\d{1,7})(?!\\d)", Pattern.CASE_INSENSITIVE);

    /** Execution traces of Chakra: {@code name.3.et}. */
    private static final Pattern OF_TRACE = Pattern.compile("[^/]*\\.(\\d{1,7})\\.et(?:\\.(?:gz|zst))?");

    /** Where Ascend's profiler writes what a rank did, beside a file whose name has the rank. */
    private static final String ASCEND = "ASCEND_PROFILER_OUTPUT";

    private static final Pattern ASCEND_INFO = Pattern.compile("profiler_info_(\\d{1,7})\\.json");

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

    /**
     * The rank in the path: in the file's name, else in the nearest directory that has one. That of Ascend's profiler has it in
     * the name of a file beside it.
     */
    public static OptionalInt rankOf(Path path) {
        Path folder = path.getParent();
        if (folder != null && folder.endsWith(ASCEND) && folder.toAbsolutePath().getParent() != null) {
            OptionalInt stated = beside(folder.toAbsolutePath());
            if (stated.isPresent()) {
                return stated;
            }
        }
        Matcher ofTrace = OF_TRACE.matcher(String.valueOf(path.getFileName()));
        if (ofTrace.matches()) {
            return OptionalInt.of(Integer.parseInt(ofTrace.group(1)));
        }
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

    private static OptionalInt beside(Path folder) {
        try (Stream<Path> files = Files.list(folder.resolve(".."))) {
            return files.map(file -> ASCEND_INFO.matcher(file.getFileName().toString()))
                    .filter(Matcher::matches)
                    .mapToInt(name -> Integer.parseInt(name.group(1)))
                    .min();
        } catch (IOException e) {
            return OptionalInt.empty();
        }
    }
}
