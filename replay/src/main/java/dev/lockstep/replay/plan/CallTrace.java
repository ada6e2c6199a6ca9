// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import com.fasterxml.jackson.core.JsonGenerator;
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
                out.write(comma + PlanFile.line(json -> write(json, event, origin)));
                comma = ",\n";
            }
            out.write("\n]}\n");
        }
    }

    private static void write(JsonGenerator json, Event event, long origin) throws IOException {
        json.writeStartObject();
        json.writeStringField("ph", "X");
        json.writeStringField("cat", event.category);
        json.writeStringField("name", event.name);
        json.writeNumberField("pid", THREAD);
        json.writeNumberField("tid", THREAD);
        json.writeNumberField("ts", BigDecimal.valueOf(event.startNs - origin, 3));
        json.writeNumberField("dur", BigDecimal.valueOf(event.endNs - event.startNs, 3));
        json.writeObjectFieldStart("args");
        if (event.category.equals("cpu_op")) {
            raw(json, "Input Dims", event.arguments.stream().map(a -> lists(a, TensorSpec::shape)));
            raw(json, "Input Strides", event.arguments.stream().map(a -> lists(a, TensorSpec::stridesOrContiguous)));
            json.writeArrayFieldStart("Input type");
            for (Argument argument : event.arguments) {
                json.writeString(type(argument));
            }
            json.writeEndArray();
            json.writeArrayFieldStart("Concrete Inputs");
            for (Argument argument : event.arguments) {
                json.writeString(concrete(argument));
            }
            json.writeEndArray();
        }
        json.writeEndObject();
        json.writeEndObject();
    }

    private static void raw(JsonGenerator json, String field, java.util.stream.Stream<String> values)
            throws IOException {
        json.writeFieldName(field);
        json.writeRawValue(values.collect(Collectors.joining(",", "[", "]")));
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
