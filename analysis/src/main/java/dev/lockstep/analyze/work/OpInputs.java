// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import dev.lockstep.model.OpDetails;
import org.jspecify.annotations.Nullable;

/** The recorded inputs of an operator as pool ids, -1 for what was not recorded. */
record OpInputs(int dims, int types, int strides, int concrete) {
    private static final OpInputs NONE = new OpInputs(-1, -1, -1, -1);

    static OpInputs of(@Nullable OpDetails details, int slice) {
        int row = details == null || slice < 0 ? -1 : details.of(slice);
        return details == null || row < 0
                ? NONE
                : new OpInputs(
                        details.inputDims(row),
                        details.inputTypes(row),
                        details.inputStrides(row),
                        details.concreteInputs(row));
    }
}
