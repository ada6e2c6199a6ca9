// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.memory;

import java.util.ArrayList;
import java.util.List;

/** How much is allocated over time, in a bounded number of points whose least and most are exact. */
final class MemoryCurve {
    private static final int MOST_POINTS = 2000;

    /**
     * A part of the recording.
     *
     * @param from its first event, in ns
     * @param to its last event, in ns
     * @param least the least that is allocated from before its first event to after its last
     * @param most the most of it
     * @param reserved the most that the allocator holds, -1 when not recorded
     */
    record Point(long from, long to, long least, long most, long reserved) {}

    private MemoryCurve() {}

    /** The points in order of time: one for each event where there are few. */
    static List<Point> of(AllocatorLog log) {
        List<Point> points = new ArrayList<>();
        int n = log.size();
        int parts = Math.min(n, MOST_POINTS);
        for (int part = 0; part < parts; part++) {
            int from = (int) ((long) part * n / parts);
            int to = (int) ((part + 1L) * n / parts);
            long least = log.before(from);
            long most = least;
            long reserved = -1;
            for (int i = from; i < to; i++) {
                least = Math.min(least, log.level(i));
                most = Math.max(most, log.level(i));
                reserved = Math.max(reserved, log.reserved(i));
            }
            points.add(new Point(log.time(from), log.time(to - 1), least, most, reserved));
        }
        return points;
    }
}
