// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.actions;

import dev.lockstep.path.Changes;
import dev.lockstep.table.IntList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Attention that is computed operator by operator: a product of queries and keys, softmax over the scores, and a product with values,
 * with whatever is done to the scores between. One fused operator never writes the scores to memory. Its backward is changed likewise.
 */
final class FusedAttention implements Action {
    /** What fused attention reaches of a device's peak for matrices: usually, at the least, at the most. */
    private static final double USUAL = 0.35;

    private static final double LEAST = 0.2;
    private static final double MOST = 0.6;

    /** Of the rate that the best product of the trace reaches, where the device is not known: the same ones. */
    private static final double OF_PRODUCTS = 1.5;

    /** What the backward computes for each operation of the forward: five products in place of two. */
    private static final double BACKWARD = 2.5;

    private static final double NS_PER_S = 1e9;

    /** The most launching operators between softmax and a product. */
    private static final int NEAR = 16;

    private static final Set<String> SOFTMAX =
            Set.of("aten::_softmax", "aten::_safe_softmax", "aten::softmax", "aten::_masked_softmax");

    static final Set<String> PRODUCTS =
            Set.of("aten::bmm", "aten::baddbmm", "aten::mm", "aten::addmm", "aten::baddbmm_", "aten::bmm_out");

    /** Operators that prepare a product, and are a part of it. */
    private static final Set<String> AROUND_PRODUCTS =
            Set.of("aten::matmul", "aten::einsum", "aten::bmm", "aten::baddbmm", "aten::__matmul__", "aten::linear");

    /**
     * One computation of attention.
     *
     * @param operators its forward, in order
     * @param flops of its two products
     * @param precision of their elements
     */
    private record Site(IntList operators, double flops, String precision) {}

    @Override
    public String id() {
        return "fused_attention";
    }

    @Override
    public @Nullable Offer in(ActionTrace trace) {
        if (!trace.isTorch()) {
            return null;
        }
        Changes likely = new Changes();
        Changes least = new Changes();
        Changes most = new Changes();
        IntList places = new IntList(16);
        List<Launching> all = trace.launching();
        int free = 0;
        for (int i = 0; i < all.size(); i++) {
            Site site = SOFTMAX.contains(all.get(i).name()) ? site(trace, all, i, free) : null;
            double peak = site == null ? 0 : rate(trace, all, site.precision);
            if (site == null || peak <= 0) {
                continue;
            }
            free = i + 1;
            int[] forward = site.operators.toArray();
            int[] backward = backward(trace, site);
            double peakNs = site.flops / peak * NS_PER_S;
            replace(trace, forward, peakNs, List.of(likely, least, most));
            replace(trace, backward, BACKWARD * peakNs, List.of(likely, least, most));
            for (int operator : IntStream.concat(Arrays.stream(forward), Arrays.stream(backward))
                    .toArray()) {
                places.add(operator);
                Arrays.stream(trace.activitiesOf(operator)).forEach(trace.taken::set);
            }
        }
        return likely.isEmpty()
                ? null
                : new Offer(
                        "Fuse attention",
                        "scaled_dot_product_attention",
                        "A fused kernel reaches 35 % of the peak for matrix products (low: 20 %, high: 60 %).",
                        trace.places(places),
                        likely,
                        least,
                        most);
    }

    /** The attention around a softmax, whose operators lie behind a place; null where it is none. */
    private static @Nullable Site site(ActionTrace trace, List<Launching> all, int softmax, int from) {
        Launching middle = all.get(softmax);
        long scores = middle.inputs().largest();
        int track = trace.slices.track(middle.operator());
        int first = -1;
        for (int i = softmax - 1; i >= Math.max(from, softmax - NEAR) && first < 0; i--) {
            Launching one = all.get(i);
            if (trace.slices.track(one.operator()) != track) {
                return null;
            }
            if (PRODUCTS.contains(one.name()) && product(one, true) == scores) {
                first = i;
            } else if (PRODUCTS.contains(one.name())) {
                return null;
            }
        }
        int second = -1;
        for (int i = softmax + 1; i < Math.min(all.size(), softmax + NEAR) && first >= 0 && second < 0; i++) {
            Launching one = all.get(i);
            if (trace.slices.track(one.operator()) != track) {
                return null;
            }
            if (PRODUCTS.contains(one.name())) {
                if (product(one, false) != scores) {
                    return null;
                }
                second = i;
            }
        }
        if (first < 0 || second < 0 || scores == 0) {
            return null;
        }
        int head = outer(trace, all.get(first).operator());
        int tail = outer(trace, all.get(second).operator());
        IntList operators = new IntList(8);
        operators.add(head);
        for (int i = first + 1; i < second; i++) {
            Launching one = all.get(i);
            if (one.inputs().largest() == scores) {
                int operator = between(trace, one.operator(), head, tail);
                if (operator >= 0 && operators.get(operators.size() - 1) != operator) {
                    operators.add(operator);
                }
            }
        }
        operators.add(tail);
        TensorInputs.Tensor queries = operand(all.get(first), 0);
        TensorInputs.Tensor values = operand(all.get(second), 1);
        double flops = 2.0 * scores * queries.fromLast(1) + 2.0 * scores * values.fromLast(1);
        return new Site(operators, flops, queries.precision());
    }

    /** One of the two matrices that are multiplied: the last arguments with two dimensions or three. */
    private static TensorInputs.Tensor operand(Launching product, int which) {
        List<TensorInputs.Tensor> tensors = product.inputs().tensors();
        return tensors.get(tensors.size() - 2 + which);
    }

    /** Elements of what a product gives, or of its first matrix; -1 where its inputs are not known. */
    private static long product(Launching product, boolean result) {
        List<TensorInputs.Tensor> tensors = product.inputs().tensors();
        if (tensors.size() < 2) {
            return -1;
        }
        TensorInputs.Tensor left = operand(product, 0);
        TensorInputs.Tensor right = operand(product, 1);
        if (left.dims().size() < 2
                || left.dims().size() != right.dims().size()
                || left.fromLast(1) != right.fromLast(2)) {
            return -1;
        }
        return result ? left.elements() / Math.max(1, left.fromLast(1)) * right.fromLast(1) : left.elements();
    }

    /** The operator as a part of which a product is computed. */
    private static int outer(ActionTrace trace, int product) {
        int outer = product;
        int around = trace.operatorAround(product);
        while (around >= 0 && AROUND_PRODUCTS.contains(trace.trace.name(around))) {
            outer = around;
            around = trace.operatorAround(around);
        }
        return outer;
    }

    /** The outermost operator around one that lies between two others; -1 where it is a part of one of these. */
    private static int between(ActionTrace trace, int operator, int head, int tail) {
        int found = -1;
        int around = operator;
        while (around >= 0
                && trace.slices.ts(around) >= trace.slices.end(head)
                && trace.slices.end(around) <= trace.slices.ts(tail)) {
            found = around;
            around = trace.operatorAround(around);
        }
        return found;
    }

    /** The nodes of the backward of a computation, in order of time. */
    private static int[] backward(ActionTrace trace, Site site) {
        return Arrays.stream(site.operators.toArray())
                .flatMap(operator -> Arrays.stream(trace.autograd().backwardOf(operator)))
                .sorted()
                .distinct()
                .toArray();
    }

    /** Floating-point operations per second at the device's peak, or as the best product of the trace shows it; 0 where neither is known. */
    private static double rate(ActionTrace trace, List<Launching> all, String precision) {
        double peak = trace.device == null
                ? Double.NaN
                : trace.device.flopsPerSecond("matrix_" + (precision.equals("fp32") ? "tf32" : precision));
        if (!Double.isNaN(peak)) {
            return peak;
        }
        double best = 0;
        for (Launching one : all) {
            if (PRODUCTS.contains(one.name()) && product(one, true) > 0) {
                double flops = 2.0 * product(one, true) * operand(one, 0).fromLast(1);
                best = Math.max(best, flops / Math.max(1, one.time(trace)) * NS_PER_S);
            }
        }
        return best * OF_PRODUCTS;
    }

    /** Operators become one, which takes so long at the device's peak: as it usually does, at the least, at the most. */
    private static void replace(ActionTrace trace, int[] operators, double peakNs, List<Changes> changes) {
        replace(trace, operators, Math.round(peakNs / USUAL), changes.get(0));
        replace(trace, operators, Math.round(peakNs / LEAST), changes.get(1));
        replace(trace, operators, Math.round(peakNs / MOST), changes.get(2));
    }

    /** Operators become one that runs so long: the first launches it. */
    private static void replace(ActionTrace trace, int[] operators, long ns, Changes changes) {
        boolean first = true;
        long whole = 0;
        for (int operator : operators) {
            for (int slice : trace.activitiesOf(operator)) {
                whole += trace.slices.dur(slice);
            }
        }
        for (int i = 0; i < operators.length; i++) {
            for (int slice : trace.activitiesOf(operators[i])) {
                if (first) {
                    changes.takes(slice, Math.min(ns, whole));
                    first = false;
                } else {
                    changes.vanishes(slice);
                }
            }
            if (i > 0) {
                changes.removes(operators[i]);
            }
        }
    }
}
