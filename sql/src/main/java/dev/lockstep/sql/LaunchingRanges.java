// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.table.LongList;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Ranges of threads, and which of them are the innermost around a launch: layers of an engine, say. */
final class LaunchingRanges {
    /**
     * A range.
     *
     * @param start in ns
     * @param end in ns, -1 for a range that never ends
     * @param thread global id
     */
    record Range(long start, long end, long thread, String text) {
        private boolean isOpen(long at) {
            return end < 0 || at <= end;
        }
    }

    /** Takes a range. */
    interface Sink {
        void accept(Range range, boolean launches);
    }

    private final List<Range> ranges = new ArrayList<>();
    private final Map<Long, LongList> launches = new TreeMap<>();

    void range(Range range) {
        ranges.add(range);
    }

    void launch(long thread, long at) {
        launches.computeIfAbsent(thread, t -> new LongList(64)).add(at);
    }

    /** Gives out all ranges in the order in which they came. */
    void forEach(Sink sink) {
        Map<Long, List<Range>> byThread = new TreeMap<>();
        ranges.forEach(range ->
                byThread.computeIfAbsent(range.thread, t -> new ArrayList<>()).add(range));
        Set<Range> launching = Collections.newSetFromMap(new IdentityHashMap<>());
        byThread.forEach((thread, own) -> {
            LongList times = launches.get(thread);
            if (times != null) {
                mark(own, times.toArray(), launching);
            }
        });
        ranges.forEach(range -> sink.accept(range, launching.contains(range)));
    }

    private static void mark(List<Range> ranges, long[] times, Set<Range> launching) {
        ranges.sort(Comparator.comparingLong(Range::start)
                .thenComparing(Comparator.comparingLong(Range::end).reversed()));
        Arrays.sort(times);
        Deque<Range> open = new ArrayDeque<>();
        int next = 0;
        for (long at : times) {
            while (next < ranges.size() && ranges.get(next).start <= at) {
                Range range = ranges.get(next++);
                close(open, range.start);
                open.push(range);
            }
            close(open, at);
            if (!open.isEmpty()) {
                launching.add(open.peek());
            }
        }
    }

    private static void close(Deque<Range> open, long at) {
        while (!open.isEmpty() && !open.peek().isOpen(at)) {
            open.pop();
        }
    }
}
