// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import dev.lockstep.model.Track;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tracks of one name. */
final class TrackNames {
    private record Names(
            @Nullable String process,
            @Nullable String labels,
            @Nullable String thread) {}

    private TrackNames() {}

    /** For each track the first one whose names are the same. */
    static int[] firstOfSame(List<Track> tracks) {
        Map<Names, Integer> first = new HashMap<>();
        int[] same = new int[tracks.size()];
        for (int i = 0; i < same.length; i++) {
            Track t = tracks.get(i);
            Integer known = first.putIfAbsent(new Names(t.processName(), t.processLabels(), t.threadName()), i);
            same[i] = known == null ? i : known;
        }
        return same;
    }
}
