// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.generate;

import dev.lockstep.goal.algorithm.Algorithms;
import dev.lockstep.goal.nccl.RecordingRules;
import dev.lockstep.goal.nccl.ScopedRules;
import dev.lockstep.goal.recording.RecordedRun;
import dev.lockstep.goal.schedule.Costs;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Whose schedules are made: how recordings are put together, and how what ranks did is laid out. */
public interface GoalRules {
    /** Our own. */
    GoalRules OWN = new GoalRules() {
        @Override
        public RecordingRules recording() {
            return new ScopedRules();
        }

        @Override
        public ScheduleStyle style(
                RecordedRun run, Costs costs, WireRules wire, Algorithms algorithms, TimelineOptions options) {
            return new TimelineStyle(run, ScheduleRules.of(run, wire, algorithms, costs), options);
        }

        @Override
        public @Nullable TagFormat usualTags() {
            return null;
        }

        @Override
        public boolean tables() {
            return true;
        }

        @Override
        public void collectives(RecordedRun run, boolean merge, Path file) throws IOException {
            IntermediateFile.write(run, file);
        }
    };

    /** How what processes recorded is put together. */
    RecordingRules recording();

    /** Those that hold where each rank gets a file of its own, which other generators make in another way. */
    default GoalRules parallel() {
        return this;
    }

    /** How what a run did becomes the schedules of its ranks. */
    ScheduleStyle style(RecordedRun run, Costs costs, WireRules wire, Algorithms algorithms, TimelineOptions options);

    /** Digits of tags where no others are asked for; null for as many as are needed. */
    @Nullable
    TagFormat usualTags();

    /** Whether tables beside the schedule say what it was made of, what was assumed, and what tags mean. */
    boolean tables();

    /**
     * Writes whole collectives, for people: {@link IntermediateFile#NAME}.
     *
     * @param merge whether the streams of a GPU are to become one
     */
    void collectives(RecordedRun run, boolean merge, Path file) throws IOException;
}
