// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.inference;

import dev.lockstep.derive.CallTree;
import dev.lockstep.model.OpDetails;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Trace;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The matrix products inside operators for mixtures of experts. Which implementation ran is told by operators and
 * kernels: one fused kernel of AITER, a Triton kernel for each product, or kernels for 4-bit weights.
 */
final class MoeSteps implements PseudoOps.Rule {
    private static final String VLLM = "vllm::moe_forward";
    private static final String FUSED = "vllm::rocm_aiter_fused_moe";
    private static final String OUTPLACE = "vllm::outplace_fused_experts";

    /** Where the number of experts is not recorded: that of the models that use this implementation. */
    private static final int USUAL_TRITON_EXPERTS = 4;

    private static final int USUAL_QUANTISED_EXPERTS = 8;

    @Override
    public void apply(PseudoOpBuilder ops) {
        if (ops.mentions(VLLM)) {
            if (ops.mentions(FUSED)) {
                for (int op : ops.named(SliceKind.CPU_OP, FUSED)) {
                    fused(ops, op);
                }
            } else {
                for (int op : ops.named(SliceKind.CPU_OP, VLLM)) {
                    triton(ops, op);
                }
            }
        }
        for (int op : ops.named(SliceKind.CPU_OP, OUTPLACE)) {
            quantised(ops, op);
        }
    }

    private static void fused(PseudoOpBuilder ops, int op) {
        int[] kernels = kernels(
                ops,
                op,
                name -> name.contains("aiter::")
                        && name.contains("fmoe")
                        && !name.contains("MoeSorting")
                        && !name.toLowerCase(Locale.ROOT).contains("quant"));
        if (kernels.length == 1) {
            ops.isolate(kernels[0], "pseudo_op::moe_aiter_fused_1stage", op, "");
        }
    }

    private static void triton(PseudoOpBuilder ops, int op) {
        int[] products = kernels(ops, op, lower("matmul_ogs"));
        if (products.length == 0) {
            return;
        }
        int experts = tritonExperts(ops, op);
        for (int i = 0; i < products.length; i++) {
            String kernel = ops.trace().name(products[i]).toLowerCase(Locale.ROOT);
            boolean gated = kernel.contains("_swiglu") || kernel.contains("_glu");
            String name = "pseudo_op::moe_triton_unfused_" + (i == 0 ? "up" : "down");
            ops.isolate(products[i], name, op, hints(experts, gated));
        }
        int[] sums = kernels(ops, op, lower("matmul_scatter"));
        if (sums.length == 1) {
            ops.isolate(sums[0], "pseudo_op::moe_triton_unfused_finalize_matmul_scatter", op, "");
        }
    }

    private static void quantised(PseudoOpBuilder ops, int op) {
        int[] products = kernels(ops, op, name -> name.contains("fused_moe_kernel_gptq_awq"));
        int experts = lastSize(ops.arguments(op, OpDetails.INPUT_DIMS), 4);
        for (int i = 0; i < products.length; i++) {
            String name = "pseudo_op::moe_gptq_awq_" + (i == 0 ? "up" : "down");
            ops.isolate(products[i], name, op, hints(experts < 0 ? USUAL_QUANTISED_EXPERTS : experts, i == 0));
        }
    }

    private static String hints(int experts, boolean gated) {
        return "{\"topk\": " + experts + ", \"gated\": " + gated + "}";
    }

    private static Predicate<String> lower(String part) {
        return name -> name.toLowerCase(Locale.ROOT).contains(part);
    }

    private static int[] kernels(PseudoOpBuilder ops, int op, Predicate<String> test) {
        Trace trace = ops.trace();
        return Arrays.stream(ops.activities(op))
                .filter(a -> trace.slices().kind(a) == SliceKind.KERNEL && test.test(trace.name(a)))
                .toArray();
    }

    /** The second argument of the first TopK inside. */
    private static int tritonExperts(PseudoOpBuilder ops, int op) {
        CallTree tree = ops.tree();
        for (int i = tree.enter(op) + 1; i < tree.exit(op); i++) {
            int node = tree.node(i);
            String values =
                    ops.trace().name(node).contains("TopK") ? ops.arguments(node, OpDetails.CONCRETE_INPUTS) : null;
            List<String> texts = values == null ? List.of() : texts(values);
            if (texts.size() > 1 && texts.get(1).matches("\\d{1,9}")) {
                return Integer.parseInt(texts.get(1));
            }
        }
        return USUAL_TRITON_EXPERTS;
    }

    /** The texts of a JSON array of texts without brackets or quotes in them. */
    private static List<String> texts(String json) {
        return Pattern.compile("\"([^\"]*)\"")
                .matcher(json)
                .results()
                .map(m -> m.group(1))
                .toList();
    }

    /** The last size of one of the shapes, of which there must be two or more; -1 when it is not there. */
    private static int lastSize(@Nullable String dims, int argument) {
        if (dims == null) {
            return -1;
        }
        Matcher shape = Pattern.compile("\\[([\\d, ]*)\\]").matcher(dims);
        for (int i = 0; shape.find(); i++) {
            String[] sizes = shape.group(1).split(",");
            if (i == argument) {
                String last = sizes[sizes.length - 1].strip();
                return sizes.length > 1 && last.length() < 10 ? Integer.parseInt(last) : -1;
            }
        }
        return -1;
    }
}
