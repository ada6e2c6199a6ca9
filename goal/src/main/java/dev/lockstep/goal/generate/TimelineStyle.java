// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.generate;

import dev.lockstep.goal.recording.RecordedRun;
import java.io.IOException;
import java.util.List;

/**
 * Schedules as things happened: the operations of a GPU in order of time, each waiting for the one before it on its
 * stream, with the time between them as computing.
 */
public final class TimelineStyle implements ScheduleStyle {
    private final RecordedRun recording;
    private final ScheduleRules rules;
    private final TimelineOptions options;
    private final List<Timeline> timelines;
    private final int[] parallelisms;
    private final long[] origins;

    /**
     * Takes what is wanted as far as the recorded order allows it; what is done otherwise is noted. Messages that would
     * deadlock one by one are taken for groups. Streams become one only where no two operations of a GPU overlap in time,
     * and operations wait for other streams only where that does not deadlock.
     */
    public TimelineStyle(RecordedRun recording, ScheduleRules rules, TimelineOptions wanted) {
        this.recording = recording;
        this.rules = rules.modelling(recording);
        this.timelines = runnable();
        boolean merged = wanted.merged() && merge();
        boolean across = wanted.acrossStreams() && (merged || waitAcross());
        this.options = new TimelineOptions(merged, wanted.wholeWindow(), across, wanted.together(), wanted.label());
        this.origins = RecordedSpans.of(recording, options).origins();
        this.parallelisms = Parallelisms.of(recording);
    }

    private List<Timeline> runnable() {
        List<Timeline> recorded = recording.gpus().stream().map(Timeline::of).toList();
        if (DeadlockCheck.holds(recording, recorded, false)) {
            return recorded;
        }
        List<Timeline> together =
                recorded.stream().map(Timeline::messagesTogether).toList();
        if (DeadlockCheck.holds(recording, together, false)) {
            recording
                    .notes()
                    .assumed(
                            "groups_assumed",
                            "messages that follow each other on a stream are taken for groups: one by one, ranks would"
                                    + " wait for each other for ever");
            return together;
        }
        recording
                .notes()
                .lost(
                        "order_contradicts",
                        "the order of operations makes ranks wait for each other for ever; lockstep goal verify names"
                                + " those that do");
        return recorded;
    }

    private boolean merge() {
        if (timelines.stream().anyMatch(Timeline::overlaps)) {
            recording
                    .notes()
                    .assumed(
                            "streams_overlap",
                            "streams stay as they are: operations of different streams overlap in time");
            return false;
        }
        List<Timeline> merged = timelines.stream().map(Timeline::merged).toList();
        if (!DeadlockCheck.holds(recording, merged, false)) {
            recording
                    .notes()
                    .assumed(
                            "streams_cross",
                            "streams stay as they are: in one stream, ranks would wait for each other for ever");
            return false;
        }
        return true;
    }

    private boolean waitAcross() {
        boolean holds = DeadlockCheck.holds(recording, timelines, true);
        if (!holds) {
            recording
                    .notes()
                    .assumed(
                            "streams_cross",
                            "operations do not wait for other streams: ranks would wait for each other for ever");
        }
        return holds;
    }

    /** Whether the streams of GPUs became one. */
    public boolean merged() {
        return options.merged();
    }

    @Override
    public TimelineSchedule rank(int rank, OperationBudget budget) throws IOException {
        Timeline recorded = timelines.get(rank);
        Timeline timeline = options.merged() ? recorded.merged() : recorded;
        return new TimelineSchedule(
                recording,
                rank,
                rules,
                options,
                new TimelineSchedule.Course(timeline, origins[rank]),
                parallelisms,
                budget);
    }
}
