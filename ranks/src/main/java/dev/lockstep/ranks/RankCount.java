// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.ranks;

import dev.lockstep.session.RankSet;
import dev.lockstep.session.RankSet.Member;
import dev.lockstep.session.RankSet.Status;
import dev.lockstep.words.Words;
import java.util.List;

/** How many ranks of a run were read, with the files that are none of them. */
public final class RankCount {
    private static final int MOST_NAMED = 3;

    private RankCount() {}

    /** In words, as in {@code 3 of 4} or {@code 4 of 4 (not counted: settings.json)}. */
    public static String of(RankSet<?> ranks) {
        return of(ranks.present().size(), ranks.worldSize(), noTraces(ranks.members()));
    }

    /** As {@link #of(RankSet)}, of ranks that were counted elsewhere. */
    public static String of(long read, long all, List<String> noTraces) {
        return read + " of " + all + besides(noTraces);
    }

    /** What stands behind a number of ranks: the files that are not counted, empty for none. */
    public static String besides(RankSet<?> ranks) {
        return besides(noTraces(ranks.members()));
    }

    private static List<String> noTraces(List<? extends Member<?>> members) {
        return members.stream()
                .filter(member -> member.status() == Status.SET_ASIDE)
                .map(Member::source)
                .toList();
    }

    /** The same of files. */
    public static String besides(List<String> files) {
        if (files.isEmpty()) {
            return "";
        }
        List<String> names = files.stream()
                .limit(MOST_NAMED)
                .map(file -> Words.name(file.substring(file.lastIndexOf('/') + 1)))
                .toList();
        String more = files.size() > names.size() ? " and " + Words.count(files.size() - names.size()) + " more" : "";
        return " (not counted: " + String.join(", ", names) + more + ")";
    }
}
