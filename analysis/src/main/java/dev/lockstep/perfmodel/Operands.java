// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import dev.lockstep.perfmodel.Value.Int;
import dev.lockstep.perfmodel.Value.Sequence;
import java.util.ArrayList;
import java.util.List;

/** All tensors that a call was given, for operators that move their operands and compute little. */
final class Operands {
    private Operands() {}

    /** A list of (shape, type); the type is none where it was not recorded. */
    static Value all(OpCall call) throws NotModelled {
        List<Value> operands = new ArrayList<>();
        for (int i = 0; i < call.inputs(); i++) {
            if (isTensor(call, i)) {
                String type = call.typeOrNull(i);
                operands.add(Value.tuple(call.shape(i).value(), type == null ? Value.NONE : Value.of(type)));
            }
        }
        return new Sequence(operands, false);
    }

    /** The bytes of all operands of known types; NaN when there are none. */
    static double bytes(OpCall call, ElementTypes types) throws NotModelled {
        double total = 0;
        for (int i = 0; i < call.inputs(); i++) {
            double size = isTensor(call, i) ? types.bytes(call.typeOrNull(i)) : Double.NaN;
            total += Double.isNaN(size) ? 0 : size * call.shape(i).elements();
        }
        return total > 0 ? total : Double.NaN;
    }

    /** (elements, type) of the operand with most elements, the first of such; (0, none) without operands. */
    static Value largest(OpCall call) throws NotModelled {
        long most = -1;
        String type = null;
        for (int i = 0; i < call.inputs(); i++) {
            if (isTensor(call, i) && call.shape(i).elements() > most) {
                most = call.shape(i).elements();
                type = call.typeOrNull(i);
            }
        }
        return Value.tuple(Value.of(Math.max(0, most)), type == null ? Value.NONE : Value.of(type));
    }

    private static boolean isTensor(OpCall call, int argument) throws NotModelled {
        return call.hasShape(argument)
                && call.dims(argument) instanceof Sequence shape
                && shape.values().stream().allMatch(Int.class::isInstance);
    }
}
