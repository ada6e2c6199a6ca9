// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import dev.lockstep.codec.JsonObject;
import dev.lockstep.codec.JsonOut;
import dev.lockstep.error.NamedFiles;
import java.io.IOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A trace of calls that the program made itself, in the form of PyTorch's profiler: for where that profiler cannot be
 * started. It knows names, arguments, begin and end of each call, and nothing of what is inside. Confined to one thread.
 */
public final class CallTrace {
    private static final int THREAD = 1;

    private record Event(String category, String name, List<Argument> arguments, long startNs, long endNs) {}

    private final List<Event> events = new ArrayList<>();

    /** A call of an operator. */
    public void call(String name, List<Argument> arguments, long startNs, long endNs) {
        events.add(new Event("cpu_op", name, arguments, startNs, endNs));
    }

    /** A step, around the calls that were made in it. */
    public void step(int number, long startNs, long endNs) {
        events.add(new Event("user_annotation", "ProfilerStep#" + number, List.of(), startNs, endNs));
    }

    /** Writes it; times count from the first event. */
    public void write(Path file) throws IOException {
        long origin = events.stream().mapToLong(Event::startNs).min().orElse(0);
        try (Writer out = NamedFiles.writer(file)) {
            out.write(
                    "{\"schemaVersion\": 1, \"displayTimeUnit\": \"ms\", \"writer\": \"lockstep\", \"traceEvents\": [");
            String comma = "\n";
            for (Event event : events) {
                out.write(comma + json(event, origin));
                comma = ",\n";
            }
            out.write("\n]}\n");
        }
    }

    private static JsonObject json(Event event, long origin) {
        JsonObject arguments = new JsonObject();
        if (event.category.equals("cpu_op")) {
            arguments
                    .with("Input Dims", raw(event.arguments.stream().map(a -> lists(a, TensorSpec::shape))))
                    .with(
                            "Input Strides",
                            raw(event.arguments.stream().map(a -> lists(a, TensorSpec::stridesOrContiguous))))
                    .with(
                            "Input type",
                            event.arguments.stream().map(CallTrace::type).toList())
                    .with(
                            "Concrete Inputs",
                            event.arguments.stream().map(CallTrace::concrete).toList());
        }
        return new JsonObject()
                .with("ph", "X")
                .with("cat", event.category)
                .with("name", event.name)
                .with("pid", THREAD)
                .with("tid", THREAD)
                .with("ts", BigDecimal.valueOf(event.startNs - origin, 3))
                .with("dur", BigDecimal.valueOf(event.endNs - event.startNs, 3))
                .with("args", arguments);
    }

    private static JsonOut.Spelt raw(java.util.stream.Stream<String> values) {
        return new JsonOut.Spelt(values.collect(Collectors.joining(",", "[", "]")));
    }

    private static String lists(Argument argument, java.util.function.Function<TensorSpec, List<Long>> of) {
        return switch (argument) {
            case Argument.Tensor(TensorSpec spec) -> String.valueOf(of.apply(spec));
            case Argument.Tensors tensors ->
                tensors.specs().stream()
                        .map(spec -> spec == null ? "[]" : String.valueOf(of.apply(spec)))
                        .collect(Collectors.joining(",", "[", "]"));
            default -> "[]";
        };
    }

    private static String type(Argument argument) {
        return switch (argument) {
            case Argument.Tensor(TensorSpec spec) -> spec.type().recorded();
            case Argument.Tensors tensors -> "TensorList";
            case Argument.Values values -> "ScalarList";
            case Argument.None none -> "";
            case Argument.Text text -> "";
            default -> "Scalar";
        };
    }

    private static String concrete(Argument argument) {
        return switch (argument) {
            case Argument.Whole(long value) -> Long.toString(value);
            case Argument.Real(double value) -> Double.toString(value).toLowerCase(java.util.Locale.ROOT);
            case Argument.Truth(boolean value) -> value ? "True" : "False";
            case Argument.Text(String value) -> value;
            case Argument.Values(List<Argument> values) ->
                values.stream().map(CallTrace::concrete).collect(Collectors.joining(", ", "[", "]"));
            default -> "";
        };
    }
}
