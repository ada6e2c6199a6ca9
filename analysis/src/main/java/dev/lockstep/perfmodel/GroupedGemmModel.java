// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import dev.lockstep.perfmodel.Value.Int;
import dev.lockstep.perfmodel.Value.Sequence;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Matrix products of groups of rows, each with weights of its own: {@code 2 M K N} operations for all rows together. The
 * shapes are recorded as {@code (M, K), (G, K, N)}, or {@code (G, N, K)}, or as lists with the matrices of each group. Where
 * K differs between groups, as {@code (M, K), (M, N)} or as such lists.
 */
final class GroupedGemmModel implements OpModel {
    /** One product. */
    private record Product(long m, long k, long n) {
        double flops() {
            return 2.0 * m * k * n;
        }

        double bytes(double in, double out) {
            return ((double) m * k + (double) k * n) * in + (double) m * n * out;
        }

        Value value() {
            return Value.tuple(Value.tuple(m, k), Value.tuple(k, n));
        }
    }

    private final ModelRules rules;
    private final boolean variableK;

    private GroupedGemmModel(ModelRules rules, boolean variableK) {
        this.rules = rules;
        this.variableK = variableK;
    }

    static void register(OpModels.Builder models) {
        GroupedGemmModel fixed = new GroupedGemmModel(models.rules(), false);
        models.add("primus_turbo::grouped_gemm", fixed);
        models.add("primus_turbo::grouped_gemm_impl", fixed);
        models.add("primus_turbo_cpp_extension::grouped_gemm", fixed);
        models.add("primus_turbo_cpp_extension::ck_grouped_gemm", fixed);
        GroupedGemmModel variable = new GroupedGemmModel(models.rules(), true);
        models.add("primus_turbo::grouped_gemm_variable_k", variable);
        models.add("primus_turbo::grouped_gemm_variable_k_impl", variable);
        models.add("primus_turbo_cpp_extension::grouped_gemm_variable_k", variable);
        models.add("primus_turbo_cpp_extension::ck_grouped_gemm_variable_k", variable);
    }

    @Override
    public String family() {
        return "GroupedGEMM";
    }

    @Override
    public String category() {
        return "GroupedGEMM_fwd";
    }

    @Override
    public @Nullable String backwardCategory() {
        return "GroupedGEMM_bwd";
    }

    @Override
    public Work forward(OpCall call) throws NotModelled {
        return variableK ? variable(call, products(call)) : fixed(call);
    }

    @Override
    public Work backward(OpCall call) throws NotModelled {
        throw NotModelled.notImplemented("the backward of a grouped product runs as grouped products of its own");
    }

    private Work fixed(OpCall call) throws NotModelled {
        if (isMatrix(call.dims(0)) && call.dims(1) instanceof Sequence weights && weights.size() == 3) {
            Shape rows = call.shape(0);
            Shape w = call.shape(1, 3);
            long k = rows.dim(1);
            if (w.dim(1) != k && w.dim(2) != k) {
                throw NotModelled.unreadable("shapes " + rows + " and " + w + " do not fit together");
            }
            long n = w.dim(1) == k ? w.dim(2) : w.dim(1);
            return work(call, new Product(rows.dim(0), k, n), w.dim(0), List.of());
        }
        List<Product> products = products(call);
        Product first = products.getFirst();
        long m = 0;
        for (Product product : products) {
            if (product.k != first.k || product.n != first.n) {
                throw NotModelled.unreadable("groups have weights of different shapes");
            }
            m += product.m;
        }
        return work(call, new Product(m, first.k, first.n), products.size(), List.of());
    }

    private Work variable(OpCall call, List<Product> products) throws NotModelled {
        Product first = products.getFirst();
        long m = products.stream().mapToLong(Product::m).sum();
        return work(call, new Product(m, first.k, first.n), products.size(), products);
    }

    /**
     * @param all as if the rows of all groups were one matrix
     * @param g number of groups
     * @param products of the groups, where they differ
     */
    private Work work(OpCall call, Product all, long g, List<Product> products) throws NotModelled {
        long m = all.m;
        long k = all.k;
        long n = all.n;
        String type = call.typeOrNull(0);
        String weightType = call.typeOrNull(1);
        double in = rules.types().bytes(type);
        double out = rules.types().bytes(weightType == null ? type : weightType);
        List<Parameter> shown = new ArrayList<>(List.of(
                new Parameter("M", Value.of(m)),
                new Parameter("K", Value.of(k)),
                new Parameter("N", Value.of(n)),
                new Parameter("G", Value.of(g)),
                new Parameter("bpe_in", size(in)),
                new Parameter("bpe_out", size(out))));
        double flops = 2.0 * m * k * n;
        double bytes = ((double) m * k + (double) g * k * n) * in + (double) m * n * out;
        if (!products.isEmpty()) {
            flops = products.stream().mapToDouble(Product::flops).sum();
            bytes = products.stream()
                    .mapToDouble(product -> product.bytes(in, out))
                    .sum();
            shown.add(new Parameter(
                    "group_pairs",
                    Value.list(products.stream().map(Product::value).toList())));
        }
        return new Work(flops, bytes, rules.computeSpec("matrix", type, call.kernels()), shown);
    }

    private static Value size(double bytes) {
        return Double.isNaN(bytes) ? Value.NONE : bytes == Math.rint(bytes) ? Value.of((long) bytes) : Value.of(bytes);
    }

    /** The products of groups; {@code (M, K), (M, N)} is one. */
    private List<Product> products(OpCall call) throws NotModelled {
        if (variableK && isMatrix(call.dims(0)) && isMatrix(call.dims(1))) {
            return List.of(new Product(
                    call.shape(0).dim(0), call.shape(0).dim(1), call.shape(1).dim(1)));
        }
        List<Shape> left = matrices(call.dims(0));
        List<Shape> right = matrices(call.dims(1));
        if (left.isEmpty() || left.size() != right.size()) {
            throw NotModelled.unreadable("the arguments are no matrices of groups");
        }
        List<Product> products = new ArrayList<>();
        for (int i = 0; i < left.size(); i++) {
            if (left.get(i).dim(1) != right.get(i).dim(0)) {
                throw NotModelled.unreadable("group " + i + ": shapes do not fit together");
            }
            products.add(new Product(
                    left.get(i).dim(0), left.get(i).dim(1), right.get(i).dim(1)));
        }
        return products;
    }

    private static boolean isMatrix(Value value) {
        return value instanceof Sequence sizes
                && sizes.size() == 2
                && sizes.values().stream().allMatch(size -> size instanceof Int number && number.value() > 0);
    }

    private static List<Shape> matrices(Value value) throws NotModelled {
        if (isMatrix(value) && value instanceof Sequence sizes) {
            return List.of(Shape.of(Arithmetic.integer(sizes.get(0)), Arithmetic.integer(sizes.get(1))));
        }
        List<Shape> found = new ArrayList<>();
        if (value instanceof Sequence list) {
            for (Value element : list.values()) {
                if (isMatrix(element) && element instanceof Sequence sizes) {
                    found.add(Shape.of(Arithmetic.integer(sizes.get(0)), Arithmetic.integer(sizes.get(1))));
                }
            }
        }
        return found;
    }
}
