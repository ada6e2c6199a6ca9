// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.derive.DeviceActivity.Stream;
import dev.lockstep.model.Slices;

/** For which activities of other streams activities waited that no record names, as their times show. */
final class InferredWaits {
    /** What held an activity up ended at most this long before it started, in ns. */
    private static final long JUST_BEFORE = 10_000;

    /**
     * Where it ran long, and so long is unexplained that its end lies there by chance in one of a hundred at most, it may have
     * ended earlier: some devices need 20 µs to pass a signal from stream to stream. In ns.
     */
    private static final long SHORTLY_BEFORE = 100_000;

    private static final int UNEXPLAINED_TIMES = 100;
    private static final int RUNS_TIMES = 20;
    private static final int LOOK_BACK = 64;

    private final RankGraph rank;
    private final Slices slices;
    private final Endings endings;
    private final DeviceWaits waits;
    private final Pairs together;

    /** Pairs of activities. */
    interface Pairs {
        boolean has(int other, int a);
    }

    /** @param together activities between which nothing can be inferred, as one call launched both as a graph */
    InferredWaits(RankGraph rank, Slices slices, Endings endings, DeviceWaits waits, Pairs together) {
        this.rank = rank;
        this.slices = slices;
        this.endings = endings;
        this.waits = waits;
        this.together = together;
    }

    /** What seems to have held an activity up, -1 for nothing. */
    int heldUp(int a, long unexplained) {
        int place = endings.lastBy(rank.start(a));
        for (int i = place;
                i >= 0 && i > place - LOOK_BACK && rank.end(endings.at(i)) >= rank.start(a) - SHORTLY_BEFORE;
                i--) {
            int other = endings.at(i);
            long since = rank.start(a) - rank.end(other);
            boolean near = since <= JUST_BEFORE
                    || since * UNEXPLAINED_TIMES <= unexplained
                            && since * RUNS_TIMES <= rank.end(other) - rank.start(other);
            if (other < a && isElsewhere(other, a) && !together.has(other, a) && near && isOnSameDevice(other, a)) {
                return other;
            }
        }
        return -1;
    }

    /** What ended last while a task stood before an activity on its stream that waits; -1 for nothing. */
    int endedAWait(int a) {
        int wait = waits.before(a);
        return wait < 0 ? -1 : endedIn(a, slices.ts(wait), slices.end(wait));
    }

    /** What an activity that does nothing but wait waited for; -1 of others, or where it is not known. */
    int awaitedBy(int a) {
        return waits.isWait(a) ? endedIn(a, rank.start(a), rank.end(a)) : -1;
    }

    /** The last activity to end within a time on another stream; -1 for none. */
    private int endedIn(int a, long from, long to) {
        int place = endings.lastBy(to);
        while (place >= 0 && rank.end(endings.at(place)) > from) {
            if (isElsewhere(endings.at(place), a)) {
                return endings.at(place);
            }
            place--;
        }
        return -1;
    }

    /** What the device of an activity ended last before it, -1 for nothing near. */
    int lastBefore(int a) {
        int place = endings.lastBy(rank.start(a));
        for (int i = place; i >= 0 && i > place - LOOK_BACK; i--) {
            if (endings.at(i) < a && isOnSameDevice(endings.at(i), a)) {
                return endings.at(i);
            }
        }
        return -1;
    }

    /** Whether anything ended just before an activity started, and after a moment. */
    boolean endedJustBefore(int a, long after) {
        int place = endings.lastBy(rank.start(a));
        place -= place >= 0 && endings.at(place) == a ? 1 : 0;
        long last = place < 0 ? Long.MIN_VALUE : rank.end(endings.at(place));
        return last > after && last >= rank.start(a) - JUST_BEFORE;
    }

    private boolean isElsewhere(int other, int a) {
        return rank.activity.streamOf(other) != rank.activity.streamOf(a);
    }

    private boolean isOnSameDevice(int other, int a) {
        return device(other).equals(device(a));
    }

    private String device(int a) {
        Stream stream = rank.activity.streams().get(rank.activity.streamOf(a));
        return stream.device();
    }
}
