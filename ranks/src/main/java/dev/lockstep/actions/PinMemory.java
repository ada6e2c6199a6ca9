// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.actions;

import dev.lockstep.analyze.time.IdleCause;
import dev.lockstep.analyze.work.CopyWay;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.SliceKind;
import dev.lockstep.path.Changes;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongList;
import dev.lockstep.table.Quantiles;
import org.jspecify.annotations.Nullable;

/** Copies from pageable memory of the host: from pinned memory they run at the rate of the link, and their calls do not wait. */
final class PinMemory implements Action {
    /** What a copy from pinned memory reaches of the rate of the link. */
    private static final double ATTAINABLE = 0.85;

    private static final double NS_PER_S = 1e9;

    @Override
    public String id() {
        return "pin_memory";
    }

    @Override
    public @Nullable Offer in(ActionTrace trace) {
        DeviceDetails details = trace.trace.view(DeviceDetails.KEY);
        double rate = trace.device == null ? Double.NaN : trace.device.linkBytesPerSecond() * ATTAINABLE;
        if (details == null || Double.isNaN(rate)) {
            return null;
        }
        long launch = usualLaunch(trace);
        Changes changes = new Changes();
        IntList places = new IntList(4);
        for (int a = 0; a < trace.activity.size(); a++) {
            int slice = trace.activity.slice(a);
            CopyWay way = trace.slices.kind(slice) == SliceKind.MEMCPY ? CopyWay.of(trace.trace.name(slice)) : null;
            int row = details.of(slice);
            if (way == null
                    || !way.isPageable()
                    || !way.direction().equals("HtoD")
                    || row < 0
                    || details.bytes(row) < 0) {
                continue;
            }
            changes.takes(slice, Math.min(trace.slices.dur(slice), Math.round(details.bytes(row) / rate * NS_PER_S)));
            int call = trace.links.launchOf(slice);
            if (call >= 0) {
                changes.host(call, (double) launch / Math.max(1, trace.slices.dur(call)));
                changes.doesNotWait(call);
                withoutWaits(trace, trace.operatorOf(call), call, changes);
            }
            places.add(slice);
        }
        return changes.isEmpty()
                ? null
                : new Offer(
                        "Pin host memory",
                        trace.isTorch() ? "pin_memory=True, non_blocking=True" : "",
                        "Copies reach 85 % of the link rate, and no CPU call waits for them.",
                        trace.places(places),
                        changes);
    }

    /** The operator that copies waits for the copy before it returns. */
    private static void withoutWaits(ActionTrace trace, int operator, int copy, Changes changes) {
        for (int call = copy + 1; operator >= 0 && call < trace.slices.size(); call++) {
            if (trace.slices.ts(call) >= trace.slices.end(operator)) {
                return;
            }
            if (trace.slices.kind(call).isLaunchCall()
                    && trace.slices.track(call) == trace.slices.track(operator)
                    && trace.causeOf(call) == IdleCause.SYNCHRONISATION) {
                changes.doesNotWait(call);
            }
        }
    }

    private static long usualLaunch(ActionTrace trace) {
        LongList times = new LongList(64);
        for (int a = 0; a < trace.activity.size(); a++) {
            int call = trace.links.launchOf(trace.activity.slice(a));
            if (call >= 0 && trace.slices.kind(call).isLaunchCall()) {
                times.add(trace.slices.dur(call));
            }
        }
        return times.size() == 0 ? 0 : Quantiles.lowerMedianOf(times.toArray());
    }
}
