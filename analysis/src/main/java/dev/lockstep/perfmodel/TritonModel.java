// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Kernels that torch.compile generates. Their names tell what was fused and how they run ({@code poi} value by value,
 * {@code red} and {@code per} with a reduction), their last arguments over how many values. Each fused operator costs as
 * {@code triton-costs.txt} says for each value; each tensor that is passed is moved once, and where parts
 * of tensors are taken, no more of each than the kernel runs over.
 */
final class TritonModel implements OpModel {
    private static final Pattern NAMES = Pattern.compile("triton_(poi|red|per)_.*", Pattern.DOTALL);

    /** Fused operators that take a part of a tensor. */
    private static final Set<String> PARTS = Set.of(
            "slice",
            "select",
            "split",
            "split_with_sizes",
            "unbind",
            "narrow",
            "index",
            "index_select",
            "gather",
            "embedding");

    private final ModelRules rules;
    private volatile @Nullable Fusions fusions;

    /** What is known of fused operators. Read when a generated kernel is met: most traces have none. */
    private record Fusions(FusedNames names, Map<String, Integer> costs) {}

    private TritonModel(ModelRules rules) {
        this.rules = rules;
    }

    private Fusions fusions() {
        Fusions known = fusions;
        if (known == null) {
            known = new Fusions(FusedNames.standard(), costs());
            fusions = known;
        }
        return known;
    }

    static void register(OpModels.Builder models) {
        models.addPattern(NAMES.asMatchPredicate(), new TritonModel(models.rules()));
    }

    private static Map<String, Integer> costs() {
        return ElementTypes.resource(TritonModel.class, "models/triton-costs.txt")
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(line -> List.of(line.strip().split("\\s+")))
                .flatMap(parts -> parts.stream().skip(1).map(op -> Map.entry(op, Integer.valueOf(parts.getFirst()))))
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    @Override
    public String family() {
        return "triton";
    }

    @Override
    public String category() {
        return "triton";
    }

    @Override
    public @Nullable String backwardCategory() {
        return null;
    }

    @Override
    public boolean accepts(OpCall call) {
        return call.inputs() > 0 && call.typeOrNull(0) != null && !numbers(call).isEmpty();
    }

    @Override
    public Work forward(OpCall call) throws NotModelled {
        List<Long> numbers = numbers(call);
        if (numbers.isEmpty()) {
            throw NotModelled.unreadable("no number of values was recorded");
        }
        boolean pointwise = call.name().startsWith("triton_poi_");
        boolean reduced = !pointwise && numbers.size() >= 2;
        long x = numbers.get(numbers.size() - (reduced ? 2 : 1));
        long r = reduced ? numbers.getLast() : 1;
        List<String> ops = fusions().names().of(call.name());
        double each = ops.stream()
                .mapToInt(op -> fusions().costs().getOrDefault(op, 0))
                .sum();
        return new Work(
                each * x * r,
                bytes(call, pointwise, x, mostTaken(ops, x * r)),
                spec(call),
                List.of(
                        new Parameter(
                                "fused_ops",
                                Value.of(ops.stream().map(op -> "aten." + op).collect(Collectors.joining(", ")))),
                        new Parameter("xnumel", Value.of(x)),
                        new Parameter("rnumel", Value.of(r))));
    }

    @Override
    public Work backward(OpCall call) throws NotModelled {
        throw NotModelled.notImplemented("a generated kernel has no backward of its own");
    }

    /** The integers among the arguments, in order. */
    private static List<Long> numbers(OpCall call) {
        List<Long> numbers = new ArrayList<>();
        for (int i = 0; i < call.concreteCount(); i++) {
            String text = call.concreteText(i);
            if (Numeral.isInteger(text)) {
                numbers.add(Long.valueOf(text));
            }
        }
        return numbers;
    }

    /** How many values of one tensor a kernel over so many values takes at most. */
    private long mostTaken(List<String> ops, long values) {
        return rules.triton().partsWhole() || Collections.disjoint(ops, PARTS) ? Long.MAX_VALUE : values;
    }

    private double bytes(OpCall call, boolean pointwise, long x, long most) throws NotModelled {
        double bytes = 0;
        double first = 0;
        boolean any = false;
        for (int i = 0; i < call.inputs(); i++) {
            if (isTensor(call, i)) {
                double size = rules.triton().size(call.type(i));
                first = any ? first : size;
                any = true;
                bytes += Math.min(most, call.shape(i).elements()) * size;
            }
        }
        return bytes + (rules.triton().outputTwice() && pointwise ? first * x : 0);
    }

    private String spec(OpCall call) throws NotModelled {
        for (int i = 0; i < call.inputs(); i++) {
            String precision = isTensor(call, i) ? rules.triton().types().precision(call.type(i)) : "";
            if (!precision.isEmpty()) {
                return "vector_" + precision;
            }
        }
        return "";
    }

    private static boolean isTensor(OpCall call, int i) {
        String type = call.typeOrNull(i);
        return type != null && !type.equals("Scalar") && call.hasShape(i);
    }
}
