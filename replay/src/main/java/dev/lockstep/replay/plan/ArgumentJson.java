// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import dev.lockstep.codec.Json;
import dev.lockstep.codec.Json.Items;
import dev.lockstep.codec.Json.Members;
import dev.lockstep.codec.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Arguments in the JSON of plans: null, numbers (reals always with a point or as {@code {"real": "nan"}}), true, false,
 * texts and arrays stand for themselves; {@code {"tensor": {...}}} is a tensor, {@code {"tensors": [...]}} a list of them.
 */
final class ArgumentJson {
    /** Of lists in lists; schemas of operators know a few. */
    static final int DEEPEST = 100;

    private ArgumentJson() {}

    static List<@Nullable Object> all(List<Argument> arguments) {
        return each(arguments, ArgumentJson::json);
    }

    private static <T> List<@Nullable Object> each(List<T> items, Function<T, @Nullable Object> json) {
        List<@Nullable Object> all = new ArrayList<>(items.size());
        items.forEach(item -> all.add(json.apply(item)));
        return all;
    }

    /**
     * Adds what tells calls of one operator apart, as three arrays with an element for each argument: {@code shapes} and
     * {@code types} of tensors, {@code values} of the others; of what an argument is not, the element is null.
     */
    static void inputs(JsonObject into, List<Argument> arguments) {
        into.with("shapes", each(arguments, argument -> ofTensors(argument, TensorSpec::shape)));
        into.with(
                "types",
                each(
                        arguments,
                        argument -> ofTensors(argument, spec -> spec.type().spelling())));
        into.with("values", each(arguments, argument -> {
            boolean tensors = argument instanceof Argument.Tensor || argument instanceof Argument.Tensors;
            return tensors ? null : json(argument);
        }));
    }

    private static @Nullable Object ofTensors(Argument argument, Function<TensorSpec, Object> what) {
        return switch (argument) {
            case Argument.Tensor tensor -> what.apply(tensor.spec());
            case Argument.Tensors tensors -> ofSpecs(tensors, what);
            default -> null;
        };
    }

    private static List<@Nullable Object> ofSpecs(Argument.Tensors tensors, Function<TensorSpec, Object> what) {
        List<@Nullable Object> all = new ArrayList<>();
        for (TensorSpec spec : tensors.specs()) {
            all.add(spec == null ? null : what.apply(spec));
        }
        return all;
    }

    private static @Nullable Object json(Argument argument) {
        return switch (argument) {
            case Argument.None none -> null;
            case Argument.Whole whole -> whole.value();
            case Argument.Real real -> real(real.value());
            case Argument.Truth truth -> truth.value();
            case Argument.Text text -> text.value();
            case Argument.Values values -> all(values.values());
            case Argument.Tensor tensor -> new JsonObject().with("tensor", json(tensor.spec()));
            case Argument.Tensors tensors -> new JsonObject().with("tensors", ofSpecs(tensors, ArgumentJson::json));
        };
    }

    private static Object real(double value) {
        return Double.isFinite(value)
                ? value
                : new JsonObject().with("real", Double.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf");
    }

    private static JsonObject json(TensorSpec spec) {
        return new JsonObject()
                .with("shape", spec.shape())
                .with("dtype", spec.type().spelling())
                .withKnown("dtype_assumed", spec.assumed() ? true : null)
                .withKnown("strides", spec.strides())
                .with("offset", spec.offset())
                .with("storage", spec.storage())
                .with("storage_elements", spec.storageElements())
                .withKnown("device", spec.device());
    }

    static List<Argument> readAll(Json tree) throws IOException {
        return readAll(tree, DEEPEST);
    }

    private static List<Argument> readAll(Json tree, int levels) throws IOException {
        if (!(tree instanceof Items(List<Json> items))) {
            throw new IOException("expected an array of arguments");
        }
        if (levels == 0) {
            throw new IOException("lists of arguments in more than " + DEEPEST + " others");
        }
        List<Argument> arguments = new ArrayList<>(items.size());
        for (Json item : items) {
            arguments.add(read(item, levels - 1));
        }
        return arguments;
    }

    private static Argument read(Json tree, int levels) throws IOException {
        return switch (tree) {
            case Json.Nothing nothing -> Argument.NONE;
            case Json.Numeral number when number.isWhole() -> new Argument.Whole(number.bits());
            case Json.Numeral number -> new Argument.Real(number.value());
            case Json.Truth truth -> new Argument.Truth(truth.value());
            case Json.Text text -> new Argument.Text(text.value());
            case Items items -> new Argument.Values(readAll(items, levels));
            case Members members -> readMembers(members);
        };
    }

    private static Argument readMembers(Members members) throws IOException {
        if (members.get("tensor") instanceof Members tensor) {
            return new Argument.Tensor(tensor(tensor));
        }
        if (members.get("tensors") instanceof Items(List<Json> items)) {
            List<@Nullable TensorSpec> specs = new ArrayList<>();
            for (Json item : items) {
                specs.add(item instanceof Members tensor ? tensor(tensor) : null);
            }
            return new Argument.Tensors(specs);
        }
        if (members.get("real") instanceof Json.Text(String word)) {
            return new Argument.Real(
                    switch (word) {
                        case "inf" -> Double.POSITIVE_INFINITY;
                        case "-inf" -> Double.NEGATIVE_INFINITY;
                        default -> Double.NaN;
                    });
        }
        throw new IOException("expected a tensor, tensors or a real number");
    }

    private static TensorSpec tensor(Members members) throws IOException {
        ElementType type = members.get("dtype") instanceof Json.Text(String name) ? ElementType.named(name) : null;
        List<Long> shape = sizes(members.get("shape"));
        List<Long> strides = longs(members.get("strides"));
        if (type == null || shape == null || strides != null && strides.size() != shape.size()) {
            throw new IOException(
                    "a tensor needs a known dtype, a shape without sizes below 0, and as many strides as sizes");
        }
        long offset = members.whole("offset", 0);
        long elements = members.whole("storage_elements", 0);
        if (offset < 0 || elements < 0) {
            throw new IOException("a tensor has an offset or a storage below 0");
        }
        return new TensorSpec(
                shape,
                type,
                members.get("dtype_assumed") instanceof Json.Truth(boolean assumed) && assumed,
                strides,
                offset,
                Math.toIntExact(members.whole("storage", 0)),
                elements,
                members.get("device") instanceof Json.Text(String device) ? device : null);
    }

    static long whole(@Nullable Json tree, long absent) {
        return tree instanceof Json.Numeral number && number.isWhole() ? number.bits() : absent;
    }

    /** The sizes of a tensor; null when these are none. */
    static @Nullable List<Long> sizes(@Nullable Json tree) {
        List<Long> sizes = longs(tree);
        return sizes == null || sizes.stream().anyMatch(size -> size < 0) ? null : sizes;
    }

    /** The whole numbers of an array; null when it is none, or holds anything else than numbers of 64 bits. */
    static @Nullable List<Long> longs(@Nullable Json tree) {
        if (!(tree instanceof Items(List<Json> items))) {
            return null;
        }
        List<Long> values = new ArrayList<>(items.size());
        for (Json item : items) {
            if (!(item instanceof Json.Numeral number) || !number.isWhole()) {
                return null;
            }
            try {
                values.add(Long.parseLong(number.text()));
            } catch (NumberFormatException e) {
                return null;
            }
        }
        return values;
    }
}
