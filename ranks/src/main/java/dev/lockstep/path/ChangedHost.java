// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.model.Slices;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongList;
import dev.lockstep.table.LongOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** How much of the time of one thread is left, and where it waits for nothing, by changes of single slices. */
final class ChangedHost {
    /** Moments at which the part changes, ascending, and how much time was taken off up to each, in ns. */
    private final long[] moments;

    private final long[] taken;

    /** From each moment on: what is taken off, in millionths. */
    private final long[] rates;

    /** Stretches of time without waits; none overlap. */
    private final long[] quietFrom;

    private final long[] quietTo;

    /** A stretch of the thread's time, and what is left of it, in millionths. */
    record Part(long from, long to, long left) {}

    /**
     * Adds up changes.
     *
     * @param parts what takes another time
     * @param quiet slices of the thread without waits, in order
     */
    ChangedHost(Slices slices, List<Part> parts, IntList quiet) {
        List<Part> all = new ArrayList<>(parts);
        all.sort(Comparator.comparingLong(Part::from).thenComparingLong(Part::to));
        long[] bounds = all.stream()
                .flatMap(part -> List.of(part.from, part.to).stream())
                .mapToLong(Long::longValue)
                .sorted()
                .distinct()
                .toArray();
        moments = bounds;
        taken = new long[bounds.length];
        rates = new long[bounds.length];
        List<Part> open = new ArrayList<>();
        int next = 0;
        for (int i = 0; i < bounds.length; i++) {
            long now = bounds[i];
            taken[i] = i == 0 ? 0 : taken[i - 1] + off(now - bounds[i - 1], rates[i - 1]);
            open.removeIf(part -> part.to <= now);
            while (next < all.size() && all.get(next).from <= now) {
                open.add(all.get(next++));
            }
            rates[i] = Changes.WHOLE - open.stream().mapToLong(Part::left).min().orElse(Changes.WHOLE);
        }
        LongList from = new LongList(16);
        LongList to = new LongList(16);
        for (int i = 0; i < quiet.size(); i++) {
            int slice = quiet.get(i);
            if (to.size() > 0 && slices.ts(slice) <= to.get(to.size() - 1)) {
                to.set(to.size() - 1, Math.max(to.get(to.size() - 1), slices.end(slice)));
            } else {
                from.add(slices.ts(slice));
                to.add(slices.end(slice));
            }
        }
        quietFrom = from.toArray();
        quietTo = to.toArray();
    }

    private static long off(long ns, long rate) {
        return Edit.times(ns, rate);
    }

    /** How much of the time between two moments is taken off, in ns. */
    long taken(long from, long to) {
        return upTo(to) - upTo(from);
    }

    private long upTo(long moment) {
        int place = LongOrder.countBelow(moments, moments.length, moment + 1) - 1;
        return place < 0 ? 0 : taken[place] + off(moment - moments[place], rates[place]);
    }

    /** Whether a call that returns at this moment does not wait. */
    boolean isQuiet(long end) {
        int place = Arrays.binarySearch(quietFrom, end);
        int found = (place < 0 ? -place - 1 : place) - 1; // a call returns behind its beginning
        return found >= 0 && end <= quietTo[found];
    }
}
