// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.simulate;

import dev.lockstep.simulate.nccl.Recording;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Schedules as things happened: the operations of a GPU in order of time, each waiting for the one before it on its
 * stream, with the time between them as computing.
 */
public final class TimelineStyle implements ScheduleStyle {
    private final Recording recording;
    private final ScheduleRules rules;
    private final TimelineOptions options;
    private final List<Timeline> timelines = new ArrayList<>();
    private final int[] parallelisms;

    /** Merges streams only if nowhere two operations of a GPU overlap in time. */
    public TimelineStyle(Recording recording, ScheduleRules rules, TimelineOptions options) {
        this.recording = recording;
        this.rules = rules;
        recording.gpus().forEach(gpu -> timelines.add(Timeline.of(gpu)));
        boolean merged = options.merged() && timelines.stream().noneMatch(Timeline::overlaps);
        this.options = new TimelineOptions(merged, options.wholeWindow(), options.acrossStreams(), options.label());
        this.parallelisms = Parallelisms.of(recording);
    }

    /** Whether the streams of GPUs became one. */
    public boolean merged() {
        return options.merged();
    }

    @Override
    public TimelineSchedule rank(int rank) throws IOException {
        Timeline timeline = timelines.get(rank);
        return new TimelineSchedule(
                recording, rank, rules, options, options.merged() ? timeline.merged() : timeline, parallelisms);
    }
}
