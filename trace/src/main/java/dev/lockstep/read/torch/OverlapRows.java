// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import dev.lockstep.model.TraceBuilder;
import dev.lockstep.model.Track;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Rows that a merged file has beside a thread or stream for slices that overlap others there, since viewers drop these:
 * {@code stream 7 (overlap 1)}, or {@code python 4711 (overlap 1)} where several threads of a process have one name. What lies
 * there belongs to that thread or stream.
 */
final class OverlapRows {
    private static final Pattern NAMED = Pattern.compile("^(.*) \\(overlap \\d+\\)$", Pattern.DOTALL);
    private static final int SEVERAL = -1;

    private OverlapRows() {}

    /** Puts everything back on the tracks where it was recorded, if this is a merged file. */
    static void apply(TraceBuilder builder, Map<String, String> metadata) {
        if (!metadata.containsKey(RanksInside.METADATA)) {
            return;
        }
        List<Track> tracks = builder.trackList();
        Map<String, Integer> named = new HashMap<>();
        for (int i = 0; i < tracks.size(); i++) {
            Track track = tracks.get(i);
            if (track.threadName() != null) {
                int number = i;
                named.merge(key(track, track.threadName()), number, (one, other) -> SEVERAL);
                named.putIfAbsent(key(track, track.threadName() + " " + track.thread()), number);
            }
        }
        int[] moved = new int[tracks.size()];
        for (int i = 0; i < moved.length; i++) {
            Track track = tracks.get(i);
            Matcher overlap = NAMED.matcher(track.threadName() == null ? "" : track.threadName());
            int home = overlap.matches() ? named.getOrDefault(key(track, overlap.group(1)), SEVERAL) : SEVERAL;
            moved[i] = home == SEVERAL ? i : home;
        }
        builder.moveAll(moved);
    }

    private static String key(Track track, String name) {
        return track.process() + '\0' + name;
    }
}
