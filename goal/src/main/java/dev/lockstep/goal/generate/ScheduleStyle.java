// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.generate;

import java.io.IOException;

/** How what ranks did becomes their schedules. */
public interface ScheduleStyle {
    /**
     * Prepares the schedule of a rank. Ranks are prepared side by side.
     *
     * @param budget what the operations are taken from
     */
    RankSchedule rank(int rank, OperationBudget budget) throws IOException;
}
