// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.trust;

import dev.lockstep.analyze.LaunchedWork;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.report.Topic;
import dev.lockstep.report.Trust.Reason;
import dev.lockstep.words.Words;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;

/** {@code ambiguous_links}: launches of several processes bear one correlation number. */
final class AmbiguousLinks implements Doubt {
    @Override
    public @Nullable Reason of(DerivedCache cache) {
        LaunchedWork work = cache.get(new LaunchedWork.Key());
        if (work.ambiguous() == 0) {
            return null;
        }
        long all = work.linked() + work.unlinked();
        return new Reason(
                "ambiguous_links",
                work.ambiguous(),
                all,
                (double) work.ambiguous() / all,
                Words.count(work.ambiguous()) + " of "
                        + Words.count(all, "device activity bears", "device activities bear")
                        + " a correlation number that launches of several processes share.",
                EnumSet.of(Topic.OPERATORS, Topic.LAUNCHES, Topic.HOST, Topic.ACTIONS),
                "Record one file for each process, or give each rank numbers of its own when files are merged.");
    }
}
