// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.trust;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.Overruns;
import dev.lockstep.report.Topic;
import dev.lockstep.report.Trust.Reason;
import dev.lockstep.words.Words;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code impossible_duration}: activities that last longer than their stream allows. */
final class ImpossibleDurations implements Doubt {
    /** Where what is left of them is more of the time of devices, it is too unsure to rest anything on it. */
    private static final double MUCH = 0.05;

    @Override
    public @Nullable Reason of(DerivedCache cache) {
        Overruns overruns = cache.get(new Overruns.Key());
        if (overruns.count() == 0) {
            return null;
        }
        Set<Topic> withheld = EnumSet.of(Topic.EXCESS);
        long believed = overruns.recorded() - overruns.excess();
        if (overruns.left() > MUCH * believed) {
            withheld.addAll(EnumSet.of(Topic.IDLE, Topic.KERNELS, Topic.ACTIONS));
        }
        String text = Words.count(overruns.count()) + " of "
                + Words.count(overruns.activities(), "device activity ends", "device activities end")
                + " after the next of the stream began, by up to " + Words.time(overruns.longest())
                + ". A stream runs them in order: each is cut at the next start.";
        return new Reason(
                "impossible_duration",
                overruns.count(),
                overruns.activities(),
                (double) overruns.excess() / overruns.recorded(),
                text,
                withheld,
                "The profiler wrote these durations: update it or record again.");
    }
}
