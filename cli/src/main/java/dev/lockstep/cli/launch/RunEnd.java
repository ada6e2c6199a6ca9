// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of a run.
 *
 * @param status how it ended
 * @param exitCode the trainer's exit status, 128 and the signal's number if it was killed; -1 if there is none
 * @param reason why it is no success, or null
 * @param started when it began
 * @param ended when its last process was gone
 * @param ranks the processes that were started
 * @param lastLines the end of its output
 */
record RunEnd(
        RunStatus status,
        int exitCode,
        @Nullable String reason,
        Instant started,
        Instant ended,
        List<Ended> ranks,
        List<String> lastLines) {

    /**
     * @param rank -1 if it starts the ranks
     * @param pid of the process
     * @param exitCode -1 if it could not be started
     */
    record Ended(int rank, long pid, int exitCode) {}

    /** The same as a failure; a run that was none before keeps its reason. */
    RunEnd failed(String why) {
        return status == RunStatus.SUCCESS
                ? new RunEnd(RunStatus.FAILED, exitCode, why, started, ended, ranks, lastLines)
                : this;
    }

    Duration duration() {
        return Duration.between(started, ended);
    }
}
