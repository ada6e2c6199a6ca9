// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import dev.lockstep.codec.Json;
import dev.lockstep.codec.Json.Items;
import dev.lockstep.kernels.KernelIdentity.Launch;
import dev.lockstep.kernels.KernelIdentity.Operator;
import dev.lockstep.read.execution.ExecutionTrace;
import dev.lockstep.read.execution.ExecutionTrace.Compiled;
import dev.lockstep.read.execution.ExecutionTrace.Inputs;
import dev.lockstep.read.execution.ExecutionTrace.Node;
import dev.lockstep.replay.plan.ExecutedWork;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The operators of an execution trace that do its work. */
final class OperatorCalls {
    /** What triton calls each kernel unless it is told to name them. */
    private static final String NAMELESS = "triton_";

    private static final int ELEMENTS = 3;
    private static final int ELEMENT_BYTES = 4;
    private static final int TENSOR_FACTS = 6;

    private final Set<KeyField> key;
    private final OperatorKinds kinds;

    private OperatorCalls(Set<KeyField> key, OperatorKinds kinds) {
        this.key = key;
        this.kinds = kinds;
    }

    static List<ExecutedCall> of(
            ExecutionTrace trace, ExecutedWork work, Set<KeyField> key, KernelCategories categories) {
        OperatorCalls calls = new OperatorCalls(key, new OperatorKinds(categories));
        List<ExecutedCall> found = new ArrayList<>();
        for (int i = 0; i < trace.nodes().size(); i++) {
            if (work.isWork(i)) {
                found.add(calls.call(trace.nodes().get(i), i, work));
            }
        }
        return found;
    }

    private ExecutedCall call(Node node, int place, ExecutedWork work) {
        String name = name(node);
        Tier tier = kinds.tier(name);
        boolean bookkeeping = work.isBookkeeping(place);
        long bytes = tier == Tier.RUNTIME ? bytes(node.inputs()) : -1;
        return new ExecutedCall(
                new KernelIdentity(name, new Launch(null, null, -1, bytes, -1), operator(null, node.inputs(), key)),
                kinds.use(name, work.isCommunication(place), bookkeeping),
                kinds.category(name, bookkeeping),
                tier,
                node.device() == null ? "" : node.device(),
                "",
                place,
                -1,
                -1);
    }

    /** What the key asks for of an operator and its inputs. */
    static Operator operator(@Nullable String name, @Nullable Inputs inputs, Set<KeyField> key) {
        OperatorText text = OperatorText.of(inputs);
        return new Operator(
                key.contains(KeyField.OPERATOR) ? name : null,
                key.contains(KeyField.SHAPES) ? text.shapes() : null,
                key.contains(KeyField.TYPES) ? text.types() : null,
                key.contains(KeyField.STRIDES) ? text.strides() : null);
    }

    private static String name(Node node) {
        Compiled kernel = node.kernel();
        return kernel != null && node.name().equals(NAMELESS) && !kernel.file().isEmpty()
                ? NAMELESS + " (" + kernel.file() + ")"
                : node.name();
    }

    /** What a copy or fill writes: the first tensor, which is where it goes or as large. */
    private static long bytes(@Nullable Inputs inputs) {
        if (inputs == null) {
            return -1;
        }
        for (Json value : inputs.values()) {
            if (value instanceof Items(List<Json> facts)
                    && facts.size() == TENSOR_FACTS
                    && facts.get(ELEMENTS) instanceof Json.Numeral elements
                    && facts.get(ELEMENT_BYTES) instanceof Json.Numeral size
                    && facts.getLast() instanceof Json.Text) {
                return (long) (elements.value() * size.value());
            }
        }
        return -1;
    }
}
