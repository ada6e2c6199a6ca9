// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import dev.lockstep.perfmodel.Value.Int;
import dev.lockstep.perfmodel.Value.Sequence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reductions: one operation for each value that goes in. The backward takes the same. */
final class ReduceModel implements OpModel {
    /**
     * The argument that names the dimensions, by operator. Where an operator comes in several forms the arguments tell:
     * another tensor, or a type, is no dimension.
     */
    private static final Map<String, Integer> DIMENSIONS = Map.ofEntries(
            Map.entry("aten::sum", 1),
            Map.entry("aten::mean", 1),
            Map.entry("aten::max", 1),
            Map.entry("aten::min", 1),
            Map.entry("aten::norm", 2),
            Map.entry("aten::linalg_norm", 2),
            Map.entry("aten::std", 1),
            Map.entry("aten::var", 1),
            Map.entry("aten::logsumexp", 1),
            Map.entry("aten::cumsum", -1),
            Map.entry("aten::cumprod", -1),
            Map.entry("aten::amin", 1),
            Map.entry("aten::amax", 1));

    /** The same of operators that other tools do not know. */
    private static final Map<String, Integer> MORE_DIMENSIONS =
            Map.of("aten::linalg_vector_norm", 2, "aten::var_mean", 1, "aten::std_mean", 1, "aten::nansum", 1);

    /** Give values and their places, by one dimension that is a number. Elsewhere numbers are types. */
    private static final Set<String> PAIRS = Set.of("aten::max", "aten::min");

    private static final double PLACE_BYTES = 8;

    private static final Work NOTHING = new Work(
            0,
            Double.NaN,
            "",
            List.of(
                    new Parameter("num_input_elems", Value.of(0)),
                    new Parameter("num_output_elems", Value.of(0)),
                    new Parameter("dtype_in_out", Value.tuple(Value.NONE, Value.NONE))));

    private final ModelRules rules;

    private ReduceModel(ModelRules rules) {
        this.rules = rules;
    }

    static void register(OpModels.Builder models) {
        ReduceModel model = new ReduceModel(models.rules());
        DIMENSIONS.keySet().stream().sorted().forEach(op -> models.add(op, model));
    }

    static void registerMore(OpModels.Builder models) {
        ReduceModel model = new ReduceModel(models.rules());
        MORE_DIMENSIONS.keySet().stream().sorted().forEach(op -> models.add(op, model));
    }

    @Override
    public String family() {
        return "Reduce";
    }

    @Override
    public String category() {
        return "reduce";
    }

    @Override
    public @Nullable String backwardCategory() {
        return null;
    }

    @Override
    public Work forward(OpCall call) throws NotModelled {
        if (!rules.reducedDimensions() && !call.isShaped(0)) {
            return NOTHING;
        }
        Shape input = call.shape(0);
        long in = input.elements();
        long out = outputs(call, input);
        String type = call.typeOrNull(0);
        String outputType = call.outputType(0);
        double size = rules.types().bytes(type);
        double bytes =
                in * size + out * (outputType == null ? size : rules.types().bytes(outputType));
        if (rules.reducedDimensions() && PAIRS.contains(call.name())) {
            bytes += call.hasShape(1)
                    ? call.shape(1).elements() * rules.types().bytes(call.type(1))
                    : out < in && Numeral.isInteger(call.concreteText(1)) ? out * PLACE_BYTES : 0;
        }
        return new Work(
                in,
                bytes,
                rules.computeSpec("vector", type, List.of()),
                List.of(
                        new Parameter("num_input_elems", Value.of(in)),
                        new Parameter("num_output_elems", Value.of(out)),
                        new Parameter("dtype_in_out", Value.tuple(orNone(type), orNone(outputType))),
                        new Parameter("reduce_type", Value.of(kind(call.name())))));
    }

    @Override
    public Work backward(OpCall call) throws NotModelled {
        return forward(call);
    }

    private static Value orNone(@Nullable String text) {
        return text == null ? Value.NONE : Value.of(text);
    }

    private static String kind(String name) {
        for (String kind : List.of("mean", "max", "min", "norm")) {
            if (name.contains(kind)) {
                return kind;
            }
        }
        return "sum";
    }

    private long outputs(OpCall call, Shape input) throws NotModelled {
        int at = DIMENSIONS.getOrDefault(call.name(), MORE_DIMENSIONS.getOrDefault(call.name(), 1));
        if (at < 0) {
            return input.elements();
        }
        if (call.hasShape(at)) {
            return rules.reducedDimensions() ? input.elements() : 1;
        }
        List<Integer> dimensions =
                rules.reducedDimensions() ? spelt(call, at, input.rank()) : unspelt(call, input.rank());
        return dimensions.isEmpty() ? 1 : without(input, dimensions).elements();
    }

    private static Shape without(Shape input, List<Integer> dimensions) throws NotModelled {
        List<Long> left = new ArrayList<>();
        for (int i = 0; i < input.rank(); i++) {
            if (!dimensions.contains(i)) {
                left.add(input.dim(i));
            }
        }
        return new Shape(left.stream().mapToLong(Long::longValue).toArray());
    }

    /** The dimensions that a text names; none for all of them. */
    private static List<Integer> spelt(OpCall call, int at, int rank) {
        String text = call.concreteText(at);
        boolean number = Numeral.isInteger(text);
        boolean dimension = number && PAIRS.contains(call.name());
        return dimension || text.startsWith("[") ? places(Value.listed(text), rank) : List.of();
    }

    /** The dimensions that are recorded as numbers, which no profiler is known to do. */
    private static List<Integer> unspelt(OpCall call, int rank) throws NotModelled {
        for (int i = call.concreteCount() - 1; i >= 1; i--) {
            Value value = call.concrete(i);
            if (value instanceof Sequence list) {
                return places(list.values(), rank);
            }
            if (value instanceof Int) {
                return places(List.of(value), rank);
            }
        }
        return List.of();
    }

    private static List<Integer> places(List<Value> dimensions, int rank) {
        TreeSet<Integer> places = new TreeSet<>();
        for (Value dimension : dimensions) {
            if (dimension instanceof Int number) {
                long place = number.value() < 0 ? rank + number.value() : number.value();
                if (place >= 0 && place < rank) {
                    places.add((int) place);
                }
            }
        }
        return List.copyOf(places);
    }
}
