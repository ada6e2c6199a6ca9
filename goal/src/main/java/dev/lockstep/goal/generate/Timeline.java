// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.generate;

import dev.lockstep.goal.recording.Gpu;
import dev.lockstep.goal.recording.RecordedOperation;
import dev.lockstep.table.IntList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * What a GPU did, in order of time.
 *
 * @param items operations, those of a group together
 * @param streams how many streams there are
 */
record Timeline(Gpu gpu, List<Item> items, int streams) {
    private static final int NONE = -1;

    /**
     * What is carried out together.
     *
     * @param operations places in the GPU's list
     * @param streams numbers of the streams it is on, the first one's first
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Item(int[] operations, int[] streams, long start, long end) {
        boolean isOn(int stream) {
            for (int on : streams) {
                if (on == stream) {
                    return true;
                }
            }
            return false;
        }

        /** This and what follows it on the same streams. */
        Item with(Item next) {
            int[] all = Arrays.copyOf(operations, operations.length + next.operations.length);
            System.arraycopy(next.operations, 0, all, operations.length, next.operations.length);
            return new Item(all, streams, start, Math.max(end, next.end));
        }
    }

    static Timeline of(Gpu gpu) {
        List<RecordedOperation> operations = gpu.operations();
        Map<String, Integer> streams = new LinkedHashMap<>();
        Map<Integer, List<Integer>> groups = new HashMap<>();
        List<List<Integer>> units = new ArrayList<>();
        for (int i = 0; i < operations.size(); i++) {
            RecordedOperation o = operations.get(i);
            streams.putIfAbsent(o.stream(), streams.size());
            List<Integer> unit = o.group() < 0 ? null : groups.get(o.group());
            if (unit == null) {
                unit = new ArrayList<>(1);
                units.add(unit);
                if (o.group() >= 0) {
                    groups.put(o.group(), unit);
                }
            }
            unit.add(i);
        }
        List<Item> items = new ArrayList<>();
        long[] latest = new long[streams.size()];
        for (List<Integer> unit : units) {
            items.add(item(unit, operations, streams, latest));
        }
        items.sort(Comparator.comparingLong(Item::start));
        return new Timeline(gpu, items, streams.size());
    }

    /** What comes later on a stream does not start earlier, whatever clocks say. */
    private static Item item(
            List<Integer> unit, List<RecordedOperation> operations, Map<String, Integer> streams, long[] latest) {
        int[] places = unit.stream().mapToInt(Integer::intValue).toArray();
        int[] on = unit.stream()
                .map(i -> operations.get(i).stream())
                .distinct()
                .mapToInt(streams::get)
                .toArray();
        long start = Long.MAX_VALUE;
        long end = Long.MIN_VALUE;
        for (int place : places) {
            start = Math.min(start, operations.get(place).start());
            end = Math.max(end, operations.get(place).end());
        }
        for (int stream : on) {
            start = Math.max(start, latest[stream]);
        }
        for (int stream : on) {
            latest[stream] = start;
        }
        return new Item(places, on, start, Math.max(start, end));
    }

    /**
     * The items that each item waits for, by their places: the last ones before it on its streams.
     *
     * @param across whether it waits for what had ended on other streams when it began, too
     */
    int[][] waits(boolean across) {
        int[][] waits = new int[items.size()][];
        int[] last = new int[streams];
        Arrays.fill(last, NONE);
        int[] ended = last.clone();
        List<PriorityQueue<Integer>> running = new ArrayList<>();
        for (int stream = 0; across && stream < streams; stream++) {
            running.add(new PriorityQueue<>(Comparator.comparingLong(place -> items.get(place).end)));
        }
        int[] notedBy = new int[waits.length];
        Arrays.fill(notedBy, NONE);
        for (int place = 0; place < waits.length; place++) {
            Item item = items.get(place);
            IntList before = new IntList(4);
            for (int stream = 0; stream < running.size(); stream++) {
                PriorityQueue<Integer> still = running.get(stream);
                while (!still.isEmpty() && items.get(still.element()).end <= item.start) {
                    ended[stream] = Math.max(ended[stream], still.remove());
                }
                note(item.isOn(stream) ? last[stream] : ended[stream], before, notedBy, place);
            }
            for (int stream : item.streams) {
                note(last[stream], before, notedBy, place);
                last[stream] = place;
                if (across) {
                    running.get(stream).add(place);
                }
            }
            waits[place] = before.toArray();
        }
        return waits;
    }

    /** Adds an item to those that another one waits for, once. */
    private static void note(int waited, IntList before, int[] notedBy, int place) {
        if (waited != NONE && notedBy[waited] != place) {
            notedBy[waited] = place;
            before.add(waited);
        }
    }

    /** Whether anything begins before something that began earlier has ended. */
    boolean overlaps() {
        long end = Long.MIN_VALUE;
        for (Item item : items) {
            if (item.start < end) {
                return true;
            }
            end = Math.max(end, item.end);
        }
        return false;
    }

    /** The same with messages that follow each other on a stream carried out together, as if they were a group. */
    Timeline messagesTogether() {
        List<Item> together = new ArrayList<>();
        int[] last = new int[streams];
        Arrays.fill(last, NONE);
        for (Item item : items) {
            int before = item.streams.length == 1 ? last[item.streams[0]] : -1;
            if (before >= 0
                    && together.get(before).streams.length == 1
                    && messages(item)
                    && messages(together.get(before))) {
                together.set(before, together.get(before).with(item));
                continue;
            }
            for (int stream : item.streams) {
                last[stream] = together.size();
            }
            together.add(item);
        }
        return new Timeline(gpu, together, streams);
    }

    private boolean messages(Item item) {
        return Arrays.stream(item.operations)
                .allMatch(place -> gpu.operations().get(place).message());
    }

    /** The same on a single stream. */
    Timeline merged() {
        int[] one = {0};
        return new Timeline(
                gpu,
                items.stream()
                        .map(item -> new Item(item.operations, one, item.start, item.end))
                        .toList(),
                Math.min(1, streams));
    }
}
