// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Matrix products {@code (M, K) x (K, N)}, with or without a row that is added. The product takes {@code 2 M N K}
 * operations, the addition {@code M N}.
 */
final class GemmModel implements OpModel {
    private final ModelRules rules;
    private final int a;
    private final int b;
    private final boolean bias;

    private GemmModel(ModelRules rules, int a, int b, boolean bias) {
        this.rules = rules;
        this.a = a;
        this.b = b;
        this.bias = bias;
    }

    static void register(OpModels.Builder models, ModelRules rules) {
        models.add("aten::mm", new GemmModel(rules, 0, 1, false));
        models.add("aten::addmm", new GemmModel(rules, 1, 2, true));
    }

    @Override
    public String family() {
        return "GEMM";
    }

    @Override
    public String category() {
        return "GEMM";
    }

    @Override
    public @Nullable String backwardCategory() {
        return null;
    }

    @Override
    public Work forward(OpCall call) throws NotModelled {
        Shape left = call.shape(a, 2);
        Shape right = call.shape(b, 2);
        long m = left.dim(0);
        long k = left.dim(1);
        long n = right.dim(1);
        String type = call.type(a);
        double size = rules.types().bytes(type);
        KernelName kernel = rules.kernels().first(call.kernels());
        List<Parameter> parameters = new ArrayList<>();
        parameters.add(new Parameter("M", Value.of(m)));
        parameters.add(new Parameter("N", Value.of(n)));
        parameters.add(new Parameter("K", Value.of(k)));
        parameters.add(new Parameter("bias", Value.of(bias)));
        parameters.add(new Parameter("stride_A", call.strides(a)));
        parameters.add(new Parameter("stride_B", call.strides(b)));
        parameters.add(new Parameter("dtype_A_B", Value.tuple(Value.of(type), Value.of(call.type(b)))));
        parameters.add(new Parameter("B", Value.of(1)));
        if (kernel != null) {
            parameters.add(new Parameter("transpose", kernel.transpose()));
        }
        double flops = 2.0 * m * n * k + (bias ? (double) m * n : 0);
        double elements = (double) m * k + (double) k * n + (double) m * n + (bias ? n : 0);
        String precision = kernel != null && rules.kernelPrecision() && !kernel.precision().isEmpty()
                ? kernel.precision()
                : rules.types().precision(type);
        return new Work(flops, elements * size, precision.isEmpty() ? "" : "matrix_" + precision, parameters);
    }

    @Override
    public Work backward(OpCall call) throws NotModelled {
        throw NotModelled.notImplemented("the backward of a matrix product runs as matrix products of its own");
    }
}
