// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.goal;

import dev.lockstep.dialect.Dialect;
import dev.lockstep.goal.ScheduleDialect;
import dev.lockstep.goal.ScheduleStyle;
import dev.lockstep.goal.TagFormat;
import dev.lockstep.goal.nccl.Recording;
import dev.lockstep.goal.nccl.RecordingRules;
import dev.lockstep.goal.schedule.Costs;
import java.util.List;

/** ATLAHS's generator of schedules, the reference. */
public final class Atlahs implements Dialect {
    @Override
    public String name() {
        return "reference";
    }

    @Override
    public List<Object> parts() {
        return List.of(new Schedules());
    }

    private record Schedules() implements ScheduleDialect {
        @Override
        public RecordingRules rules() {
            return new ReferenceRules();
        }

        @Override
        public ScheduleStyle style(Recording recording, Costs costs, boolean merge) {
            return new ReferenceStyle(recording, costs, merge);
        }

        @Override
        public TagFormat tags() {
            return new TagFormat(ReferenceStyle.NUMBER_DIGITS, ReferenceStyle.LABEL_DIGITS);
        }
    }
}
