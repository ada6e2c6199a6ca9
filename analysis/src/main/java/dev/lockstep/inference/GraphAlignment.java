// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.inference;

import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds for each activity of a replayed graph the captured call that enqueued it. Calls stand in the order of the
 * program, activities by their start; on one stream both orders agree but for what the profiler lost or the scheduler
 * exchanged, on several streams each stream keeps its order.
 *
 * <p>Work is named by numbers: equal kernels have equal names, all copies are {@link #COPY}, all fills {@link #FILL},
 * and calls of which the profiler did not record the kernel are {@link #UNKNOWN}.
 */
final class GraphAlignment {
    static final int COPY = -2;
    static final int FILL = -3;
    static final int UNKNOWN = -1;

    private GraphAlignment() {}

    /**
     * The place of the call of each activity, or null when they do not fit together.
     *
     * @param calls names of what the captured calls enqueue
     * @param activities names of the activities
     * @param streams stream of each activity
     */
    static int @Nullable [] align(int[] calls, int[] activities, long[] streams) {
        if (Arrays.stream(streams).distinct().count() > 1) {
            return Arrays.stream(calls).anyMatch(c -> c == UNKNOWN) ? null : byStream(calls, activities, streams);
        }
        if (calls.length != activities.length) {
            return forward(calls, activities);
        }
        for (int i = 0; i < calls.length; i++) {
            if (calls[i] != UNKNOWN && calls[i] != COPY && calls[i] != FILL && calls[i] != activities[i]) {
                return byName(calls, activities);
            }
        }
        int[] same = new int[calls.length];
        Arrays.setAll(same, i -> i);
        return same;
    }

    /** Each activity takes the next call of its name; calls in between enqueued nothing that was recorded. */
    private static int @Nullable [] forward(int[] calls, int[] activities) {
        int[] found = new int[activities.length];
        int next = 0;
        for (int i = 0; i < activities.length; i++) {
            while (next < calls.length && calls[next] != activities[i]) {
                next++;
            }
            if (next == calls.length) {
                return null;
            }
            found[i] = next++;
        }
        return found;
    }

    /** Activities of one name take the calls of that name in order; there must be as many. */
    private static int @Nullable [] byName(int[] calls, int[] activities) {
        LongIntMap groups = new LongIntMap(64);
        List<IntList> places = new ArrayList<>();
        for (int i = 0; i < calls.length; i++) {
            int group = groups.get(calls[i]);
            if (group < 0) {
                group = places.size();
                groups.put(calls[i], group);
                places.add(new IntList(16));
            }
            places.get(group).add(i);
        }
        int[] taken = new int[places.size()];
        int[] found = new int[activities.length];
        for (int i = 0; i < activities.length; i++) {
            int group = groups.get(activities[i]);
            if (group < 0 || taken[group] == places.get(group).size()) {
                return null;
            }
            found[i] = places.get(group).get(taken[group]++);
        }
        return found;
    }

    /**
     * Each stream is a queue; a call belongs to the queue that has its name in front. Of several such queues it is the
     * one with which the calls go on to agree longest, the first to have begun on ties.
     */
    private static int @Nullable [] byStream(int[] calls, int[] activities, long[] streams) {
        List<IntList> queues = queues(streams);
        int[] heads = new int[queues.size()];
        int[] found = new int[activities.length];
        int left = activities.length;
        for (int call = 0; call < calls.length && left > 0; call++) {
            int best = -1;
            int bestRun = 0;
            int candidates = 0;
            for (int q = 0; q < heads.length; q++) {
                if (heads[q] < queues.get(q).size() && activities[queues.get(q).get(heads[q])] == calls[call]) {
                    candidates++;
                    best = best < 0 ? q : best;
                }
            }
            for (int q = 0; candidates > 1 && q < heads.length; q++) {
                int run = run(calls, call, activities, queues.get(q), heads[q]);
                if (run > bestRun) {
                    bestRun = run;
                    best = q;
                }
            }
            if (best >= 0) {
                found[queues.get(best).get(heads[best]++)] = call;
                left--;
            }
        }
        return left == 0 ? found : null;
    }

    /** The activities of each stream, streams in order of their first activity. */
    private static List<IntList> queues(long[] streams) {
        LongIntMap numbers = new LongIntMap(16);
        List<IntList> queues = new ArrayList<>();
        for (int i = 0; i < streams.length; i++) {
            int queue = numbers.get(streams[i]);
            if (queue < 0) {
                queue = queues.size();
                numbers.put(streams[i], queue);
                queues.add(new IntList(64));
            }
            queues.get(queue).add(i);
        }
        return queues;
    }

    private static int run(int[] calls, int call, int[] activities, IntList queue, int head) {
        int run = 0;
        while (head + run < queue.size()
                && call + run < calls.length
                && calls[call + run] == activities[queue.get(head + run)]) {
            run++;
        }
        return run;
    }
}
