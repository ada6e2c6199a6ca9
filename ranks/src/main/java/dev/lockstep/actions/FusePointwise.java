// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.actions;

import dev.lockstep.path.Changes;
import dev.lockstep.table.IntList;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Operators that follow each other on a thread, each with one kernel, and change every element of tensors of one size by itself: all but
 * the first read what was just written. As one kernel they read what comes in once and write what goes out once.
 */
final class FusePointwise implements Action {
    /** Two kernels may well be the best that can be done: a chain has more. */
    private static final int SHORTEST = 3;

    /** Tensors that fit into a cache are not read from memory again. */
    private static final long SMALLEST = 1 << 20;

    private static final Set<String> POINTWISE = Set.of(
            "abs",
            "add",
            "addcdiv",
            "addcmul",
            "bernoulli",
            "clamp",
            "clamp_max",
            "clamp_min",
            "copy",
            "cos",
            "div",
            "dropout",
            "elu",
            "eq",
            "erf",
            "exp",
            "expm1",
            "fill",
            "ge",
            "gelu",
            "gelu_backward",
            "gt",
            "hardswish",
            "hardtanh",
            "le",
            "leaky_relu",
            "lerp",
            "log",
            "log1p",
            "logical_and",
            "logical_not",
            "logical_or",
            "lt",
            "masked_fill",
            "maximum",
            "minimum",
            "mul",
            "native_dropout",
            "native_dropout_backward",
            "ne",
            "neg",
            "pow",
            "reciprocal",
            "relu",
            "rsqrt",
            "rsub",
            "sigmoid",
            "sigmoid_backward",
            "silu",
            "silu_backward",
            "sin",
            "softplus",
            "softplus_backward",
            "sqrt",
            "sub",
            "tanh",
            "tanh_backward",
            "threshold_backward",
            "where",
            "zero");

    @Override
    public String id() {
        return "fuse_pointwise";
    }

    @Override
    public @Nullable Offer in(ActionTrace trace) {
        if (!trace.isTorch()) {
            return null;
        }
        Changes likely = new Changes();
        Changes least = new Changes();
        IntList places = new IntList(16);
        List<Launching> all = trace.launching();
        double bandwidth = bandwidth(trace, all);
        for (int from = 0; from < all.size() && bandwidth > 0; ) {
            int to = from;
            while (to < all.size() && belongs(trace, all.get(from), all.get(to))) {
                to++;
            }
            if (to - from >= SHORTEST) {
                List<Launching> chain = all.subList(from, to);
                fuse(trace, chain, nanoseconds(bytes(chain, 0), bandwidth), likely);
                fuse(trace, chain, nanoseconds(bytes(chain, 1), bandwidth), least);
                chain.forEach(one -> places.add(one.operator()));
            }
            from = Math.max(from + 1, to);
        }
        return likely.isEmpty()
                ? null
                : new Offer(
                        "Fuse pointwise kernels",
                        "torch.compile(...)",
                        "Each chain reads its inputs once and writes one result, at the bandwidth of the best such kernel here.",
                        trace.places(places),
                        likely,
                        least,
                        likely);
    }

    private static boolean belongs(ActionTrace trace, Launching first, Launching one) {
        return isPointwise(trace, one)
                && one.inputs().largest() == first.inputs().largest()
                && trace.slices.track(one.operator()) == trace.slices.track(first.operator());
    }

    private static boolean isPointwise(ActionTrace trace, Launching one) {
        return POINTWISE.contains(plain(one.name()))
                && one.activities().size() == 1
                && !trace.taken.get(one.activities().get(0))
                && trace.isComputation(one.activities().get(0))
                && one.inputs().largest() >= SMALLEST;
    }

    /** An operator's name without its namespace, and whether it works in place. */
    private static String plain(String name) {
        String bare = name.startsWith("aten::") ? name.substring("aten::".length()) : "";
        return bare.endsWith("_") ? bare.substring(0, bare.length() - 1) : bare;
    }

    /** Bytes per second that the best pointwise kernel with known traffic moves. */
    private static double bandwidth(ActionTrace trace, List<Launching> all) {
        double best = 0;
        for (Launching one : all) {
            if (isPointwise(trace, one)) {
                best = Math.max(best, moved(one) / Math.max(1, one.time(trace)));
            }
        }
        return best;
    }

    /** What one kernel reads and writes at the least, in bytes: all inputs, and a result like the first of them, but for what fills. */
    private static double moved(Launching one) {
        double bytes = 0;
        for (TensorInputs.Tensor tensor : one.inputs().tensors()) {
            bytes += tensor.elements() * tensor.elementBytes();
        }
        boolean writesOnly =
                plain(one.name()).equals("fill") || plain(one.name()).equals("zero");
        boolean copies = plain(one.name()).equals("copy");
        TensorInputs.Tensor first = one.inputs().tensors().getFirst();
        double result = one.inputs().largest() * first.elementBytes();
        return Double.isNaN(bytes) ? 0 : writesOnly || copies ? bytes : bytes + result;
    }

    /**
     * What a chain reads and writes as one kernel, in bytes.
     *
     * @param more further tensors of its size that it reads
     */
    private static double bytes(List<Launching> chain, int more) {
        Launching first = chain.getFirst();
        long elements = first.inputs().largest();
        List<TensorInputs.Tensor> whole = first.inputs().tensors().stream()
                .filter(tensor -> tensor.elements() == elements)
                .toList();
        Set<String> known = new HashSet<>();
        List<Double> read = new ArrayList<>();
        for (TensorInputs.Tensor tensor : whole) {
            known.add(tensor.type());
            read.add(tensor.elementBytes());
        }
        for (Launching one : chain) {
            for (TensorInputs.Tensor tensor : one.inputs().tensors()) {
                if (tensor.elements() == elements && known.add(tensor.type())) {
                    read.add(tensor.elementBytes());
                }
            }
        }
        double written = chain.getLast().inputs().tensors().getFirst().elementBytes();
        double each = read.stream().mapToDouble(Double::doubleValue).sum();
        return elements * (each + written + more * written);
    }

    private static long nanoseconds(double bytes, double perNs) {
        return Math.round(bytes / perNs);
    }

    private static void fuse(ActionTrace trace, List<Launching> chain, long ns, Changes changes) {
        long whole = chain.stream().mapToLong(one -> one.time(trace)).sum();
        for (int i = 0; i < chain.size(); i++) {
            if (i == 0) {
                changes.takes(chain.get(i).activities().get(0), Math.min(whole, ns));
            } else {
                changes.vanishes(chain.get(i).activities().get(0));
                changes.removes(chain.get(i).operator());
            }
        }
    }
}
