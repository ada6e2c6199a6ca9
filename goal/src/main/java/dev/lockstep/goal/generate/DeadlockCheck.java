// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.generate;

import dev.lockstep.goal.generate.Timeline.Item;
import dev.lockstep.goal.recording.NcclFunction;
import dev.lockstep.goal.recording.RecordedOperation;
import dev.lockstep.goal.recording.RecordedRun;
import dev.lockstep.table.IntList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether the recorded order of operations can deadlock. Each operation ends when all ranks that take part in it have
 * come to it, and those that wait for it begin then. Schedules made
 * of messages demand less than that, since a rank that only sends need not wait for the others: an order that passes this
 * check runs to its end in each of them.
 */
final class DeadlockCheck {
    private record Meeting(int communicator, int from, int to, long sequence) {}

    private final RecordedRun recording;
    private final List<Timeline> timelines;

    /** First item of each rank; items are numbered through all ranks. */
    private final int[] base;

    private final List<IntList> guests = new ArrayList<>();
    private int[] arrived = {};
    private final int[] open;
    private final int[] blocked;
    private final IntList[] followers;
    private final IntList[] meetings;

    private DeadlockCheck(RecordedRun recording, List<Timeline> timelines) {
        this.recording = recording;
        this.timelines = timelines;
        base = new int[timelines.size() + 1];
        for (int rank = 0; rank < timelines.size(); rank++) {
            base[rank + 1] = base[rank] + timelines.get(rank).items().size();
        }
        int items = base[timelines.size()];
        open = new int[items];
        blocked = new int[items];
        followers = new IntList[items];
        meetings = new IntList[items];
    }

    static boolean holds(RecordedRun recording, List<Timeline> timelines, boolean across) {
        DeadlockCheck order = new DeadlockCheck(recording, timelines);
        order.gather(across);
        return order.run();
    }

    private void gather(boolean across) {
        Map<Meeting, Integer> numbers = new HashMap<>();
        for (int rank = 0; rank < timelines.size(); rank++) {
            Timeline timeline = timelines.get(rank);
            int[][] waits = timeline.waits(across);
            for (int i = 0; i < waits.length; i++) {
                int item = base[rank] + i;
                followers[item] = new IntList(2);
                meetings[item] = new IntList(1);
                blocked[item] = waits[i].length;
                for (int before : waits[i]) {
                    followers[base[rank] + before].add(item);
                }
                meet(rank, timeline.items().get(i), item, numbers);
            }
        }
        arrived = new int[guests.size()];
    }

    private void meet(int rank, Item item, int number, Map<Meeting, Integer> numbers) {
        for (int place : item.operations()) {
            RecordedOperation o = timelines.get(rank).gpu().operations().get(place);
            int own = o.message()
                    ? recording.communicators().get(o.communicator()).rankOf(rank)
                    : -1;
            boolean sends = o.kind() == NcclFunction.SEND;
            Meeting meeting = o.message()
                    ? new Meeting(o.communicator(), sends ? own : o.peer(), sends ? o.peer() : own, o.sequence())
                    : new Meeting(o.communicator(), -1, -1, o.sequence());
            int id = numbers.computeIfAbsent(meeting, m -> {
                guests.add(new IntList(2));
                return guests.size() - 1;
            });
            guests.get(id).add(number);
            meetings[number].add(id);
            open[number]++;
        }
    }

    private boolean run() {
        IntList ready = new IntList(64);
        int left = open.length;
        for (int item = 0; item < open.length; item++) {
            if (blocked[item] == 0) {
                ready.add(item);
            }
        }
        while (ready.size() > 0) {
            int item = ready.removeLast();
            for (int i = 0; i < meetings[item].size(); i++) {
                int id = meetings[item].get(i);
                if (++arrived[id] == guests.get(id).size()) {
                    left -= end(guests.get(id), ready);
                }
            }
        }
        return left == 0;
    }

    /** A meeting is over; how many items have ended with it. */
    private int end(IntList present, IntList ready) {
        int ended = 0;
        for (int i = 0; i < present.size(); i++) {
            int item = present.get(i);
            if (--open[item] == 0) {
                ended++;
                for (int f = 0; f < followers[item].size(); f++) {
                    int follower = followers[item].get(f);
                    if (--blocked[follower] == 0) {
                        ready.add(follower);
                    }
                }
            }
        }
        return ended;
    }
}
