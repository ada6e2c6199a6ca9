// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import dev.lockstep.codec.Json;
import dev.lockstep.codec.Json.Items;
import dev.lockstep.read.execution.ExecutionTrace.Inputs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Arguments of operators as execution traces record them. A tensor is the array of its number, the number of its storage,
 * offset, number of elements, bytes of an element and device; types read like {@code Tensor(float)} and {@code
 * GenericList[Int,Int]}.
 */
final class ExecutionArguments {
    private static final String ABSENT = "<None>";
    private static final String TENSOR = "Tensor(";
    private static final String LIST = "GenericList[";
    private static final int STORAGE = 1;
    private static final int OFFSET = 2;
    private static final int ELEMENTS = 3;
    private static final int DEVICE = 5;

    private final Map<Long, Integer> storages = new HashMap<>();
    private final Map<Long, Long> storageElements;
    private @Nullable ReplayGap gap;

    private ExecutionArguments(Map<Long, Long> storageElements) {
        this.storageElements = storageElements;
    }

    /**
     * The arguments of a call.
     *
     * @param storageElements how far into each storage any call of the trace looks, in elements
     */
    static KinetoInputs.Parsed parse(@Nullable Inputs inputs, Map<Long, Long> storageElements) {
        if (inputs == null) {
            return new KinetoInputs.Parsed(List.of(), ReplayGap.SHAPES_MISSING);
        }
        ExecutionArguments arguments = new ExecutionArguments(storageElements);
        List<Argument> found = new ArrayList<>();
        for (int i = 0; i < inputs.values().size(); i++) {
            found.add(arguments.argument(
                    inputs.types().get(i) instanceof Json.Text(String type) ? type : "",
                    inputs.values().get(i),
                    at(inputs.shapes(), i),
                    at(inputs.strides(), i)));
        }
        return new KinetoInputs.Parsed(found, arguments.gap);
    }

    /** Adds how far the tensors of a call look into their storages. */
    static void measure(@Nullable Inputs inputs, Map<Long, Long> storageElements) {
        if (inputs != null) {
            inputs.values().forEach(value -> measure(value, storageElements));
        }
    }

    private static void measure(Json value, Map<Long, Long> storageElements) {
        if (!(value instanceof Items(List<Json> items))) {
            return;
        }
        if (isTensor(items)) {
            long reach = ArgumentJson.whole(items.get(OFFSET), 0) + ArgumentJson.whole(items.get(ELEMENTS), 0);
            storageElements.merge(ArgumentJson.whole(items.get(STORAGE), 0), Math.max(0, reach), Math::max);
        } else if (!items.isEmpty() && items.getFirst() instanceof Items) {
            for (Json item : items) {
                if (item instanceof Items(List<Json> inner) && isTensor(inner)) {
                    measure(item, storageElements);
                }
            }
        }
    }

    private static boolean isTensor(List<Json> items) {
        return items.size() == DEVICE + 1 && items.get(DEVICE) instanceof Json.Text;
    }

    private static @Nullable Json at(@Nullable List<Json> items, int i) {
        return items != null && i < items.size() ? items.get(i) : null;
    }

    private Argument argument(String type, Json value, @Nullable Json shape, @Nullable Json strides) {
        if (type.startsWith(TENSOR)) {
            TensorSpec spec = tensor(type, value, shape, strides);
            return spec == null ? Argument.NONE : new Argument.Tensor(spec);
        }
        if (type.startsWith(LIST) && type.contains(TENSOR)) {
            return tensors(type, value, shape, strides);
        }
        return value(value, ArgumentJson.DEEPEST);
    }

    private Argument tensors(String type, Json value, @Nullable Json shapes, @Nullable Json strides) {
        List<String> types = elementTypes(type);
        if (!(value instanceof Items(List<Json> values)) || values.size() != types.size()) {
            gap = ReplayGap.SHAPES_MISSING;
            return Argument.NONE;
        }
        List<Json> sizes = shapes instanceof Items(List<Json> items) ? items : List.of();
        List<Json> steps = strides instanceof Items(List<Json> items) ? items : List.of();
        List<@Nullable TensorSpec> specs = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            specs.add(
                    types.get(i).startsWith(TENSOR)
                            ? tensor(types.get(i), values.get(i), at(sizes, i), at(steps, i))
                            : null);
        }
        return new Argument.Tensors(specs);
    }

    /** The types of a list's elements; commas within parentheses divide nothing. */
    private static List<String> elementTypes(String list) {
        List<String> types = new ArrayList<>();
        int depth = 0;
        int from = LIST.length();
        for (int i = from; i < list.length(); i++) {
            char c = list.charAt(i);
            if (depth == 0 && (c == ',' || c == ']')) {
                types.add(list.substring(from, i));
                from = i + 1;
            }
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        }
        return types;
    }

    private @Nullable TensorSpec tensor(String type, Json value, @Nullable Json sizes, @Nullable Json steps) {
        String element = type.substring(TENSOR.length(), Math.max(TENSOR.length(), type.lastIndexOf(')')));
        if (element.startsWith("nullptr")) {
            return null;
        }
        ElementType known = ElementType.named(element);
        List<Long> shape = ArgumentJson.sizes(sizes);
        if (known == null || shape == null || !(value instanceof Items(List<Json> items))) {
            gap = known == null ? ReplayGap.TYPE_UNKNOWN : ReplayGap.SHAPES_MISSING;
            return null;
        }
        List<Long> strides = ArgumentJson.longs(steps);
        long storage = items.size() > STORAGE ? ArgumentJson.whole(items.get(STORAGE), 0) : 0;
        int number = storages.size();
        return new TensorSpec(
                shape,
                known,
                false,
                strides != null && strides.size() == shape.size() ? strides : null,
                items.size() > OFFSET ? Math.max(0, ArgumentJson.whole(items.get(OFFSET), 0)) : 0,
                storages.computeIfAbsent(storage == 0 ? -1 - storages.size() : storage, s -> number),
                storageElements.getOrDefault(storage, 0L),
                items.size() > DEVICE && items.get(DEVICE) instanceof Json.Text(String device) ? device : null);
    }

    /** Lists within more than so many levels of others are no operator's arguments. */
    private Argument value(Json value, int levels) {
        return switch (value) {
            case Json.Numeral number when number.isWhole() -> new Argument.Whole(number.bits());
            case Json.Numeral number -> new Argument.Real(number.value());
            case Json.Truth truth -> new Argument.Truth(truth.value());
            case Json.Text text -> text(text.value());
            case Items items -> levels > 0 ? list(items, levels - 1) : tooDeep();
            case Json.Members members -> Argument.NONE;
            case Json.Nothing nothing -> Argument.NONE;
        };
    }

    private Argument list(Items items, int levels) {
        List<Argument> values = new ArrayList<>(items.items().size());
        for (Json item : items.items()) {
            values.add(value(item, levels));
        }
        return new Argument.Values(values);
    }

    private Argument tooDeep() {
        gap = ReplayGap.ARGUMENTS;
        return Argument.NONE;
    }

    private static Argument text(String text) {
        return switch (text) {
            case ABSENT -> Argument.NONE;
            case "inf", "-inf", "nan", "-nan" -> KinetoInputs.scalar(text);
            default -> new Argument.Text(text);
        };
    }
}
