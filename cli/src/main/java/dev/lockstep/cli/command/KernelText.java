// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.kernels.Kernels;
import dev.lockstep.kernels.UniqueKernels.Totals;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What {@code kernels extract} says where no kernels are left. */
final class KernelText {
    private KernelText() {}

    /**
     * Fails where there are none.
     *
     * @param hint what to do where the recording holds none at all
     */
    static void demandKernels(Kernels kernels, KernelArguments.Options options, @Nullable String hint) {
        if (!kernels.result().kernels().isEmpty()) {
            return;
        }
        String what = kernels.result().content().isOperators() ? "operators" : "kernels";
        Totals totals = kernels.result().totals();
        String input = options.inputs().getFirst().toString();
        if (totals.seen() == 0) {
            throw new UserException(ErrorCode.NOTHING_TO_DO, input + ": there are no " + what, hint);
        }
        List<String> reasons = new ArrayList<>();
        if (totals.deviceFiltered() > 0) {
            reasons.add("--devices leaves out " + totals.deviceFiltered());
        }
        if (totals.excluded() > 0) {
            reasons.add("--exclude leaves out " + totals.excluded());
        }
        throw new UserException(
                ErrorCode.NOTHING_TO_DO,
                input + ": no " + what + " are left of " + totals.seen(),
                String.join(", ", reasons) + ".");
    }
}
