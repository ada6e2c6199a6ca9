// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.actions;

import dev.lockstep.model.OpDetails;
import dev.lockstep.model.Trace;
import dev.lockstep.perfmodel.ElementTypes;
import dev.lockstep.perfmodel.NotModelled;
import dev.lockstep.perfmodel.OpCall;
import dev.lockstep.perfmodel.Shape;
import dev.lockstep.table.LongList;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tensors among the arguments of one operator.
 *
 * @param tensors in order; scalars are left out
 */
record TensorInputs(List<Tensor> tensors) {
    private static final TensorInputs NONE = new TensorInputs(List.of());

    /**
     * One tensor.
     *
     * @param dims its sizes
     * @param type name of its element type
     * @param elementBytes bytes of an element, NaN where that is not known
     * @param precision of its elements, as devices' peaks are listed by
     */
    record Tensor(LongList dims, String type, double elementBytes, String precision) {
        long elements() {
            long all = 1;
            for (int i = 0; i < dims.size(); i++) {
                all *= dims.get(i);
            }
            return all;
        }

        /** One of its sizes, counted from the last, which is 1. */
        long fromLast(int place) {
            return dims.get(dims.size() - place);
        }
    }

    static TensorInputs of(Trace trace, @Nullable OpDetails details, ElementTypes types, int operator) {
        int row = details == null || operator < 0 ? -1 : details.of(operator);
        if (details == null || row < 0 || details.inputDims(row) < 0) {
            return NONE;
        }
        OpCall call = OpCall.of(
                trace.name(operator),
                trace.strings().get(details.inputDims(row)),
                details.inputTypes(row) < 0 ? null : trace.strings().get(details.inputTypes(row)),
                null,
                null);
        List<Tensor> tensors = new ArrayList<>();
        for (int i = 0; i < call.inputs(); i++) {
            Tensor tensor = call.hasShape(i) ? tensor(call, i, types) : null;
            if (tensor != null) {
                tensors.add(tensor);
            }
        }
        return new TensorInputs(tensors);
    }

    /** One argument; null where it is a list of tensors, or its sizes cannot be read. */
    private static @Nullable Tensor tensor(OpCall call, int i, ElementTypes types) {
        try {
            Shape shape = call.shape(i);
            LongList dims = new LongList(shape.rank());
            for (int d = 0; d < shape.rank(); d++) {
                dims.add(shape.dim(d));
            }
            String type = call.typeOrNull(i);
            return new Tensor(dims, type == null ? "" : type, types.bytes(type), types.precision(type));
        } catch (NotModelled e) {
            return null;
        }
    }

    /** Elements of the largest tensor, 0 where there is none. */
    long largest() {
        return tensors.stream().mapToLong(Tensor::elements).max().orElse(0);
    }

    /** How many tensors have so many elements. */
    long count(long elements) {
        return tensors.stream().filter(tensor -> tensor.elements() == elements).count();
    }
}
