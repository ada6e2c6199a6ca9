// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.report.Chart.TimelineHead;
import java.util.ArrayList;
import java.util.List;

/** The rows of one thread or stream: in a row nothing overlaps. Slices come in order of time, those around others first. */
final class TimelineLanes {
    private final List<TimelineLane> lanes = new ArrayList<>();
    private final String label;
    private final String group;
    private final boolean nested;
    private int depth;

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

    /** The row for what begins at a time. */
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
        int lane = 0;
        while (lane < lanes.size() && lanes.get(lane).end() > start) {
            lane++;
        }
        return lane;
    }
}
