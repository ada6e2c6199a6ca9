// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import dev.lockstep.perfmodel.Value.Sequence;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One recorded call of an operator: its arguments as the profiler wrote them, and what of its surroundings tells about
 * its work. Arguments are parsed when first asked for, each kind once; a call belongs to one thread.
 */
public final class OpCall {
    private final String name;
    private final @Nullable String dimsText;
    private final @Nullable String typesText;
    private final @Nullable String stridesText;
    private final @Nullable String concreteText;
    private @Nullable String outputTypesText;
    private List<String> kernels = List.of();
    private @Nullable String annotation;
    private @Nullable String hints;
    private @Nullable OpCall forward;
    private @Nullable OpCall gradient;

    private @Nullable Arguments dims;
    private @Nullable Arguments types;
    private @Nullable Arguments strides;
    private @Nullable Arguments concrete;
    private @Nullable Arguments outputTypes;

    private record Arguments(@Nullable List<Value> values) {}

    private OpCall(
            String name,
            @Nullable String dims,
            @Nullable String types,
            @Nullable String strides,
            @Nullable String concrete) {
        this.name = name;
        dimsText = dims;
        typesText = types;
        stridesText = strides;
        concreteText = concrete;
    }

    /**
     * A call with its arguments as JSON texts, null for what was not recorded.
     *
     * @param dims {@code Input Dims}: {@code [[8, 16], [16, 4]]}
     * @param types {@code Input type}: {@code ["float", "float"]}
     * @param strides {@code Input Strides}
     * @param concrete {@code Concrete Inputs}: {@code ["", "[1, 1]"]}
     */
    public static OpCall of(
            String name,
            @Nullable String dims,
            @Nullable String types,
            @Nullable String strides,
            @Nullable String concrete) {
        return new OpCall(name, dims, types, strides, concrete);
    }

    /** The same call, with the element types of its outputs as JSON text. */
    public OpCall withOutputTypes(@Nullable String json) {
        OpCall copy = copy();
        copy.outputTypesText = json;
        copy.outputTypes = null;
        return copy;
    }

    /** The same call, with the names of the kernels that it launched, in order of their start. */
    public OpCall withKernels(List<String> names) {
        OpCall copy = copy();
        copy.kernels = List.copyOf(names);
        return copy;
    }

    /** The same call, with the text of the annotation that marks the iteration around it. */
    public OpCall withAnnotation(@Nullable String text) {
        OpCall copy = copy();
        copy.annotation = text;
        return copy;
    }

    /** The same call, with what is known beyond its arguments, as a JSON object of numbers, texts and truth values. */
    public OpCall withHints(@Nullable String json) {
        OpCall copy = copy();
        copy.hints = json;
        return copy;
    }

    /** The same call, with the forward call that it is the backward of. */
    public OpCall withForward(@Nullable OpCall call) {
        OpCall copy = copy();
        copy.forward = call;
        return copy;
    }

    /** The same call, with the call that did its backward, whose arguments are gradients of the results. */
    public OpCall withGradient(@Nullable OpCall call) {
        OpCall copy = copy();
        copy.gradient = call;
        return copy;
    }

    private OpCall copy() {
        OpCall copy = new OpCall(name, dimsText, typesText, stridesText, concreteText);
        copy.outputTypesText = outputTypesText;
        copy.kernels = kernels;
        copy.annotation = annotation;
        copy.hints = hints;
        copy.forward = forward;
        copy.gradient = gradient;
        copy.dims = dims;
        copy.types = types;
        copy.strides = strides;
        copy.concrete = concrete;
        copy.outputTypes = outputTypes;
        return copy;
    }

    public String name() {
        return name;
    }

    /** Names of the kernels that the call launched; empty when unknown. */
    public List<String> kernels() {
        return kernels;
    }

    /** The text of the annotation that marks the iteration around the call, or null. */
    public @Nullable String annotation() {
        return annotation;
    }

    /** What is known beyond the arguments under this name, or null. */
    public @Nullable Value hint(String hintName) {
        return hints == null ? null : ArgumentText.field(hints, hintName);
    }

    /** The forward call that this one is the backward of, or null. */
    public @Nullable OpCall forward() {
        return forward;
    }

    /**
     * The shape of a result. Recorders do not write it, but a gradient has the shape of what it is the gradient of.
     *
     * @throws NotModelled if the call that did the backward is not known
     */
    public Shape resultShape(int i) throws NotModelled {
        if (gradient().type(i).isEmpty()) {
            throw NotModelled.unreadable("result " + i + " has no gradient");
        }
        return gradient().shape(i);
    }

    /** The element type of a result, told as {@link #resultShape} is. */
    public String resultType(int i) throws NotModelled {
        return gradient().type(i);
    }

    private OpCall gradient() throws NotModelled {
        OpCall known = gradient;
        if (known == null) {
            throw NotModelled.unreadable("the shape of the result is not known");
        }
        return known;
    }

    /** How many arguments have an entry in the list of shapes; 0 when there is none. */
    public int inputs() {
        List<Value> values = dims().values;
        return values == null ? 0 : values.size();
    }

    /** Whether strides were recorded. */
    public boolean hasStrides() {
        return strides().values != null;
    }

    /** Whether the argument is there and its shape has dimensions. False for scalars. */
    public boolean hasShape(int i) {
        return at(dims(), i) instanceof Sequence sequence && sequence.size() > 0;
    }

    /** Whether the argument is there and has a shape, which that of a scalar is, too. */
    public boolean isShaped(int i) {
        return at(dims(), i) instanceof Sequence;
    }

    /** The shape of a tensor argument. */
    public Shape shape(int i) throws NotModelled {
        return shape(dims(i), "argument " + i);
    }

    /** The shape of a tensor argument, which must have so many dimensions. */
    public Shape shape(int i, int rank) throws NotModelled {
        Shape shape = shape(i);
        if (shape.rank() != rank) {
            throw NotModelled.unreadable("argument " + i + " has shape " + shape + ", not " + rank + " dimensions");
        }
        return shape;
    }

    /** What the list of shapes has for an argument: a shape, or several for a list of tensors. */
    public Value dims(int i) throws NotModelled {
        return require(dims(), i, "shape");
    }

    /** The shapes of an argument that is a list of tensors. */
    public List<Shape> shapes(int i) throws NotModelled {
        if (!(dims(i) instanceof Sequence sequence)) {
            throw NotModelled.unreadable("argument " + i + " is no list of tensors");
        }
        Shape[] shapes = new Shape[sequence.size()];
        for (int k = 0; k < shapes.length; k++) {
            shapes[k] = shape(sequence.get(k), "element " + k + " of argument " + i);
        }
        return List.of(shapes);
    }

    /** The element type of an argument, as the framework names it; empty for an argument not given. */
    public String type(int i) throws NotModelled {
        return require(types(), i, "type") instanceof Value.Text text ? text.value() : "";
    }

    /** As {@link #type(int)}, but null when there is no entry. */
    public @Nullable String typeOrNull(int i) {
        return at(types(), i) instanceof Value.Text text ? text.value() : null;
    }

    /** The strides of an argument; none when no strides were recorded at all. */
    public Value strides(int i) throws NotModelled {
        return hasStrides() ? require(strides(), i, "strides") : Value.NONE;
    }

    /** The recorded value of an argument: a text for what the profiler spelt, empty for tensors. */
    public Value concrete(int i) throws NotModelled {
        return require(concrete(), i, "value");
    }

    /** As {@link #concrete(int)}, as text; empty when there is no entry or it is no text. */
    public String concreteText(int i) {
        return at(concrete(), i) instanceof Value.Text text ? text.value() : "";
    }

    /** How many arguments have an entry in the list of values; 0 when there is none. */
    public int concreteCount() {
        List<Value> values = concrete().values;
        return values == null ? 0 : values.size();
    }

    /** The element type of an output, or null when not recorded. */
    public @Nullable String outputType(int i) {
        Arguments parsed = outputTypes;
        if (parsed == null) {
            parsed = new Arguments(ArgumentText.elements(outputTypesText));
            outputTypes = parsed;
        }
        return at(parsed, i) instanceof Value.Text text ? text.value() : null;
    }

    private Value require(Arguments arguments, int i, String what) throws NotModelled {
        Value value = at(arguments, i);
        if (value == null) {
            throw NotModelled.unreadable(
                    arguments.values == null
                            ? "no " + what + "s of arguments were recorded"
                            : "no " + what + " of argument " + i);
        }
        return value;
    }

    private static @Nullable Value at(Arguments arguments, int i) {
        List<Value> values = arguments.values;
        return values == null || i < 0 || i >= values.size() ? null : values.get(i);
    }

    private static Shape shape(Value value, String where) throws NotModelled {
        if (!(value instanceof Sequence sequence)) {
            throw NotModelled.unreadable(where + " has no shape");
        }
        long[] sizes = new long[sequence.size()];
        for (int i = 0; i < sizes.length; i++) {
            if (!(sequence.get(i) instanceof Value.Int size)) {
                throw NotModelled.unreadable(where + " is no single tensor");
            }
            sizes[i] = size.value();
        }
        return new Shape(sizes);
    }

    private Arguments dims() {
        Arguments parsed = dims;
        if (parsed == null) {
            parsed = new Arguments(ArgumentText.elements(dimsText));
            dims = parsed;
        }
        return parsed;
    }

    private Arguments types() {
        Arguments parsed = types;
        if (parsed == null) {
            parsed = new Arguments(ArgumentText.elements(typesText));
            types = parsed;
        }
        return parsed;
    }

    private Arguments strides() {
        Arguments parsed = strides;
        if (parsed == null) {
            parsed = new Arguments(ArgumentText.elements(stridesText));
            strides = parsed;
        }
        return parsed;
    }

    private Arguments concrete() {
        Arguments parsed = concrete;
        if (parsed == null) {
            parsed = new Arguments(ArgumentText.elements(concreteText));
            concrete = parsed;
        }
        return parsed;
    }
}
