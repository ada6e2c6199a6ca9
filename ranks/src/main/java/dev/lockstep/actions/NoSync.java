// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.actions;

import dev.lockstep.analyze.time.IdleCause;
import dev.lockstep.path.Changes;
import dev.lockstep.table.IntList;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Operators that wait inside of steps until the device has computed a value, and stop the host from running ahead. */
final class NoSync implements Action {
    private static final Set<String> READS = Set.of(
            "aten::item",
            "aten::_local_scalar_dense",
            "aten::nonzero",
            "aten::is_nonzero",
            "aten::equal",
            "aten::masked_select",
            "aten::unique",
            "aten::_unique2");

    @Override
    public String id() {
        return "no_sync";
    }

    @Override
    public @Nullable Offer in(ActionTrace trace) {
        if (!trace.isTorch()) {
            return null;
        }
        Changes changes = new Changes();
        IntList places = new IntList(4);
        for (int call = 0; call < trace.slices.size(); call++) {
            boolean waits = trace.slices.kind(call).isLaunchCall()
                    && trace.causeOf(call) == IdleCause.SYNCHRONISATION
                    && trace.isInStep(trace.slices.ts(call));
            int operator = waits ? reading(trace, call) : -1;
            if (operator >= 0) {
                changes.doesNotWait(operator);
                places.add(call);
            }
        }
        return changes.isEmpty()
                ? null
                : new Offer(
                        "Read values from the GPU less often",
                        "call .item() every N steps only",
                        "The value is needed a step later, or not in every step.",
                        trace.places(places),
                        changes);
    }

    /** The operator that reads a value, around a call; -1 where there is none. */
    private static int reading(ActionTrace trace, int call) {
        int operator = trace.operatorOf(call);
        int found = -1;
        while (operator >= 0) {
            found = READS.contains(trace.trace.name(operator)) ? operator : found;
            operator = trace.operatorAround(operator);
        }
        return found;
    }
}
