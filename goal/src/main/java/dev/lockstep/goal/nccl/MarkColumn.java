// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.nccl;

import dev.lockstep.table.IntList;
import dev.lockstep.table.LongList;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Marks of one kind, in order of time. Training repeats itself, so that equal contents are kept once.
 *
 * @param <T> what a mark says; a record
 */
public final class MarkColumn<T> {
    private final LongList times = new LongList(64);
    private final LongList threads = new LongList(64);
    private final IntList contents = new IntList(64);
    private final List<T> distinct = new ArrayList<>();
    private final Map<T, Integer> places = new HashMap<>();
    private int[] order = {};
    private boolean sorted = true;

    void add(long time, long thread, T content) {
        Integer place = places.get(content);
        if (place == null) {
            place = distinct.size();
            places.put(content, place);
            distinct.add(content);
        }
        sorted &= times.size() == 0 || times.get(times.size() - 1) <= time;
        times.add(time);
        threads.add(thread);
        contents.add(place);
    }

    public int size() {
        return times.size();
    }

    public long time(int i) {
        return times.get(place(i));
    }

    /** The thread that set it, as a global id. */
    public long thread(int i) {
        return threads.get(place(i));
    }

    public T get(int i) {
        return distinct.get(contents.get(place(i)));
    }

    private int place(int i) {
        if (sorted) {
            return i;
        }
        if (order.length != times.size()) {
            order = IntStream.range(0, times.size())
                    .boxed()
                    .sorted(Comparator.comparingLong(times::get))
                    .mapToInt(Integer::intValue)
                    .toArray();
        }
        return order[i];
    }
}
