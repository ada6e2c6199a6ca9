// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.time;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.derive.Derived;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceGaps;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Trace;
import org.jspecify.annotations.Nullable;

/**
 * What the threads that launch did from the first to the last device activity, whether a device was idle or not: each moment counts
 * once, as the {@link IdleAccount} counts idle moments of the host.
 */
public final class HostTimes {
    /**
     * The times of a trace.
     *
     * @param rules definitions
     * @param annotation what marks steps, null to find what does
     * @param frames whether frames of Python count
     */
    public record Key(AnalysisRules rules, @Nullable String annotation, boolean frames) implements Derived<HostTimes> {
        @Override
        public HostTimes derive(Trace trace, DerivedCache cache) {
            return new HostTimes(cache, this);
        }
    }

    private final long[] times = new long[IdleCause.values().length];

    private HostTimes(DerivedCache cache, Key key) {
        DeviceGaps gaps = cache.get(new DeviceGaps.Key(key.rules.activity()));
        if (gaps.first() < 0) {
            return;
        }
        HostCauses causes = new HostCauses(cache, key.rules.links(), key.annotation, key.frames);
        new IdleSweep(cache, key.rules, causes)
                .divide(gaps.spanStart(), gaps.spanEnd(), gaps.furthest(), -1, (owner, from, to) -> {
                    boolean ofHost = owner >= 0 && cache.trace().slices().kind(owner) != SliceKind.DEVICE_SYNC;
                    IdleCause cause = ofHost
                            ? causes.cause()
                            : owner == IdleSweep.NO_HOST ? IdleCause.NO_HOST : IdleCause.UNRECORDED;
                    times[cause.ordinal()] += to - from;
                });
    }

    /** Time of a cause in ns. */
    public long of(IdleCause cause) {
        return times[cause.ordinal()];
    }
}
