// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.generate;

import dev.lockstep.goal.schedule.ScheduleSink;
import java.io.IOException;

/** The schedule of a rank, ready to be written. */
public interface RankSchedule {
    /** What its tags have to hold. */
    TagNeeds needs();

    /** Writes it. May be called again, with the same result. */
    void write(ScheduleSink sink, TagFormat format) throws IOException;
}
