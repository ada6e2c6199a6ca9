// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.hangs.wait;

import dev.lockstep.hangs.dump.Call;
import dev.lockstep.hangs.dump.RankDump;
import dev.lockstep.table.LongIntMap;
import java.util.Arrays;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;

/**
 * The order of a rank's calls. Training repeats its steps, so that the last calls can be compared with those of steps before: the
 * period is the shortest that explains most of what came before the end.
 */
final class History {
    private static final int SHORTEST = 8;
    private static final int TAIL = 64;
    private static final double MOST = 0.6;
    private static final int FURTHEST = 64;
    private static final int CONTEXT = 16;

    /** How calls differ from those that were expected. */
    enum Change {
        SKIPPED,
        EXTRA,
        SWAPPED,
        /** The expected call, in another group. */
        OTHER_GROUP,
        /** Several changes explain what was called: the order is another. */
        ORDER,
        /** Another call of the same group. */
        OTHER
    }

    /** What the first unexpected call has in common with the expected one. */
    enum Likeness {
        /** The group. */
        GROUP,
        /** All but the group. */
        CALL,
        /** All but the group, the frames among it. */
        CALL_AND_FRAMES,
        NOTHING
    }

    /**
     * Where a rank leaves its order.
     *
     * @param at the first call that is not the expected one
     * @param expected the same call in a step before
     */
    record Deviation(Change change, int at, int expected) {}

    private History() {}

    /** Where the last calls differ from the steps before; null where they do not, or no period is seen. */
    static @Nullable Deviation deviation(RankDump dump) {
        Deviation seen = deviation(dump, true);
        boolean unknown = seen != null && seen.change == Change.OTHER;
        return unknown ? deviation(dump, false) : seen; // a call from another line may be one of the others
    }

    private static @Nullable Deviation deviation(RankDump dump, boolean byStacks) {
        int n = dump.size();
        int[] calls = new int[n];
        LongIntMap numbers = new LongIntMap(64);
        for (int i = 0; i < n; i++) {
            long key = ((long) dump.group(i) << 42) ^ ((long) dump.callNumber(i) << 21);
            key ^= byStacks ? dump.stackNumber(i) : 0;
            calls[i] = numbers.numberOf(dump.isMessage(i) ? ~key : key);
        }
        int known = n - Math.min(Math.max(TAIL, n / 4), n / 3);
        int period = known < SHORTEST ? -1 : period(calls, known);
        if (period < 0) {
            return null;
        }
        int at = known;
        while (at < n && calls[at] == calls[at - period]) {
            at++;
        }
        if (at == n) {
            return null;
        }
        int[] expected = new int[FURTHEST + CONTEXT];
        for (int i = 0; i < expected.length; i++) {
            expected[i] = calls[at - period + i % period];
        }
        int[] actual = Arrays.copyOfRange(calls, at, Math.min(n, at + CONTEXT));
        return new Deviation(change(actual, expected, likeness(dump, at, at - period)), at, at - period);
    }

    private static Likeness likeness(RankDump dump, int at, int expected) {
        if (dump.group(at) == dump.group(expected)) {
            return Likeness.GROUP;
        }
        Call own = dump.call(at);
        Call other = dump.call(expected);
        if (!own.name().equals(other.name())
                || own.in() != other.in()
                || !own.types().equals(other.types())) {
            return Likeness.NOTHING;
        }
        boolean sameFrames = dump.stackNumber(at) == dump.stackNumber(expected)
                && !dump.stack(at).isEmpty();
        return sameFrames ? Likeness.CALL_AND_FRAMES : Likeness.CALL;
    }

    /**
     * The one change that explains all calls from the first unexpected one on. Where several do, what is certain: the order is another.
     *
     * @param actual the calls that were made
     * @param expected the calls of the steps before, from the one that stands against the first
     * @param likeness of the first two
     */
    static Change change(int[] actual, int[] expected, Likeness likeness) {
        boolean replaced = runs(actual, 1, expected, 1);
        if (replaced && likeness == Likeness.CALL_AND_FRAMES) {
            return Change.OTHER_GROUP;
        }
        Change other = likeness == Likeness.GROUP
                ? Change.OTHER
                : likeness == Likeness.NOTHING ? Change.ORDER : Change.OTHER_GROUP;
        boolean known = false;
        boolean skipped = false;
        for (int next = 1; next < expected.length; next++) {
            if (actual[0] == expected[next]) {
                known = true;
                skipped |= next <= FURTHEST && runs(actual, 0, expected, next);
            }
        }
        boolean extra = runs(actual, 1, expected, 0);
        if (!known) {
            return replaced || !extra ? other : Change.EXTRA;
        }
        EnumSet<Change> fitting = EnumSet.noneOf(Change.class);
        if (replaced) {
            fitting.add(other);
        }
        if (skipped) {
            fitting.add(Change.SKIPPED);
        }
        if (extra) {
            fitting.add(Change.EXTRA);
        }
        if (isSwapped(actual, expected)) {
            fitting.add(Change.SWAPPED);
        }
        return fitting.size() == 1 ? fitting.iterator().next() : Change.ORDER;
    }

    private static boolean isSwapped(int[] actual, int[] expected) {
        return expected.length > 1
                && actual[0] == expected[1]
                && (actual.length == 1 || actual[1] == expected[0])
                && runs(actual, 2, expected, 2);
    }

    private static boolean runs(int[] actual, int from, int[] expected, int against) {
        for (int i = from, j = against; i < actual.length && j < expected.length; i++, j++) {
            if (actual[i] != expected[j]) {
                return false;
            }
        }
        return true;
    }

    /** The shortest distance at which most calls before a place repeat; -1 for none. */
    private static int period(int[] calls, int before) {
        int[] back = new int[before];
        for (int i = 0; i < before; i++) {
            back[i] = calls[before - 1 - i];
        }
        int[] equal = equalFromStart(back);
        for (int distance = 1; distance < before; distance++) {
            if (distance + equal[distance] >= MOST * before && 4 * equal[distance] >= distance) {
                return distance;
            }
        }
        return -1;
    }

    /** For each place how many values from there on are those from the start. */
    private static int[] equalFromStart(int[] values) {
        int[] equal = new int[values.length];
        int from = 0;
        int to = 0;
        for (int i = 1; i < values.length; i++) {
            int n = i < to ? Math.min(to - i, equal[i - from]) : 0;
            while (i + n < values.length && values[n] == values[i + n]) {
                n++;
            }
            equal[i] = n;
            if (i + n > to) {
                from = i;
                to = i + n;
            }
        }
        return equal;
    }
}
