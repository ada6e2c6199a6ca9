// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.trust;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.report.Trust.Reason;
import dev.lockstep.words.Words;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code profiler_overhead}: Python stacks were recorded, and the profiler itself takes much of the CPU's time. A caveat. */
final class ProfilerOverhead implements Doubt {
    /** Where frames of Python are less of the host's events, they cost little. */
    private static final double MUCH = 0.25;

    @Override
    public @Nullable Reason of(DerivedCache cache) {
        Slices slices = cache.trace().slices();
        long frames = 0;
        long host = 0;
        for (int i = 0; i < slices.size(); i++) {
            frames += slices.kind(i) == SliceKind.PYTHON ? 1 : 0;
            host += slices.kind(i).isHost() ? 1 : 0;
        }
        if (host == 0 || frames < MUCH * host) {
            return null;
        }
        return new Reason(
                "profiler_overhead",
                frames,
                host,
                (double) frames / host,
                Words.count(frames) + " of " + Words.count(host, "event", "events")
                        + " of the CPU are frames of Python. Recording them slows the CPU down.",
                Set.of(),
                "Record CPU times without stacks.");
    }
}
