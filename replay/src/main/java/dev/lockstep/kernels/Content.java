// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import dev.lockstep.replay.plan.ExecutedWork.Counts;
import org.jspecify.annotations.Nullable;

/**
 * What a list is about, and what else it was made from.
 *
 * @param executed the execution trace that the list is about; null for other recordings and for lists
 * @param joined the execution trace that gave inputs to the operators of a recording; null for none
 */
public record Content(@Nullable Executed executed, @Nullable Joined joined) {
    /** Kernels of a recording or of lists. */
    public static final Content KERNELS = new Content(null, null);

    /**
     * @param schema version of the format
     * @param nodes what became of the calls
     * @param linked whether it was linked with a trace of the device, so that kernels and times are known
     */
    public record Executed(String schema, Counts nodes, boolean linked) {}

    /**
     * @param source the execution trace, as the user named it
     * @param nodes its calls
     * @param found of these, those that the recording holds
     * @param operators operators of the recording that are one of these, or repeat one
     * @param launched kernels, copies and fills of which the operator is known
     * @param withInputs of these, those of which the operator's inputs are known
     */
    public record Joined(String source, long nodes, long found, long operators, long launched, long withInputs) {}

    /** A word for what the list holds. */
    String what() {
        return isOperators() ? "operators" : "kernels";
    }

    /** Whether the list holds operators: no device work was recorded, and no times. */
    public boolean isOperators() {
        return executed != null && !executed.linked;
    }
}
