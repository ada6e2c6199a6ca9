// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.goal.stored.Flaws.Flaw;
import dev.lockstep.goal.stored.GoalFile;
import dev.lockstep.goal.stored.Places;
import dev.lockstep.goal.stored.StoredSchedule;
import java.io.IOException;
import java.util.List;

/** Reads schedules that are to be run: each of their lines must be right. */
final class SoundSchedule {
    private SoundSchedule() {}

    static StoredSchedule read(GoalFile file) throws IOException {
        StoredSchedule schedule = file.read(1);
        long flaws = schedule.flaws().count();
        if (flaws > 0) {
            List<Flaw> first = schedule.flaws().first();
            throw new TraceFormatException(
                    ErrorCode.FORMAT_CORRUPT,
                    file.path().toString(),
                    -1,
                    first.getFirst().in(Places.of(file, first)) + (flaws > 1 ? ", and " + (flaws - 1) + " more" : ""),
                    "lockstep goal verify names everything that is wrong.");
        }
        return schedule;
    }
}
