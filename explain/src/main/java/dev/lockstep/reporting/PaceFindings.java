// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.time.KernelPace;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.words.Words;
import java.util.List;
import java.util.Locale;

/** What is said of kernels that become slower over the run, as on a device that throttles. */
final class PaceFindings {
    /** Less than this is not worth a sentence. */
    private static final double NOTABLE = 1.03;

    private static final double MUCH = 1.1;

    private PaceFindings() {}

    static List<Finding> of(KernelPace pace) {
        double growth = pace.growth();
        if (!pace.trend().rises() || growth < NOTABLE) {
            return List.of();
        }
        int steps = pace.bySteps().length;
        return List.of(new Finding(
                        growth >= MUCH ? Severity.PROBLEM : Severity.NOTICE,
                        "kernels_slow_down",
                        "The kernels become slower: the same kernels take "
                                + String.format(Locale.ROOT, "%.1f", 100 * (growth - 1))
                                + " % longer in the last step than in the first of "
                                + Words.count(steps) + ". That points to a falling clock (heat or power).",
                        "the same kernels at the same places of the steps")
                .on(new Evidence.Rows("gpu_timeline_by_step", List.of(0, steps - 1))));
    }
}
