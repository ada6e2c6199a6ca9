// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.actions;

import dev.lockstep.model.OpDetails;
import dev.lockstep.model.Trace;
import dev.lockstep.perfmodel.ElementTypes;
import dev.lockstep.perfmodel.NotModelled;
import dev.lockstep.perfmodel.OpCall;
import dev.lockstep.perfmodel.Shape;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongList;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tensors among the arguments of one operator.
 *
 * @param tensors in order; scalars are left out
 * @param largest elements of the largest tensor, 0 where there is none
 */
record TensorInputs(List<Tensor> tensors, long largest) {
    private static final TensorInputs NONE = new TensorInputs(List.of(), 0);

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

    /** Of the operators of one trace; the same texts are taken apart once. */
    static final class Reader {
        private final Trace trace;
        private final ElementTypes types;
        private final @Nullable OpDetails details;
        private final LongIntMap known = new LongIntMap(64);
        private final List<TensorInputs> all = new ArrayList<>();

        Reader(Trace trace, ElementTypes types) {
            this.trace = trace;
            this.types = types;
            details = trace.view(OpDetails.KEY);
        }

        /** The tensors that an operator got; none where they were not recorded. */
        TensorInputs of(int operator) {
            int row = details == null || operator < 0 ? -1 : details.of(operator);
            if (details == null || row < 0 || details.inputDims(row) < 0) {
                return NONE;
            }
            long texts = (long) details.inputDims(row) << Integer.SIZE | details.inputTypes(row) & 0xFFFF_FFFFL;
            int number = known.numberOf(texts);
            if (number == all.size()) {
                String shapes = trace.strings().get(details.inputDims(row));
                all.add(read(shapes, trace.strings().orNull(details.inputTypes(row)), types));
            }
            return all.get(number);
        }
    }

    private static TensorInputs read(String shapes, @Nullable String elements, ElementTypes types) {
        OpCall call = OpCall.of("", shapes, elements, null, null);
        List<Tensor> tensors = new ArrayList<>();
        for (int i = 0; i < call.inputs(); i++) {
            Tensor tensor = call.hasShape(i) ? tensor(call, i, types) : null;
            if (tensor != null) {
                tensors.add(tensor);
            }
        }
        long largest = tensors.stream().mapToLong(Tensor::elements).max().orElse(0);
        return new TensorInputs(List.copyOf(tensors), largest);
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

    /** How many tensors have so many elements. */
    long count(long elements) {
        return tensors.stream().filter(tensor -> tensor.elements() == elements).count();
    }
}
