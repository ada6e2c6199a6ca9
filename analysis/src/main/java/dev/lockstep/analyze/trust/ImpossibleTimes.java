// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.trust;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.Diagnostics.Entry;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.report.Topic;
import dev.lockstep.report.Trust.Reason;
import dev.lockstep.words.Words;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code impossible_time}: events without a time that can be true. They are left out, so that what they did is missing. */
final class ImpossibleTimes implements Doubt {
    private static final Set<String> CODES = Set.of("implausible_time", "ts_invalid");
    private static final double HALF = 0.5;
    private static final double MUCH = 0.01;

    @Override
    public @Nullable Reason of(DerivedCache cache) {
        Trace trace = cache.trace();
        long count = trace.diagnostics().problems().stream()
                .filter(entry -> CODES.contains(entry.code()))
                .mapToLong(Entry::count)
                .sum();
        if (count == 0) {
            return null;
        }
        Slices slices = trace.slices();
        long device = 0;
        for (int i = 0; i < slices.size(); i++) {
            device += slices.kind(i).isDeviceActivity() ? 1 : 0;
        }
        long all = slices.size() + count;
        double ofAll = (double) count / all;
        long onDevice = Math.clamp(trace.counts().device() - device, 0, count);
        double ofDevice = onDevice == 0 ? 0 : (double) onDevice / (device + onDevice);
        Set<Topic> withheld = EnumSet.of(Topic.EVENTS);
        if (ofDevice >= MUCH) {
            withheld.addAll(EnumSet.of(Topic.IDLE, Topic.LAUNCHES));
        }
        withheld.addAll(EnumSet.of(Topic.HOST, Topic.ACTIONS));
        if (ofAll > HALF) {
            withheld.add(Topic.TIMES);
        }
        String text = Words.count(count) + " of " + Words.count(all, "event has", "events have")
                + " no time that can be true"
                + (onDevice > 0 ? ", " + Words.count(onDevice) + " of them on devices" : "")
                + ". They are left out.";
        return new Reason(
                "impossible_time",
                count,
                all,
                Math.max(ofAll, ofDevice),
                text,
                withheld,
                "The profiler wrote these times: update it or record again.");
    }
}
