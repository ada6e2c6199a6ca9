// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.report.Chart.TimelineHead;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** The rows of one thread or stream: in a row nothing overlaps. Slices come in order of time, those around others first. */
final class TimelineLanes {
    private final List<TimelineLane> lanes = new ArrayList<>();
    private final String label;
    private final String group;
    private final boolean nested;
    private int depth;

    /** The row that was handed out last: where it ends is known when the next is asked for. */
    private int last = -1;

    private final PriorityQueue<Integer> busy = new PriorityQueue<>(
            Comparator.comparingLong((Integer lane) -> lanes().get(lane).end()));
    private final PriorityQueue<Integer> free = new PriorityQueue<>();

    /** @param nested whether slices lie in one another, each in the row beneath those around it; else any free row will do */
    TimelineLanes(String label, String group, boolean nested) {
        this.label = label;
        this.group = group;
        this.nested = nested;
    }

    List<TimelineLane> lanes() {
        return lanes;
    }

    long size() {
        return lanes.stream().mapToLong(TimelineLane::size).sum();
    }

    /** The row for what begins at a time, which is to be added to it: the first of those that are free then. */
    TimelineLane at(long start) {
        int lane = nested ? innermost(start) : free(start);
        if (lane == lanes.size()) {
            lanes.add(new TimelineLane(new TimelineHead(lane == 0 ? label : "", group, false)));
        }
        return lanes.get(lane);
    }

    private int innermost(long start) {
        while (depth > 0 && lanes.get(depth - 1).end() <= start) {
            depth--;
        }
        return depth++;
    }

    private int free(long start) {
        if (last >= 0) {
            busy.add(last);
        }
        for (Integer lane = busy.peek(); lane != null && lanes.get(lane).end() <= start; lane = busy.peek()) {
            free.add(busy.remove());
        }
        last = free.isEmpty() ? lanes.size() : free.remove();
        return last;
    }
}
