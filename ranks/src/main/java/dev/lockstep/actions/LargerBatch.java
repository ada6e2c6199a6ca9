// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.actions;

import dev.lockstep.analyze.time.IdleCause;
import dev.lockstep.derive.Steps;
import dev.lockstep.model.IntervalSet;
import dev.lockstep.model.MemoryDetails;
import dev.lockstep.path.Changes;
import dev.lockstep.report.Evidence;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Steps in which the devices are idle most of the time, and the host is not: a batch twice as large takes the host no longer. What is
 * gained is time for each sample, as if the host took half of its time; that is the least where small kernels do not grow, either.
 */
final class LargerBatch implements Action {
    /** What makes no step shorter. */
    static final String ID = "larger_batch";

    private static final double HALF = 0.5;

    @Override
    public String id() {
        return ID;
    }

    @Override
    public @Nullable Offer in(ActionTrace trace) {
        if (!trace.isTorch()
                || trace.steps.steps().isEmpty()
                || trace.steps.source() == Steps.Source.SERVING
                || trace.exchangesMessages()) {
            return null;
        }
        IntervalSet host = launching(trace);
        if (trace.busy().any().intersect(host).total() > HALF * host.total()) {
            return null;
        }
        String room = room(trace);
        if (room == null) {
            return null;
        }
        Changes changes = new Changes();
        BitSet done = new BitSet();
        for (int a = 0; a < trace.activity.size(); a++) {
            int call = trace.links.launchOf(trace.activity.slice(a));
            if (call >= 0 && !done.get(trace.slices.track(call))) {
                done.set(trace.slices.track(call));
                for (int i = 0; i < host.size(); i++) {
                    changes.spares(call, host.start(i), host.end(i), HALF);
                }
            }
        }
        List<Evidence.Place> places = new ArrayList<>();
        for (Steps.Step step : trace.steps.steps()) {
            places.add(new Evidence.Place("step " + step.number(), step.start(), step.end()));
        }
        return new Offer(
                "Double the batch (time per sample)",
                "",
                "A batch twice as large takes the CPU no longer and the GPU twice as long." + room,
                trace.longest(places),
                changes);
    }

    /** The time of steps without loading and pauses, which take longer for a larger batch. */
    private static IntervalSet launching(ActionTrace trace) {
        IntervalSet.Builder loading = new IntervalSet.Builder();
        for (int slice = 0; slice < trace.slices.size(); slice++) {
            if (trace.slices.kind(slice).isHost() && trace.causeOf(slice) == IdleCause.DATA_LOADER) {
                loading.add(trace.slices.ts(slice), trace.slices.end(slice));
            }
        }
        return trace.spanOfSteps().minus(loading.build()).minus(trace.pauses());
    }

    /** What is known of the memory that a larger batch needs, a sentence or nothing; null where there is not enough. */
    private static @Nullable String room(ActionTrace trace) {
        MemoryDetails memory = trace.trace.view(MemoryDetails.KEY);
        long peak = 0;
        for (int row = 0; memory != null && row < memory.size(); row++) {
            peak = Math.max(peak, memory.device(row) == MemoryDetails.HOST ? 0 : memory.reserved(row));
        }
        double all = trace.device == null ? Double.NaN : trace.device.memoryBytes();
        if (peak == 0 || Double.isNaN(all)) {
            return " Whether memory has room is not recorded.";
        }
        return 2 * peak > all
                ? null
                : " Memory has room: " + Words.share(peak, Math.round(all)) + " of it is reserved.";
    }
}
