// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.goal;

import dev.lockstep.goal.algorithm.Algorithms;
import dev.lockstep.goal.generate.GoalRules;
import dev.lockstep.goal.generate.ScheduleStyle;
import dev.lockstep.goal.generate.TagFormat;
import dev.lockstep.goal.generate.TimelineOptions;
import dev.lockstep.goal.generate.WireRules;
import dev.lockstep.goal.nccl.RecordingRules;
import dev.lockstep.goal.recording.RecordedRun;
import dev.lockstep.goal.schedule.Costs;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The rules of ATLAHS's generator of schedules. It knows no labels, no computing outside the operations, no waiting for
 * other streams, one bandwidth within nodes and its own algorithms; options that say otherwise mean nothing to it.
 */
public final class ReferenceGoalRules implements GoalRules {
    private final boolean parallel;

    /** Those of one process that reads file by file. */
    public ReferenceGoalRules() {
        this(false);
    }

    private ReferenceGoalRules(boolean parallel) {
        this.parallel = parallel;
    }

    @Override
    public GoalRules parallel() {
        return new ReferenceGoalRules(true);
    }

    @Override
    public RecordingRules recording() {
        return new ReferenceRules();
    }

    @Override
    public ScheduleStyle style(
            RecordedRun run, Costs costs, WireRules wire, Algorithms algorithms, TimelineOptions options) {
        return new ReferenceStyle(run, costs, options.merged(), parallel);
    }

    @Override
    public TagFormat usualTags() {
        return new TagFormat(ReferenceStyle.NUMBER_DIGITS, ReferenceStyle.LABEL_DIGITS);
    }

    @Override
    public boolean tables() {
        return false;
    }

    @Override
    public void collectives(RecordedRun run, boolean merge, Path file) throws IOException {
        ReferenceOverview.write(run, merge, parallel, file);
    }
}
