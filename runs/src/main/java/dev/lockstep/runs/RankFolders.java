// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.runs;

import dev.lockstep.read.RankNames;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/** Folders that are named after ranks: {@code rank3}, {@code rank_3}, {@code rank_03}, {@code rank[3]}. */
final class RankFolders {
    private RankFolders() {}

    static boolean isRankFolder(Path folder) {
        return rankOf(folder).isPresent() && Files.isDirectory(folder);
    }

    /** The ranks that have a folder here, in ascending order. */
    static List<Integer> ranksIn(Path folder) {
        List<Integer> ranks = new ArrayList<>();
        for (Path child : Folders.children(folder)) {
            if (isRankFolder(child)) {
                rankOf(child).ifPresent(ranks::add);
            }
        }
        return ranks.stream().distinct().sorted().toList();
    }

    private static OptionalInt rankOf(Path folder) {
        Path name = folder.getFileName();
        return name == null || !name.toString().toLowerCase(Locale.ROOT).startsWith("rank")
                ? OptionalInt.empty()
                : RankNames.rankOf(name);
    }
}
