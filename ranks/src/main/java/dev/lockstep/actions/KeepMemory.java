// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.actions;

import dev.lockstep.derive.NameTest;
import dev.lockstep.path.Changes;
import dev.lockstep.table.IntList;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Memory of the device that is returned to the driver and asked for again in steady steps. */
final class KeepMemory implements Action {
    private static final Pattern CALLS = Pattern.compile(
            "^(?:cuda|hip|musa)(?:Malloc|Free)$|^cuMem(?:Alloc|Free)(?:_v2)?$|^cuMem(?:Create|Release|Map|Unmap|SetAccess|AddressReserve|AddressFree)$"
                    + "|@?aclrt(?:Malloc|Free)\\w*$");

    private static final Pattern FREES = Pattern.compile("Free|Release|Unmap");

    @Override
    public String id() {
        return "keep_memory";
    }

    @Override
    public @Nullable Offer in(ActionTrace trace) {
        Changes changes = new Changes();
        IntList places = new IntList(16);
        Set<Integer> steps = new HashSet<>();
        NameTest calls = new NameTest(trace.trace, CALLS);
        NameTest frees = new NameTest(trace.trace, FREES);
        boolean freed = false;
        for (int call = 0; call < trace.slices.size(); call++) {
            if (trace.slices.kind(call).isLaunchCall()
                    && calls.isMeant(call)
                    && trace.isInStep(trace.slices.ts(call))) {
                changes.removes(call);
                places.add(call);
                steps.add(trace.steps.at(trace.slices.ts(call)));
                freed |= frees.isMeant(call);
            }
        }
        // What is allocated in a first step alone, or before steps are known, is how programs begin.
        boolean steady = freed && !trace.steps.steps().isEmpty() && steps.size() > 1;
        return !steady
                ? null
                : new Offer(
                        "Keep GPU memory between steps",
                        trace.isTorch() ? "no empty_cache(), expandable_segments:True" : "",
                        "The allocator keeps what it has, and no step asks the driver for memory.",
                        trace.places(places),
                        changes);
    }
}
