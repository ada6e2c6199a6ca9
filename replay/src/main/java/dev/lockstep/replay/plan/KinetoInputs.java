// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import com.fasterxml.jackson.core.JsonParser;
import dev.lockstep.codec.Json;
import dev.lockstep.codec.Json.Items;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Arguments of operators as PyTorch's profiler records them: four arrays that run in parallel. */
final class KinetoInputs {
    private static final String TENSORS = "TensorList";
    private static final String SCALAR = "Scalar";
    private static final String SCALARS = "ScalarList";

    /** A list of anything: of tensors that may be absent where there are shapes, else of values. */
    private static final String LIST = "GenericList";

    /** What was recorded, or why it is of no use. */
    record Parsed(List<Argument> arguments, @Nullable ReplayGap gap) {}

    private final List<Json> shapes;
    private final List<Json> types;
    private final List<Json> strides;
    private final List<Json> values;
    private final ElementType listType;
    private int storages;
    private @Nullable ReplayGap gap;

    private KinetoInputs(
            List<Json> shapes, List<Json> types, List<Json> strides, List<Json> values, ElementType listType) {
        this.shapes = shapes;
        this.types = types;
        this.strides = strides;
        this.values = values;
        this.listType = listType;
    }

    /**
     * The arguments of a call.
     *
     * @param listType for tensors of lists, whose element type is not recorded, where no other argument tells it
     */
    static Parsed parse(
            @Nullable String shapes,
            @Nullable String types,
            @Nullable String strides,
            @Nullable String values,
            ElementType listType) {
        List<Json> sizes = array(shapes);
        List<Json> names = array(types);
        if (sizes == null || names == null || sizes.size() != names.size()) {
            return new Parsed(List.of(), ReplayGap.SHAPES_MISSING);
        }
        List<Json> steps = array(strides);
        List<Json> concrete = array(values);
        return new KinetoInputs(
                        sizes,
                        names,
                        steps == null ? List.of() : steps,
                        concrete == null ? List.of() : concrete,
                        firstType(names, listType))
                .parse();
    }

    private static ElementType firstType(List<Json> names, ElementType otherwise) {
        for (Json name : names) {
            if (name instanceof Json.Text(String text) && ElementType.named(text) != null) {
                return java.util.Objects.requireNonNull(ElementType.named(text));
            }
        }
        return otherwise;
    }

    /** Whether the first tensor among recorded types is of this type. */
    static boolean begins(String types, ElementType type) {
        List<Json> names = array(types);
        return names != null && firstType(names, ElementType.BOOL) == type;
    }

    private Parsed parse() {
        List<Argument> arguments = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            arguments.add(argument(i));
        }
        return new Parsed(arguments, gap);
    }

    private Argument argument(int i) {
        String type = types.get(i) instanceof Json.Text(String text) ? text : "";
        return switch (type) {
            case "" -> Argument.NONE;
            case SCALAR -> scalar(value(i));
            case SCALARS -> scalars(value(i));
            case TENSORS -> tensors(i);
            case LIST -> value(i).isEmpty() ? tensors(i) : scalars(value(i));
            default -> tensor(type, shapes.get(i), i < strides.size() ? strides.get(i) : null);
        };
    }

    private String value(int i) {
        return i < values.size() && values.get(i) instanceof Json.Text(String text) ? text : "";
    }

    private Argument tensor(String type, Json sizes, @Nullable Json steps) {
        ElementType known = ElementType.named(type);
        List<Long> shape = ArgumentJson.sizes(sizes);
        if (known == null || shape == null) {
            gap = known == null ? ReplayGap.TYPE_UNKNOWN : ReplayGap.SHAPES_MISSING;
            return Argument.NONE;
        }
        return new Argument.Tensor(spec(shape, known, false, steps));
    }

    private TensorSpec spec(List<Long> shape, ElementType type, boolean assumed, @Nullable Json steps) {
        List<Long> recorded = ArgumentJson.longs(steps);
        List<Long> use = recorded != null && recorded.size() == shape.size() ? recorded : null;
        return new TensorSpec(shape, type, assumed, use, 0, storages++, 0, null);
    }

    /** Lists whose shapes were not recorded look like empty ones. */
    private Argument tensors(int i) {
        if (!(shapes.get(i) instanceof Items(List<Json> sizes)) || sizes.isEmpty()) {
            gap = ReplayGap.SHAPES_MISSING;
            return Argument.NONE;
        }
        List<Json> steps = i < strides.size() && strides.get(i) instanceof Items(List<Json> items) ? items : List.of();
        List<@Nullable TensorSpec> specs = new ArrayList<>();
        for (int k = 0; k < sizes.size(); k++) {
            List<Long> shape = ArgumentJson.sizes(sizes.get(k));
            if (shape == null) {
                gap = ReplayGap.SHAPES_MISSING;
                return Argument.NONE;
            }
            specs.add(spec(shape, listType, true, k < steps.size() ? steps.get(k) : null));
        }
        return new Argument.Tensors(specs);
    }

    /** A value in the words of Python, as texts in recordings hold them. */
    static Argument scalar(String text) {
        return switch (text) {
            case "" -> Argument.NONE;
            case "True", "true" -> new Argument.Truth(true);
            case "False", "false" -> new Argument.Truth(false);
            case "inf" -> new Argument.Real(Double.POSITIVE_INFINITY);
            case "-inf" -> new Argument.Real(Double.NEGATIVE_INFINITY);
            case "nan", "-nan" -> new Argument.Real(Double.NaN);
            default -> number(text);
        };
    }

    private static Argument number(String text) {
        boolean whole = text.chars().allMatch(c -> c >= '0' && c <= '9' || c == '-');
        try {
            return whole ? new Argument.Whole(Long.parseLong(text)) : new Argument.Real(Double.parseDouble(text));
        } catch (NumberFormatException e) {
            return new Argument.Text(text);
        }
    }

    private static Argument scalars(String text) {
        if (!text.startsWith("[") || !text.endsWith("]")) {
            return Argument.NONE;
        }
        List<Argument> found = new ArrayList<>();
        String inner = text.substring(1, text.length() - 1).strip();
        if (!inner.isEmpty()) {
            for (String part : inner.split(",")) {
                found.add(scalar(part.strip()));
            }
        }
        return new Argument.Values(found);
    }

    private static @Nullable List<Json> array(@Nullable String text) {
        if (text == null) {
            return null;
        }
        try (JsonParser parser = Json.UNLIMITED.createParser(text)) {
            parser.nextToken();
            return Json.read(parser) instanceof Items(List<Json> items) ? items : null;
        } catch (IOException e) {
            return null;
        }
    }
}
