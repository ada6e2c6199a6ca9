// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Numbers of the program, as the 8.0 of {@code x / 8.0}. The framework hands them to arithmetic as tensors without dimensions
 * in the host's memory, and recorders write them down as such. A tensor of the device in their place takes other kernels,
 * which read the number from memory: on an H200 a division of bfloat16 took four times as long.
 */
final class WrappedNumbers {
    private static final Set<String> ARITHMETIC = Set.of(
            "add",
            "sub",
            "rsub",
            "mul",
            "div",
            "floor_divide",
            "remainder",
            "fmod",
            "eq",
            "ne",
            "lt",
            "le",
            "gt",
            "ge");

    private static final String NAMESPACE = "aten::";

    private WrappedNumbers() {}

    /**
     * The arguments with numbers where such tensors stood: behind a tensor of another type, since of one type with it they may
     * be real ones. Which numbers is not recorded; it is 1.
     */
    static List<Argument> unwrapped(String operator, List<Argument> arguments) {
        if (!isArithmetic(operator)
                || arguments.size() < 2
                || !(arguments.getFirst() instanceof Argument.Tensor first)
                || !(arguments.get(1) instanceof Argument.Tensor second)
                || !isNumber(second.spec())
                || first.spec().type() == second.spec().type()) {
            return arguments;
        }
        List<Argument> unwrapped = new ArrayList<>(arguments);
        unwrapped.set(1, second.spec().type() == ElementType.INT64 ? new Argument.Whole(1) : new Argument.Real(1));
        return unwrapped;
    }

    private static boolean isArithmetic(String operator) {
        int end = operator.endsWith("_") ? operator.length() - 1 : operator.length();
        return operator.startsWith(NAMESPACE) && ARITHMETIC.contains(operator.substring(NAMESPACE.length(), end));
    }

    private static boolean isNumber(TensorSpec spec) {
        return spec.shape().isEmpty()
                && (spec.type() == ElementType.FLOAT64 || spec.type() == ElementType.INT64)
                && (spec.device() == null || spec.device().equals("cpu"));
    }
}
