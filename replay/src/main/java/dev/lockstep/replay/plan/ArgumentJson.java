// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lockstep.codec.Json;
import dev.lockstep.codec.Json.Items;
import dev.lockstep.codec.Json.Members;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Arguments in the JSON of plans: null, numbers (reals always with a point or as {@code {"real": "nan"}}), true, false,
 * texts and arrays stand for themselves; {@code {"tensor": {...}}} is a tensor, {@code {"tensors": [...]}} a list of them.
 */
final class ArgumentJson {
    /** Of lists in lists; schemas of operators know a few. */
    static final int DEEPEST = 100;

    private ArgumentJson() {}

    static void writeAll(JsonGenerator out, List<Argument> arguments) throws IOException {
        out.writeStartArray();
        for (Argument argument : arguments) {
            write(out, argument);
        }
        out.writeEndArray();
    }

    /**
     * What tells calls of one operator apart, as three arrays with an element for each argument: {@code shapes} and
     * {@code types} of tensors, {@code values} of the others; of what an argument is not, the element is null.
     */
    static void writeInputs(JsonGenerator out, List<Argument> arguments) throws IOException {
        out.writeArrayFieldStart("shapes");
        for (Argument argument : arguments) {
            writeTensors(out, argument, spec -> writeWholes(out, spec.shape()));
        }
        out.writeEndArray();
        out.writeArrayFieldStart("types");
        for (Argument argument : arguments) {
            writeTensors(out, argument, spec -> out.writeString(spec.type().spelling()));
        }
        out.writeEndArray();
        out.writeArrayFieldStart("values");
        for (Argument argument : arguments) {
            boolean tensors = argument instanceof Argument.Tensor || argument instanceof Argument.Tensors;
            write(out, tensors ? Argument.NONE : argument);
        }
        out.writeEndArray();
    }

    private interface OfTensor {
        void write(TensorSpec spec) throws IOException;
    }

    private static void writeTensors(JsonGenerator out, Argument argument, OfTensor writer) throws IOException {
        switch (argument) {
            case Argument.Tensor tensor -> writer.write(tensor.spec());
            case Argument.Tensors tensors -> {
                out.writeStartArray();
                for (TensorSpec spec : tensors.specs()) {
                    if (spec == null) {
                        out.writeNull();
                    } else {
                        writer.write(spec);
                    }
                }
                out.writeEndArray();
            }
            default -> out.writeNull();
        }
    }

    private static void write(JsonGenerator out, Argument argument) throws IOException {
        switch (argument) {
            case Argument.None none -> out.writeNull();
            case Argument.Whole whole -> out.writeNumber(whole.value());
            case Argument.Real real -> writeReal(out, real.value());
            case Argument.Truth truth -> out.writeBoolean(truth.value());
            case Argument.Text text -> out.writeString(text.value());
            case Argument.Values values -> writeAll(out, values.values());
            case Argument.Tensor tensor -> {
                out.writeStartObject();
                out.writeFieldName("tensor");
                write(out, tensor.spec());
                out.writeEndObject();
            }
            case Argument.Tensors tensors -> {
                out.writeStartObject();
                out.writeArrayFieldStart("tensors");
                for (TensorSpec spec : tensors.specs()) {
                    if (spec == null) {
                        out.writeNull();
                    } else {
                        write(out, spec);
                    }
                }
                out.writeEndArray();
                out.writeEndObject();
            }
        }
    }

    private static void writeReal(JsonGenerator out, double value) throws IOException {
        if (Double.isFinite(value)) {
            out.writeNumber(value);
            return;
        }
        out.writeStartObject();
        out.writeStringField("real", Double.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf");
        out.writeEndObject();
    }

    private static void write(JsonGenerator out, TensorSpec spec) throws IOException {
        out.writeStartObject();
        writeLongs(out, "shape", spec.shape());
        out.writeStringField("dtype", spec.type().spelling());
        if (spec.assumed()) {
            out.writeBooleanField("dtype_assumed", true);
        }
        List<Long> strides = spec.strides();
        if (strides != null) {
            writeLongs(out, "strides", strides);
        }
        out.writeNumberField("offset", spec.offset());
        out.writeNumberField("storage", spec.storage());
        out.writeNumberField("storage_elements", spec.storageElements());
        if (spec.device() != null) {
            out.writeStringField("device", spec.device());
        }
        out.writeEndObject();
    }

    private static void writeLongs(JsonGenerator out, String name, List<Long> values) throws IOException {
        out.writeFieldName(name);
        writeWholes(out, values);
    }

    static void writeWholes(JsonGenerator out, List<? extends Number> values) throws IOException {
        out.writeStartArray();
        for (Number value : values) {
            out.writeNumber(value.longValue());
        }
        out.writeEndArray();
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
