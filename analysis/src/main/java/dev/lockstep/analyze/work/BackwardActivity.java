// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import dev.lockstep.analyze.WorkRules;
import dev.lockstep.derive.AutogradLinks;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.SubtreeActivity;
import dev.lockstep.table.IntList;
import java.util.Arrays;

/** The device activity of the backward pass of forward operators. */
final class BackwardActivity {
    private final AutogradLinks autograd;
    private final SubtreeActivity activity;

    BackwardActivity(DerivedCache cache, WorkRules rules) {
        autograd = cache.get(rules.autograd());
        activity = cache.get(rules.activity());
    }

    /** Whether any backward node belongs to the operator or one inside it. */
    boolean hasAny(int op) {
        return autograd.backwardOf(op).length > 0;
    }

    /** The device slices of all backward nodes of the operator and those inside it, in order of their starts. */
    int[] kernels(int op) {
        IntList kernels = new IntList(16);
        for (int node : autograd.backwardOf(op)) {
            for (int i = activity.from(node); i < activity.to(node); i++) {
                kernels.add(activity.activity(i));
            }
        }
        int[] sorted = kernels.toArray();
        Arrays.sort(sorted);
        return sorted;
    }
}
