// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.actions;

import dev.lockstep.analyze.time.IdleCause;
import dev.lockstep.path.Changes;
import dev.lockstep.table.IntList;
import org.jspecify.annotations.Nullable;

/** Batches that are loaded by the thread that launches, which could be loaded while the step before runs. */
final class LoadAhead implements Action {
    /** What PyTorch calls a loader that has workers already. */
    private static final String WITH_WORKERS = "_MultiProcessingDataLoaderIter";

    @Override
    public String id() {
        return "load_ahead";
    }

    @Override
    public @Nullable Offer in(ActionTrace trace) {
        Changes changes = new Changes();
        IntList places = new IntList(4);
        for (int slice = 0; slice < trace.slices.size(); slice++) {
            if (!trace.slices.kind(slice).isHost() || trace.causeOf(slice) != IdleCause.DATA_LOADER) {
                continue;
            }
            if (trace.trace.name(slice).contains(WITH_WORKERS)) {
                return null;
            }
            int around = trace.nesting.around(slice);
            if (around < 0 || trace.causeOf(around) != IdleCause.DATA_LOADER) {
                changes.removes(slice);
                places.add(slice);
            }
        }
        return changes.isEmpty()
                ? null
                : new Offer(
                        "Load data in worker processes",
                        trace.isTorch() ? "DataLoader(num_workers=8, pin_memory=True)" : "",
                        "Enough workers load a batch within a step, so that the loop finds it ready.",
                        trace.places(places),
                        changes);
    }
}
