// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.trust;

import dev.lockstep.analyze.LaunchedWork;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.RecordingTool;
import dev.lockstep.report.Topic;
import dev.lockstep.report.Trust.Reason;
import dev.lockstep.words.Words;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code lost_activity}: launches whose work is not in the trace, or not all of it. */
final class LostActivity implements Doubt {
    @Override
    public @Nullable Reason of(DerivedCache cache) {
        LaunchedWork work = cache.get(new LaunchedWork.Key());
        if (!work.isMuchLost()) {
            return null;
        }
        List<PassedOver> passed = PassedOver.of(cache.trace());
        RecordingTool recorder = cache.get(new RecordingTool.Key());
        boolean none = work.linked() + work.unlinked() == 0;
        String unread = PassedOver.unread(passed);
        String text = (none
                        ? Words.count(work.launches(), "launch call has", "launch calls have") + " no device activity"
                        : barren(work) + partial(work))
                + (passed.isEmpty()
                        ? none ? ": kernels were not traced." : ": the profiler dropped it."
                        : (unread.isEmpty() ? "." : ". It may be in what was not read: " + unread + ".")
                                + PassedOver.said(passed));
        return new Reason(
                "lost_activity",
                work.barren() + work.partialLaunches(),
                work.launches(),
                work.lostShare(),
                text,
                EnumSet.of(Topic.IDLE, Topic.LAUNCHES, Topic.HOST, Topic.ACTIONS),
                !passed.isEmpty() ? "" : none ? recorder.devices() : recorder.lost());
    }

    private static String barren(LaunchedWork work) {
        return work.barren() == 0
                ? ""
                : Words.count(work.barren()) + " of " + Words.count(work.launches(), "launch call", "launch calls")
                        + (work.barren() == 1 ? " has" : " have") + " no device activity";
    }

    private static String partial(LaunchedWork work) {
        return work.partialLaunches() == 0
                ? ""
                : (work.barren() == 0 ? "" : ", ")
                        + Words.count(work.partialLaunches(), "graph launch has", "graph launches have")
                        + " fewer activities than the same graph elsewhere (" + Words.count(work.partial())
                        + " in all)";
    }
}
