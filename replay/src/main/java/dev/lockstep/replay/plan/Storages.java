// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import dev.lockstep.replay.plan.Argument.Values;
import dev.lockstep.replay.plan.Argument.Whole;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Storages of the tensors of one call, numbered in order of appearance, so that equal calls look equal wherever their
 * memory was.
 */
final class Storages {
    private Storages() {}

    static List<Argument> normal(String operator, List<Argument> arguments) {
        Map<Integer, Integer> numbers = new HashMap<>();
        Set<Integer> shared = shared(arguments);
        long reach = operator.startsWith("aten::as_strided") ? reach(arguments) : 0;
        return Argument.mapTensors(arguments, spec -> {
            int known = numbers.size();
            int number = numbers.computeIfAbsent(spec.storage(), s -> known);
            boolean whole = shared.contains(spec.storage()) || spec.offset() > 0;
            long elements = Math.max(Math.max(spec.extent(), reach), whole && reach > 0 ? spec.storageElements() : 0);
            return spec.withStorage(number, elements);
        });
    }

    private static Set<Integer> shared(List<Argument> arguments) {
        Set<Integer> seen = new HashSet<>();
        Set<Integer> shared = new HashSet<>();
        for (TensorSpec spec : Argument.tensors(arguments)) {
            if (!seen.add(spec.storage())) {
                shared.add(spec.storage());
            }
        }
        return shared;
    }

    /** How far into the storage a call of as_strided looks: beyond its own input, as a rule. */
    private static long reach(List<Argument> arguments) {
        List<Long> sizes = new ArrayList<>();
        List<Long> strides = new ArrayList<>();
        if (arguments.size() < 3 || !wholes(arguments.get(1), sizes) || !wholes(arguments.get(2), strides)) {
            return 0;
        }
        long offset = 0;
        if (arguments.size() > 3 && arguments.get(3) instanceof Whole(long given)) {
            offset = given;
        } else if (arguments.get(0) instanceof Argument.Tensor(TensorSpec self)) {
            offset = self.offset();
        }
        return sizes.size() == strides.size() ? TensorSpec.extent(sizes, strides, offset) : 0;
    }

    private static boolean wholes(Argument argument, List<Long> into) {
        if (!(argument instanceof Values(List<Argument> values))) {
            return false;
        }
        for (Argument value : values) {
            if (!(value instanceof Whole(long number))) {
                return false;
            }
            into.add(number);
        }
        return true;
    }
}
