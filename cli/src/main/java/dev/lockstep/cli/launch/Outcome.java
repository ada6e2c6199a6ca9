// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A run and what came of it, as the summary shows it.
 *
 * @param duration null if it was not run
 */
record Outcome(RunPlan run, RunStatus status, @Nullable Duration duration) {
    /** Whole seconds, as in the old summaries. */
    String seconds() {
        return duration == null ? "N/A" : Long.toString(duration.toSeconds());
    }
}
