// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import dev.lockstep.model.Track;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Tracks of one name. */
final class TrackNames {
    private TrackNames() {}

    /** For each track the first one whose names are the same. */
    static int[] firstOfSame(List<Track> tracks, Function<Track, Track.Names> named) {
        Map<Track.Names, Integer> first = new HashMap<>();
        int[] same = new int[tracks.size()];
        for (int i = 0; i < same.length; i++) {
            Integer known = first.putIfAbsent(named.apply(tracks.get(i)), i);
            same[i] = known == null ? i : known;
        }
        return same;
    }
}
