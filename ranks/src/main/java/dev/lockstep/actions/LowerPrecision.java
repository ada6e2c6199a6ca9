// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.actions;

import dev.lockstep.derive.NameTest;
import dev.lockstep.model.SliceKind;
import dev.lockstep.options.Device;
import dev.lockstep.path.Changes;
import dev.lockstep.table.IntList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Matrix products in float32 on a device that multiplies faster in less: those on plain cores take TF32 and at the most bfloat16, those in
 * TF32 take bfloat16. Other kernels stay as they are: casts eat what fewer bytes save.
 */
final class LowerPrecision implements Action {
    /** Names of kernels that multiply in float32 on plain cores. */
    private static final Pattern PLAIN = Pattern.compile("(?i)sgemm|_simt_|f32f32_f32f32|fmha_cutlass[FB]_f32");

    /** Names of kernels that multiply in TF32. */
    private static final Pattern TF32 = Pattern.compile("(?i)tf32|(?<!16_)s1688gemm");

    /** What products reach of a peak: usually, at the least, at the most; and on plain cores. */
    private static final double USUAL = 0.6;

    private static final double LEAST = 0.4;
    private static final double MOST = 0.75;
    private static final double OF_PLAIN = 0.85;

    private static final double NS_PER_S = 1e9;
    private static final double BF16_BYTES = 2;

    @Override
    public String id() {
        return "lower_precision";
    }

    @Override
    public @Nullable Offer in(ActionTrace trace) {
        Device device = trace.device;
        if (device == null) {
            return null;
        }
        double tf32 = device.flopsPerSecond("matrix_tf32");
        double bf16 = device.flopsPerSecond("matrix_bf16");
        double plain = device.flopsPerSecond("vector_fp32");
        Changes likely = new Changes();
        Changes least = new Changes();
        Changes most = new Changes();
        IntList places = new IntList(16);
        boolean onPlainCores = false;
        NameTest tensorCores = new NameTest(trace.trace, TF32);
        NameTest plainCores = new NameTest(trace.trace, PLAIN);
        for (Launching one : trace.launching()) {
            for (int i = 0; i < one.activities().size(); i++) {
                int slice = one.activities().get(i);
                boolean isTf32 = isKernel(trace, slice, tensorCores);
                boolean isPlain = !isTf32 && isKernel(trace, slice, plainCores);
                double now = isTf32 ? tf32 : plain;
                double next = isTf32 ? bf16 : tf32;
                if (!isTf32 && !isPlain || !(next > now) || !(bf16 > now) || trace.taken.get(slice)) {
                    continue;
                }
                onPlainCores |= isPlain;
                double rate = now * (isTf32 ? USUAL : OF_PLAIN);
                takes(trace, one, slice, new Rates(next * USUAL, rate, now / next), likely);
                takes(trace, one, slice, new Rates(next * LEAST, rate, now / next), least);
                takes(trace, one, slice, new Rates(bf16 * MOST, rate, now / bf16), most);
                places.add(slice);
            }
        }
        return likely.isEmpty()
                ? null
                : new Offer(
                        "Multiply in " + (onPlainCores ? "TF32 or bfloat16" : "bfloat16"),
                        !trace.isTorch()
                                ? ""
                                : onPlainCores
                                        ? "set_float32_matmul_precision(\"high\")"
                                        : "autocast(\"cuda\", torch.bfloat16)",
                        "The model tolerates it, and products reach 60 % of the peak (low: 40 %, high: 75 % of that of bfloat16).",
                        trace.places(places),
                        likely,
                        least,
                        most);
    }

    private static boolean isKernel(ActionTrace trace, int slice, NameTest names) {
        return trace.slices.kind(slice) == SliceKind.KERNEL && names.isMeant(slice);
    }

    /**
     * In operations per second.
     *
     * @param next what products reach then
     * @param usual what they reach now, for those whose operations are not known
     * @param leastPart of its time that a kernel still takes: peaks differ by no more
     */
    private record Rates(double next, double usual, double leastPart) {}

    /** A kernel takes what its operations take at a rate, or what its bytes take: no longer than it does. */
    private static void takes(ActionTrace trace, Launching one, int slice, Rates rates, Changes changes) {
        long now = trace.slices.dur(slice);
        double flops = one.activities().size() == 1 ? flops(one) : 0;
        double ns = Math.max(
                now * rates.leastPart,
                flops > 0 ? flops / rates.next * NS_PER_S : now * Math.min(1, rates.usual / rates.next));
        double bandwidth = trace.device == null ? Double.NaN : trace.device.bytesPerSecond();
        double moving = bandwidth > 0
                ? BF16_BYTES
                        * one.inputs().tensors().stream()
                                .mapToLong(TensorInputs.Tensor::elements)
                                .sum()
                        / bandwidth
                        * NS_PER_S
                : 0;
        changes.takes(slice, Math.min(now, Math.round(Math.max(ns, moving))));
    }

    /** Operations of a product of the last two matrices among the arguments; 0 where that is not what the operator does. */
    private static double flops(Launching one) {
        List<TensorInputs.Tensor> tensors = one.inputs().tensors().stream()
                .filter(tensor -> tensor.dims().size() > 1)
                .toList();
        if (tensors.size() < 2 || !FusedAttention.PRODUCTS.contains(one.name())) {
            return 0;
        }
        TensorInputs.Tensor left = tensors.get(tensors.size() - 2);
        TensorInputs.Tensor right = tensors.getLast();
        boolean fits = left.dims().size() == right.dims().size() && left.fromLast(1) == right.fromLast(2);
        return fits ? 2.0 * left.elements() * right.fromLast(1) : 0;
    }
}
