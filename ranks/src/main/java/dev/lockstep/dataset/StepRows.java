// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.dataset;

import dev.lockstep.analyze.comm.StepsByRank;
import dev.lockstep.analyze.time.GpuTimeline;
import dev.lockstep.analyze.time.GpuTimeline.Parts;
import dev.lockstep.analyze.time.HostSteps;
import dev.lockstep.derive.KernelClass;
import dev.lockstep.derive.Steps.Step;
import dev.lockstep.model.SliceKind;
import dev.lockstep.ranks.KeptRank;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a rank's devices did in each step, with what its host exchanged with other ranks, and outside of all steps. */
final class StepRows {
    private StepRows() {}

    static void write(SlicePlaces places, long shift, BatchSink sink) throws IOException {
        int outside = places.steps.steps().size();
        int[] counts = new int[outside + 1];
        long[] first = new long[outside + 1];
        long[] kernels = new long[outside + 1];
        for (int i = 0; i < places.activity.size(); i++) {
            int slice = places.activity.slice(i);
            int step = at(places, slice);
            first[step] = counts[step]++ == 0 ? places.slices.ts(slice) : first[step];
            if (places.slices.kind(slice) == SliceKind.KERNEL
                    && places.activity.classOf(slice) == KernelClass.COMPUTE) {
                kernels[step] += places.slices.dur(slice);
            }
        }
        HostSteps host = HostSteps.of(places.cache, places.activity, places.steps);
        List<Parts> parts =
                GpuTimeline.parts(places.activity, outside + 1, i -> at(places, places.activity.slice(i)), -1);
        for (int step = 0; host != null && step < outside; step++) {
            counts[step] += host.operators(step);
            first[step] = host.start(step);
        }
        Map<Integer, StepsByRank.Step> own = new HashMap<>();
        KeptRank.withoutPart(places.cache).steps().forEach(step -> own.put(step.index(), step));
        BatchRows rows = new BatchRows(sink, DatasetTables.STEPS, places.trace.strings());
        for (int step = 0; step <= outside; step++) {
            if (step == outside && counts[step] == 0) {
                continue;
            }
            RowBatch row = rows.next();
            row.set(0, places.rank());
            if (step < outside) {
                Step marks = places.steps.steps().get(step);
                row.set(1, marks.number());
                row.set(2, step);
                row.set(3, marks.start() + shift);
                row.set(4, marks.end() - marks.start());
            }
            row.set(5, counts[step]);
            if (counts[step] > 0) {
                row.set(6, first[step] + shift);
            }
            fill(row, host == null || step == outside ? parts.get(step) : host.parts(step));
            row.set(15, kernels[step]);
            StepsByRank.Step times = step < outside ? own.get(step) : null;
            if (times != null) {
                row.set(16, times.period());
                row.set(17, times.own());
            }
        }
        rows.finish();
    }

    private static int at(SlicePlaces places, int slice) {
        int step = places.stepIndex(slice);
        return step < 0 ? places.steps.steps().size() : step;
    }

    private static void fill(RowBatch row, Parts parts) {
        row.set(7, parts.total());
        row.set(8, parts.computation());
        row.set(9, parts.exposedCommunication());
        row.set(10, parts.exposedMemory());
        row.set(11, parts.exposedOther());
        row.set(12, parts.idle());
        row.set(13, parts.communication());
        row.set(14, parts.memory());
    }
}
