// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import static dev.lockstep.perfmodel.Arithmetic.integer;
import static dev.lockstep.perfmodel.Arithmetic.number;
import static dev.lockstep.perfmodel.Arithmetic.sequence;
import static dev.lockstep.perfmodel.Arithmetic.text;

import dev.lockstep.perfmodel.Value.Int;
import dev.lockstep.perfmodel.Value.Sequence;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The functions that formulas may call. */
final class Functions {
    /** What a function does with its arguments. */
    @FunctionalInterface
    interface Body {
        Value apply(Scope scope, Value[] arguments) throws NotModelled;
    }

    /**
     * A function.
     *
     * @param usage how to call it: {@code shape(argument)}
     * @param fewest how many arguments it needs
     * @param most how many it takes
     */
    record Function(String usage, int fewest, int most, Body body) {}

    /** The value of a parameter that is not shown. */
    static final Value ABSENT = Value.of("\0absent");

    private static final int ANY = Integer.MAX_VALUE;
    private static final Map<String, Function> BY_NAME = functions();

    private Functions() {}

    static @Nullable Function named(String name) {
        return BY_NAME.get(name);
    }

    static List<String> names() {
        return List.copyOf(BY_NAME.keySet());
    }

    private static Map<String, Function> functions() {
        Map<String, Function> all = new LinkedHashMap<>();
        // The call's arguments.
        add(all, "shape(argument, rank)", 1, 2, Functions::shape);
        add(all, "shapes(argument)", 1, 1, Functions::shapes);
        add(all, "elements(argument)", 1, 1, Functions::elements);
        add(all, "tensors(rank)", 1, 1, Functions::tensors);
        add(all, "given(argument)", 1, 1, (s, a) -> Value.of(s.call().hasShape(index(a[0]))));
        add(all, "inputs()", 0, 0, (s, a) -> Value.of(s.call().inputs()));
        add(all, "type(argument)", 1, 1, (s, a) -> Value.of(s.call().type(index(a[0]))));
        add(all, "strides(argument)", 1, 1, (s, a) -> s.call().strides(index(a[0])));
        add(all, "value(argument)", 1, 1, (s, a) -> value(s.call().concrete(index(a[0]))));
        add(all, "text(argument)", 1, 1, (s, a) -> s.call().concrete(index(a[0])));
        add(all, "output_type(output)", 1, 1, (s, a) -> orNone(s.call().outputType(index(a[0]))));
        add(all, "name()", 0, 0, (s, a) -> Value.of(s.call().name()));
        // The call's surroundings.
        add(
                all,
                "forward_shape(argument)",
                1,
                1,
                (s, a) -> forward(s).shape(index(a[0])).value());
        add(
                all,
                "result_shape(result)",
                1,
                1,
                (s, a) -> s.call().resultShape(index(a[0])).value());
        add(all, "result_type(result)", 1, 1, (s, a) -> Value.of(s.call().resultType(index(a[0]))));
        add(all, "forward_type(argument)", 1, 1, (s, a) -> Value.of(forward(s).type(index(a[0]))));
        add(all, "iteration(sum)", 1, 1, (s, a) -> IterationSums.of(s.call(), text(a[0])));
        add(all, "hint(name)", 1, 1, Functions::hint);
        add(all, "kernel_mentions(part)", 1, 1, Functions::kernelMentions);
        add(all, "operands()", 0, 0, (s, a) -> Operands.all(s.call()));
        add(
                all,
                "operand_bytes()",
                0,
                0,
                (s, a) -> whole(Operands.bytes(s.call(), s.rules().types())));
        add(all, "largest_operand()", 0, 0, (s, a) -> Operands.largest(s.call()));
        // Sizes.
        add(all, "size(type)", 1, 1, (s, a) -> size(s, a[0]));
        add(all, "bytes(argument)", 1, 1, Functions::bytes);
        add(all, "known(number, otherwise)", 2, 2, (s, a) -> Double.isNaN(number(a[0])) ? a[1] : a[0]);
        add(all, "scalar_type(number)", 1, 1, (s, a) -> Value.of("#" + integer(a[0])));
        add(all, "prod(sequence)", 1, 1, (s, a) -> product(sequence(a[0])));
        add(all, "len(sequence)", 1, 1, (s, a) -> Value.of(sequence(a[0]).size()));
        add(all, "concat(sequence, sequence)", 2, 2, (s, a) -> concat(sequence(a[0]), sequence(a[1])));
        add(all, "broadcast(shape, shape)", 2, 2, (s, a) -> broadcast(sequence(a[0]), sequence(a[1])));
        // Numbers.
        add(all, "min(number, ...)", 1, ANY, (s, a) -> extreme(a, false));
        add(all, "max(number, ...)", 1, ANY, (s, a) -> extreme(a, true));
        add(all, "ceil(number)", 1, 1, (s, a) -> rounded(a[0], Math.ceil(number(a[0]))));
        add(all, "floor(number)", 1, 1, (s, a) -> rounded(a[0], Math.floor(number(a[0]))));
        add(all, "power(number, exponent)", 2, 2, (s, a) -> Value.of(Math.pow(number(a[0]), number(a[1]))));
        add(all, "contains(text, part)", 2, 2, (s, a) -> Value.of(text(a[0]).contains(text(a[1]))));
        // The rest.
        add(all, "transpose()", 0, 0, Functions::transpose);
        add(all, "absent()", 0, 0, (s, a) -> ABSENT);
        add(all, "fail(text)", 1, 1, Functions::fail);
        return Map.copyOf(all);
    }

    private static void add(Map<String, Function> all, String usage, int fewest, int most, Body body) {
        all.put(usage.substring(0, usage.indexOf('(')), new Function(usage, fewest, most, body));
    }

    private static int index(Value value) throws NotModelled {
        return Math.toIntExact(Math.min(Integer.MAX_VALUE, Math.max(-1, integer(value))));
    }

    private static Value orNone(@Nullable String text) {
        return text == null ? Value.NONE : Value.of(text);
    }

    private static Value shape(Scope scope, Value[] arguments) throws NotModelled {
        int argument = index(arguments[0]);
        return (arguments.length == 1
                        ? scope.call().shape(argument)
                        : scope.call().shape(argument, index(arguments[1])))
                .value();
    }

    private static OpCall forward(Scope scope) throws NotModelled {
        OpCall forward = scope.call().forward();
        if (forward == null) {
            throw NotModelled.unreadable("the forward call is not known");
        }
        return forward;
    }

    private static Value shapes(Scope scope, Value[] arguments) throws NotModelled {
        List<Value> values = new ArrayList<>();
        for (Shape shape : scope.call().shapes(index(arguments[0]))) {
            values.add(shape.value());
        }
        return new Sequence(values, true);
    }

    /** A list that recorders give no shapes of, or an empty one, tells nothing. */
    private static Value elements(Scope scope, Value[] arguments) throws NotModelled {
        List<Shape> shapes = scope.call().shapes(index(arguments[0]));
        if (shapes.isEmpty()) {
            throw NotModelled.unreadable("the shapes of a list were not recorded");
        }
        long sum = 0;
        for (Shape shape : shapes) {
            sum += shape.elements();
        }
        return Value.of(sum);
    }

    private static Value tensors(Scope scope, Value[] arguments) throws NotModelled {
        long rank = integer(arguments[0]);
        List<Value> found = new ArrayList<>();
        for (int i = 0; i < scope.call().inputs(); i++) {
            if (scope.call().dims(i) instanceof Sequence shape
                    && shape.size() == rank
                    && shape.values().stream().allMatch(Int.class::isInstance)) {
                found.add(shape);
            }
        }
        return new Sequence(found, true);
    }

    /** What a recorded text spells; a list becomes a tuple. */
    private static Value value(Value recorded) {
        if (!(recorded instanceof Value.Text text)) {
            return recorded;
        }
        String spelt = text.value().strip();
        return spelt.startsWith("[") || spelt.startsWith("(")
                ? new Sequence(Value.listed(spelt), true)
                : Value.scalar(spelt);
    }

    private static Value size(Scope scope, Value type) throws NotModelled {
        return whole(scope.rules().types().bytes(type instanceof Value.None ? null : text(type)));
    }

    private static Value bytes(Scope scope, Value[] arguments) throws NotModelled {
        int argument = index(arguments[0]);
        Value elements = Value.of(scope.call().shape(argument).elements());
        return Arithmetic.multiply(elements, size(scope, Value.of(scope.call().type(argument))));
    }

    private static Value product(Sequence sequence) throws NotModelled {
        Value product = Value.of(1);
        for (Value value : sequence.values()) {
            product = Arithmetic.multiply(product, value);
        }
        return product;
    }

    private static Value concat(Sequence a, Sequence b) throws NotModelled {
        List<Value> values = new ArrayList<>(a.values());
        values.addAll(b.values());
        return Sequence.bounded(values, a.tuple());
    }

    private static Value broadcast(Sequence a, Sequence b) throws NotModelled {
        int rank = Math.max(a.size(), b.size());
        List<Value> sizes = new ArrayList<>(rank);
        for (int i = 0; i < rank; i++) {
            long x = aligned(a, i - rank + a.size());
            long y = aligned(b, i - rank + b.size());
            if (x != y && x != 1 && y != 1) {
                throw NotModelled.unreadable("shapes " + a.json() + " and " + b.json() + " do not fit together");
            }
            sizes.add(Value.of(Math.max(x, y)));
        }
        return new Sequence(sizes, true);
    }

    private static long aligned(Sequence shape, int i) throws NotModelled {
        return i < 0 ? 1 : integer(shape.get(i));
    }

    private static Value extreme(Value[] values, boolean largest) throws NotModelled {
        Value found = values[0];
        for (Value value : values) {
            double difference = number(value) - number(found);
            if (Double.isNaN(difference)) {
                return Value.of(Double.NaN);
            }
            found = (largest ? difference > 0 : difference < 0) ? value : found;
        }
        return found;
    }

    private static Value rounded(Value original, double value) {
        return original instanceof Int ? original : whole(value);
    }

    /** An integer if it is one. */
    private static Value whole(double value) {
        return value == Math.rint(value) && Math.abs(value) < 0x1p62 ? Value.of((long) value) : Value.of(value);
    }

    private static Value transpose(Scope scope, Value[] arguments) {
        KernelName kernel = scope.rules().kernels().first(scope.call().kernels());
        return kernel == null ? ABSENT : kernel.transpose();
    }

    private static Value hint(Scope scope, Value[] arguments) throws NotModelled {
        Value known = scope.call().hint(text(arguments[0]));
        if (known == null) {
            throw NotModelled.unreadable("nothing is known of its " + text(arguments[0]));
        }
        return known;
    }

    /** Capitals do not matter. */
    private static Value kernelMentions(Scope scope, Value[] arguments) throws NotModelled {
        List<String> kernels = scope.call().kernels();
        if (kernels.isEmpty()) {
            throw NotModelled.unreadable("it launched no kernel");
        }
        return Value.of(kernels.getFirst().toLowerCase(Locale.ROOT).contains(text(arguments[0])));
    }

    private static Value fail(Scope scope, Value[] arguments) throws NotModelled {
        throw NotModelled.unreadable(text(arguments[0]));
    }
}
