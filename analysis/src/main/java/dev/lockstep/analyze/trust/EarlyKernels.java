// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.trust;

import dev.lockstep.analyze.LaunchedWork;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.report.Topic;
import dev.lockstep.report.Trust.Reason;
import dev.lockstep.words.Words;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;

/** {@code kernels_before_launch}: the clocks of host and device disagree. */
final class EarlyKernels implements Doubt {
    /** Profilers translate the clock of a device to that of the host to within this. */
    private static final long CLOCK_ERROR_NS = 2_000;

    @Override
    public @Nullable Reason of(DerivedCache cache) {
        LaunchedWork work = cache.get(new LaunchedWork.Key());
        if (work.earliest() <= CLOCK_ERROR_NS) {
            return null;
        }
        return new Reason(
                "kernels_before_launch",
                work.early(),
                work.linked(),
                (double) work.early() / work.linked(),
                Words.count(work.early()) + " of "
                        + Words.count(work.linked(), "device activity begins", "device activities begin")
                        + " before the call that launched it, by up to " + Words.time(work.earliest())
                        + ". The clocks of CPU and device disagree by as much or more.",
                EnumSet.of(Topic.HOST, Topic.LAUNCHES, Topic.ACTIONS),
                "Record again: the offset of the device's clock is measured when the profiler starts.");
    }
}
