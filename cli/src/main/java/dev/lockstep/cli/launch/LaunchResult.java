// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import java.util.List;

/**
 * How a launch ended.
 *
 * @param succeeded runs that were finished, now or before
 * @param skipped runs whose folders were left alone
 * @param failed runs that failed or were not started
 * @param stopped whether the user ended it
 */
public record LaunchResult(int succeeded, int skipped, int failed, boolean stopped) {
    static LaunchResult of(List<Outcome> outcomes, boolean stopped) {
        int succeeded = count(outcomes, RunStatus.SUCCESS);
        int skipped = count(outcomes, RunStatus.SKIPPED);
        return new LaunchResult(succeeded, skipped, outcomes.size() - succeeded - skipped, stopped);
    }

    private static int count(List<Outcome> outcomes, RunStatus status) {
        return (int)
                outcomes.stream().filter(outcome -> outcome.status() == status).count();
    }
}
