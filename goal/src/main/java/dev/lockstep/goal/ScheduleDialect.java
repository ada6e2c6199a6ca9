// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal;

import dev.lockstep.goal.nccl.Recording;
import dev.lockstep.goal.nccl.RecordingRules;
import dev.lockstep.goal.schedule.Costs;

/** How another generator makes schedules of what NCCL's annotations recorded. */
public interface ScheduleDialect {
    /** How it reads recordings. */
    RecordingRules rules();

    /**
     * How its schedules are built.
     *
     * @param merge whether the streams of a GPU shall become one
     */
    ScheduleStyle style(Recording recording, Costs costs, boolean merge);

    /** The digits of its tags, if nothing else is asked for. */
    TagFormat tags();
}
