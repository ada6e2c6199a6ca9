// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import dev.lockstep.codec.Json;
import dev.lockstep.codec.Json.Items;
import dev.lockstep.codec.Json.Members;
import dev.lockstep.codec.JsonObject;
import dev.lockstep.codec.JsonOut;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.replay.plan.PlannedOperator.Call;
import dev.lockstep.replay.plan.PlannedOperator.Counts;
import dev.lockstep.replay.plan.PlannedOperator.Kernel;
import dev.lockstep.replay.plan.PlannedOperator.Recorded;
import dev.lockstep.replay.plan.ReplayPlan.Container;
import dev.lockstep.replay.plan.ReplayPlan.Source;
import dev.lockstep.replay.plan.ReplayPlan.StepCount;
import dev.lockstep.replay.plan.ReplayPlan.TimeBasis;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Plans as JSON files: one line for each operator, so that plans can be compared line by line. */
public final class PlanFile {
    private static final String FORMAT = "lockstep-replay-plan";
    private static final JsonFactory JSON = Json.UNLIMITED;

    /** More than any recording holds. */
    private static final long MOST_CALLS = 1_000_000_000L;

    private PlanFile() {}

    /** Writes the plan. */
    public static void write(ReplayPlan plan, Path file) throws IOException {
        try (Writer text = NamedFiles.writer(file)) {
            write(plan, text);
        }
    }

    /** The text of the plan's file. */
    public static String text(ReplayPlan plan) throws IOException {
        StringWriter text = new StringWriter();
        write(plan, text);
        return text.toString();
    }

    private static void write(ReplayPlan plan, Writer text) throws IOException {
        text.write("{\"format\": \"" + FORMAT + "\", \"version\": " + ReplayPlan.VERSION + ",\n");
        text.write("\"source\": " + source(plan) + ",\n");
        text.write("\"steps\": "
                + new JsonObject()
                        .with("count", plan.steps().count())
                        .with("source", plan.steps().source())
                + ",\n");
        text.write("\"coverage\": " + ReplayCoverage.planned(plan).json() + ",\n");
        text.write("\"operators\": ");
        lines(text, plan.operators(), operator -> json(operator, plan.steps()));
        text.write(",\n\"containers\": ");
        lines(
                text,
                plan.containers(),
                container -> new JsonObject().with("name", container.name()).with("calls", container.calls()));
        text.write(",\n\"order\": " + JsonOut.line(plan.order()) + "}\n");
    }

    /** Writes an array with a line for each item. */
    static <T> void lines(Writer text, List<T> items, Function<T, JsonObject> json) throws IOException {
        text.write("[");
        String separator = "\n";
        for (T item : items) {
            text.write(separator + json.apply(item));
            separator = ",\n";
        }
        text.write("\n]");
    }

    private static JsonObject source(ReplayPlan plan) {
        Source source = plan.source();
        return new JsonObject()
                .with("trace", source.trace())
                .with("execution_trace", source.executionTrace())
                .withKnown("joined_operators", source.joined())
                .with("time_basis", source.basis().word())
                .with("unattributed_device_ns", plan.unattributedNs());
    }

    /** One operator as a JSON object on one line. */
    public static String operatorLine(PlannedOperator operator) {
        return json(operator, new StepCount(0, "none")).toString();
    }

    /** What tells calls of one operator apart, as the members of a JSON object, without its braces. */
    public static String inputs(Call call) {
        JsonObject json = new JsonObject();
        ArgumentJson.inputs(json, call.arguments());
        String object = json.toString();
        return object.substring(1, object.length() - 1);
    }

    /** A call as a JSON object on one line; equal for equal calls. */
    static String callLine(Call call) {
        return call(new JsonObject(), call).toString();
    }

    private static JsonObject json(PlannedOperator operator, StepCount steps) {
        JsonObject json = call(new JsonObject().with("id", operator.id()), operator.call());
        ReplayGap gap = operator.gap();
        Call substitute = operator.substitute();
        Counts counts = operator.counts();
        json.with("status", gap == null ? "replay" : "unsupported")
                .withKnown("reason", gap == null ? null : gap.code())
                .withKnown("substitute", substitute == null ? null : call(new JsonObject(), substitute))
                .with("calls", counts.calls());
        if (steps.count() > 0) {
            json.with("calls_in_steps", counts.inSteps())
                    .with("calls_per_step", (double) counts.inSteps() / steps.count());
        }
        return json.with("inside_calls", counts.inside()).with("recorded", recorded(operator.recorded()));
    }

    private static JsonObject call(JsonObject into, Call call) {
        into.with("name", call.name());
        if (call.schema() != null) {
            into.with("overload", call.overload()).with("schema", call.schema());
        }
        return into.with("arguments", ArgumentJson.all(call.arguments()));
    }

    private static JsonObject recorded(Recorded recorded) {
        List<JsonObject> kernels = recorded.kernels().stream()
                .map(kernel -> new JsonObject()
                        .with("name", kernel.name())
                        .withKnown("grid", kernel.grid())
                        .withKnown("block", kernel.block())
                        .with("count", kernel.count())
                        .with("ns", kernel.ns()))
                .toList();
        return new JsonObject()
                .withKnown("cpu_ns", recorded.cpuNs())
                .withKnown("device_ns", recorded.deviceNs())
                .withKnown("kernels", kernels.isEmpty() ? null : kernels);
    }

    /**
     * Reads a plan.
     *
     * @throws TraceFormatException when the file is no plan, or one of a later version
     */
    public static ReplayPlan read(Path file) throws IOException {
        String name = file.toString();
        try (InputStream in = NamedFiles.in(file);
                JsonParser parser = JSON.createParser(in)) {
            parser.nextToken();
            if (!(Json.read(parser) instanceof Members members) || !FORMAT.equals(members.text("format"))) {
                throw new TraceFormatException(
                        ErrorCode.FORMAT_UNKNOWN, name, -1, "expected a plan", "lockstep replay plan makes one.");
            }
            if (parser.nextToken() != null) {
                throw new IOException("something follows the plan");
            }
            if (members.whole("version", -1) != ReplayPlan.VERSION) {
                throw new TraceFormatException(
                        ErrorCode.FORMAT_UNKNOWN, name, -1, "the plan is of another version", "Make it again.");
            }
            return plan(members);
        } catch (NoSuchFileException e) {
            throw new TraceFormatException(ErrorCode.INPUT_NOT_FOUND, name, -1, "there is no such file", null);
        } catch (TraceFormatException e) {
            throw e;
        } catch (JsonProcessingException e) {
            throw new TraceFormatException(ErrorCode.FORMAT_CORRUPT, name, Json.position(e), Json.problem(e), null);
        } catch (IOException | ArithmeticException e) {
            throw new TraceFormatException(
                    ErrorCode.FORMAT_CORRUPT, name, -1, "not a sound plan: " + e.getMessage(), null);
        }
    }

    private static ReplayPlan plan(Members members) throws IOException {
        List<PlannedOperator> operators = new ArrayList<>();
        for (Json item : items(members.get("operators"))) {
            operators.add(operator(item, operators.size()));
        }
        List<Container> containers = new ArrayList<>();
        for (Json item : items(members.get("containers"))) {
            Members container = members(item);
            containers.add(new Container(needed(container.text("name")), container.whole("calls", 0)));
        }
        Members source = members(members.get("source"));
        Members steps = members(members.get("steps"));
        String basis = needed(source.text("time_basis")).toUpperCase(Locale.ROOT);
        return new ReplayPlan(
                new Source(
                        source.text("trace"),
                        source.text("execution_trace"),
                        source.whole("joined_operators", -1),
                        basis(basis)),
                new StepCount(steps(steps), needed(steps.text("source"))),
                operators,
                containers,
                source.whole("unattributed_device_ns", 0),
                order(members.get("order"), operators.size()));
    }

    private static PlannedOperator operator(Json item, int number) throws IOException {
        try {
            PlannedOperator operator = operator(members(item));
            if (operator.id() != number) {
                throw new IOException("it is not numbered from 0 in the order of operators");
            }
            return operator;
        } catch (IOException | ArithmeticException e) {
            throw new IOException("operator " + number + ": " + e.getMessage(), e);
        }
    }

    /** Plans of before there was an order have none. */
    private static List<Integer> order(@Nullable Json tree, int operators) throws IOException {
        List<Long> ids = tree == null ? List.of() : ArgumentJson.longs(tree);
        if (ids == null || ids.stream().anyMatch(id -> id < 0 || id >= operators)) {
            throw new IOException("the order names operators that are not in the plan");
        }
        return ids.stream().map(Math::toIntExact).toList();
    }

    private static int steps(Members steps) throws IOException {
        int count = Math.toIntExact(steps.whole("count", 0));
        if (count < 0) {
            throw new IOException("a number of steps below 0");
        }
        return count;
    }

    private static TimeBasis basis(String name) throws IOException {
        for (TimeBasis basis : TimeBasis.values()) {
            if (basis.name().equals(name)) {
                return basis;
            }
        }
        throw new IOException("unknown time_basis " + name);
    }

    /** Reads what {@link #operatorLine} wrote. */
    public static PlannedOperator readOperator(String line) throws IOException {
        try (JsonParser parser = JSON.createParser(line)) {
            parser.nextToken();
            return operator(members(Json.read(parser)));
        }
    }

    private static PlannedOperator operator(Members members) throws IOException {
        String reason = members.text("reason");
        ReplayGap gap = reason == null
                ? null
                : ReplayGap.of(reason).orElseThrow(() -> new IOException("unknown reason " + reason));
        if (gap == null && "unsupported".equals(members.text("status"))) {
            throw new IOException("it is unsupported for no reason");
        }
        Json substitute = members.get("substitute");
        Members recorded = members(members.get("recorded"));
        return new PlannedOperator(
                Math.toIntExact(members.whole("id", -1)),
                call(members),
                gap,
                substitute == null ? null : call(members(substitute)),
                counts(members),
                new Recorded(
                        recorded.whole("cpu_ns", -1),
                        recorded.whole("device_ns", -1),
                        kernels(recorded.get("kernels"))));
    }

    private static Counts counts(Members members) throws IOException {
        long calls = members.whole("calls", 0);
        long inSteps = members.whole("calls_in_steps", 0);
        long inside = members.whole("inside_calls", 0);
        if (calls < 0 || inSteps < 0 || inSteps > calls || inside < 0 || Math.max(calls, inside) > MOST_CALLS) {
            throw new IOException("its numbers of calls cannot be");
        }
        return new Counts(calls, inSteps, inside);
    }

    private static Call call(Members members) throws IOException {
        Json arguments = members.get("arguments");
        if (arguments == null) {
            throw new IOException("an operator has no arguments");
        }
        return new Call(needed(members.text("name")), members.text("schema"), ArgumentJson.readAll(arguments));
    }

    private static List<Kernel> kernels(@Nullable Json tree) throws IOException {
        List<Kernel> kernels = new ArrayList<>();
        if (tree != null) {
            for (Json item : items(tree)) {
                Members kernel = members(item);
                kernels.add(new Kernel(
                        needed(kernel.text("name")),
                        kernel.text("grid"),
                        kernel.text("block"),
                        kernel.whole("count", 0),
                        kernel.whole("ns", 0)));
            }
        }
        return kernels;
    }

    private static Members members(@Nullable Json tree) throws IOException {
        if (tree instanceof Members members) {
            return members;
        }
        throw new IOException("expected an object");
    }

    private static List<Json> items(@Nullable Json tree) throws IOException {
        if (tree instanceof Items(List<Json> items)) {
            return items;
        }
        throw new IOException("expected an array");
    }

    private static String needed(@Nullable String text) throws IOException {
        if (text == null) {
            throw new IOException("a name is missing");
        }
        return text;
    }
}
