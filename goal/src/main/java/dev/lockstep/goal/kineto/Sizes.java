// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.kineto;

import dev.lockstep.derive.CollectiveCall;
import dev.lockstep.goal.nccl.NvtxMark;
import dev.lockstep.perfmodel.ElementTypes;

/** Sizes in bytes of what calls state in elements. */
public final class Sizes {
    private static final ElementTypes TYPES = ElementTypes.standard();

    private Sizes() {}

    /** -1 when number or type is not on record, or when no GPU can hold so many. */
    public static long bytes(CollectiveCall call, long elements) {
        double each = TYPES.bytes(call.dtype());
        long bytes = elements < 0 || Double.isNaN(each) ? -1 : (long) Math.ceil(elements * each);
        return NvtxMark.size(bytes) ? bytes : -1;
    }

    /** Whole bytes of an element, at least 1; -1 when the type is not known. */
    static int element(CollectiveCall call) {
        double each = TYPES.bytes(call.dtype());
        return Double.isNaN(each) ? -1 : Math.max(1, (int) each);
    }
}
