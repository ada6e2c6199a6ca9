// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** An argument of a recorded call. */
public sealed interface Argument {
    /** What was not given, or not recorded. */
    Argument NONE = new None();

    /** A tensor. */
    record Tensor(TensorSpec spec) implements Argument {}

    /** A list of tensors, of which some may be absent. */
    record Tensors(List<@Nullable TensorSpec> specs) implements Argument {
        public Tensors {
            specs = Collections.unmodifiableList(new ArrayList<>(specs));
        }
    }

    /** A whole number. */
    record Whole(long value) implements Argument {}

    /** A real number. */
    record Real(double value) implements Argument {}

    /** True or false. */
    record Truth(boolean value) implements Argument {}

    /** A text, or the name of a device. */
    record Text(String value) implements Argument {}

    /** A list of values. */
    record Values(List<Argument> values) implements Argument {
        public Values {
            values = List.copyOf(values);
        }
    }

    /** What {@link #NONE} stands for. */
    record None() implements Argument {}

    /** The tensors of arguments, in their order. */
    static List<TensorSpec> tensors(List<Argument> arguments) {
        List<TensorSpec> found = new ArrayList<>();
        for (Argument argument : arguments) {
            if (argument instanceof Tensor tensor) {
                found.add(tensor.spec);
            } else if (argument instanceof Tensors list) {
                for (TensorSpec spec : list.specs) {
                    if (spec != null) {
                        found.add(spec);
                    }
                }
            }
        }
        return found;
    }

    /** The arguments with other tensors. */
    static List<Argument> mapTensors(List<Argument> arguments, UnaryOperator<TensorSpec> change) {
        List<Argument> changed = new ArrayList<>(arguments.size());
        for (Argument argument : arguments) {
            if (argument instanceof Tensor tensor) {
                changed.add(new Tensor(change.apply(tensor.spec)));
            } else if (argument instanceof Tensors list) {
                List<@Nullable TensorSpec> specs = new ArrayList<>();
                for (TensorSpec spec : list.specs) {
                    specs.add(spec == null ? null : change.apply(spec));
                }
                changed.add(new Tensors(specs));
            } else {
                changed.add(argument);
            }
        }
        return changed;
    }
}
