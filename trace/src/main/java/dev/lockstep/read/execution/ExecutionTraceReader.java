// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.execution;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.lockstep.codec.Json;
import dev.lockstep.codec.Json.Items;
import dev.lockstep.codec.Json.Members;
import dev.lockstep.codec.PrefixedSource;
import dev.lockstep.codec.SourceStream;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Diagnostics.Weight;
import dev.lockstep.model.SliceKind;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.execution.ExecutionTrace.Activity;
import dev.lockstep.read.execution.ExecutionTrace.Compiled;
import dev.lockstep.read.execution.ExecutionTrace.Inputs;
import dev.lockstep.read.execution.ExecutionTrace.Node;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads execution traces, plain or packed, of the schemas 1.0.1 to 1.1.1. Up to 1.0.1 the facts about a node stand side by
 * side in it; later ones keep inputs in an object and the rest in a list of attributes. What {@code chakra_trace_link}
 * adds to one is read, too: nodes with a category ran on the device, and repeat the facts about the call that launched them.
 */
public final class ExecutionTraceReader {
    private static final Pattern BEGINNING = Pattern.compile("\"schema\"\\s*:\\s*\"\\d|\"ctrl_deps\"|\"rf_id\"");
    private static final Pattern KNOWN = Pattern.compile("1\\.[01]\\.\\d+.*");
    private static final Pattern RELATED = Pattern.compile("(1\\..*)?");
    private static final Set<String> OF_THE_HOST =
            Set.of("cpu_op", "user_annotation", "cuda_runtime", "cuda_driver", "python_function");
    private static final int DEVICE = 5;

    private final String source;
    private final Diagnostics diagnostics;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Activity> activities = new ArrayList<>();
    private String schema = "";
    private @Nullable TraceFormatException damage;

    private ExecutionTraceReader(String source, Diagnostics diagnostics) {
        this.source = source;
        this.diagnostics = diagnostics;
    }

    /** Whether the content looks like an execution trace. */
    public static boolean matches(TraceInput input) throws IOException {
        try (PrefixedSource in = input.open(new Diagnostics())) {
            return recognises(in.head());
        }
    }

    /** Whether content that begins like this looks like an execution trace. */
    public static boolean recognises(byte[] head) {
        String text = new String(head, StandardCharsets.UTF_8);
        // What most files have stands near their beginning, and is looked for first.
        return !text.contains("\"traceEvents\"")
                && text.contains("\"nodes\"")
                && BEGINNING.matcher(text).find();
    }

    /**
     * Reads an execution trace. Damage costs the nodes that it lies in; a cut, those behind it.
     *
     * @param diagnostics takes what is wrong with it
     * @throws TraceFormatException when there is no node to be had, or the schema is of another age
     */
    public static ExecutionTrace read(TraceInput input, Diagnostics diagnostics) throws IOException {
        return new ExecutionTraceReader(input.name(), diagnostics).read(input);
    }

    private ExecutionTrace read(TraceInput input) throws IOException {
        try (PrefixedSource bytes = input.open(diagnostics);
                InputStream in = new SourceStream(bytes)) {
            NodeStream stream = new NodeStream(in);
            JsonParser parser = stream.begin();
            while (parser != null) {
                parser = document(parser, stream);
            }
        }
        if (nodes.isEmpty()) {
            throw damage == null ? unknown("expected nodes of an execution trace") : damage;
        }
        if (!KNOWN.matcher(schema).matches()) {
            diagnostics.add(
                    Weight.OBSERVATION, "et_schema", "the schema '" + schema + "' is not known; it may be misread", -1);
        }
        nodes.sort(Comparator.comparingLong(Node::id));
        activities.sort(Comparator.comparingLong(Activity::id));
        return new ExecutionTrace(source, schema, nodes, activities);
    }

    /** Reads on to the end or to damage; returns a parser of what follows the damage, if there is one. */
    private @Nullable JsonParser document(JsonParser parser, NodeStream stream) throws IOException {
        try {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw unknown("expected an object");
            }
            fields(parser, stream);
            parser.close();
            return null;
        } catch (JsonProcessingException e) {
            long at = Json.position(e) < 0 ? -1 : stream.offset(Json.position(e));
            if (damage == null) {
                damage = new TraceFormatException(ErrorCode.FORMAT_CORRUPT, source, at, Json.problem(e), null);
            }
            diagnostics.add(
                    Weight.LOSS,
                    "et_damaged",
                    "the execution trace is damaged or cut off; what lies up to the next node was skipped",
                    at);
            return stream.behind(parser);
        }
    }

    private void fields(JsonParser parser, NodeStream stream) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            JsonToken value = parser.nextToken();
            if (field.equals("schema")) {
                schema = parser.getText();
                demandRelated(schema);
            } else if (field.equals("nodes") && value == JsonToken.START_ARRAY) {
                readNodes(parser, stream);
            } else {
                parser.skipChildren();
            }
        }
    }

    private void demandRelated(String schema) throws TraceFormatException {
        if (!RELATED.matcher(schema).matches()) {
            throw new TraceFormatException(
                    ErrorCode.FORMAT_UNKNOWN,
                    source,
                    0,
                    "the execution trace has the schema '" + schema + "', expected 1.0.1 to 1.1.1",
                    null);
        }
    }

    private TraceFormatException unknown(String problem) {
        return new TraceFormatException(ErrorCode.FORMAT_UNKNOWN, source, 0, problem, null);
    }

    private void readNodes(JsonParser parser, NodeStream stream) throws IOException {
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            long at = stream.offset(parser.currentTokenLocation().getByteOffset());
            if (!(Json.read(parser) instanceof Members members && add(members, at))) {
                diagnostics.add(Weight.LOSS, "et_node", "a node has no number or no name", at);
            }
        }
    }

    private boolean add(Members node, long at) {
        long id = whole(node.get("id"), -1);
        String name = node.text("name");
        if (id < 0 || name == null) {
            return false;
        }
        long parent = whole(node.get("parent"), whole(node.get("ctrl_deps"), -1));
        String category = node.text("cat");
        if (category != null && !OF_THE_HOST.contains(category)) {
            activities.add(
                    new Activity(id, parent, name, kind(category), stream(node), ns(node, "ts"), duration(node, at)));
            return true;
        }
        Inputs inputs = values(node, "input");
        nodes.add(new Node(
                id,
                parent,
                name,
                whole(fact(node, "rf_id"), 0),
                whole(fact(node, "tid"), 0),
                fact(node, "op_schema") instanceof Json.Text(String schema) ? schema : "",
                inputs,
                device(values(node, "output"), inputs),
                compiled(node),
                duration(node)));
        return true;
    }

    /** In the node, or in the event that the node of device work was made from (schema 1.0.1). */
    private static String stream(Members node) {
        Json own = node.get("stream");
        if (own == null && node.get("args") instanceof Members arguments) {
            own = arguments.get("stream");
        }
        return own instanceof Json.Numeral(String stream) ? stream : "";
    }

    /** Schema 1.0.1 calls it {@code dur}; -1 without one. */
    private static long duration(Members node) {
        return ns(node, node.get("inclusive_dur") == null ? "dur" : "inclusive_dur");
    }

    private long duration(Members node, long at) {
        long ns = duration(node);
        if (ns < 0) {
            diagnostics.add(Weight.LOSS, "et_duration", "device work has no usable duration and counts with 0", at);
        }
        return Math.max(0, ns);
    }

    private static SliceKind kind(String category) {
        String plain = category.toLowerCase(Locale.ROOT);
        return plain.contains("memcpy")
                ? SliceKind.MEMCPY
                : plain.contains("memset") ? SliceKind.MEMSET : SliceKind.KERNEL;
    }

    /** Microseconds with or without a fraction, as ns. */
    private static long ns(Members node, String name) {
        if (!(node.get(name) instanceof Json.Numeral(String text))) {
            return -1;
        }
        try {
            long ns = new BigDecimal(text)
                    .scaleByPowerOfTen(3)
                    .setScale(0, RoundingMode.HALF_UP)
                    .longValueExact();
            return Math.max(-1, ns);
        } catch (ArithmeticException | NumberFormatException e) {
            return -1;
        }
    }

    private static @Nullable Compiled compiled(Members node) {
        String backend = fact(node, "kernel_backend") instanceof Json.Text(String text) ? text : "";
        String file = fact(node, "kernel_file") instanceof Json.Text(String text) ? text : "";
        return backend.isEmpty() && file.isEmpty() ? null : new Compiled(backend, file);
    }

    /** The first accelerator, else the first device. */
    private static @Nullable String device(@Nullable Inputs outputs, @Nullable Inputs inputs) {
        List<String> devices = new ArrayList<>();
        if (outputs != null) {
            outputs.values().forEach(value -> devices(value, devices));
        }
        if (inputs != null) {
            inputs.values().forEach(value -> devices(value, devices));
        }
        for (String device : devices) {
            if (isAccelerator(device)) {
                return device;
            }
        }
        return devices.isEmpty() ? null : devices.getFirst();
    }

    private static boolean isAccelerator(String device) {
        return !device.startsWith("cpu") && !device.startsWith("meta");
    }

    /** A tensor is an array of six that ends with its device; lists of tensors are arrays of these. */
    private static void devices(Json value, List<String> into) {
        if (!(value instanceof Items(List<Json> items))) {
            return;
        }
        if (items.size() == DEVICE + 1 && items.get(DEVICE) instanceof Json.Text(String device)) {
            if (!device.isEmpty()) {
                into.add(device);
            }
            return;
        }
        for (Json item : items) {
            if (item instanceof Items(List<Json> inner)
                    && inner.size() == DEVICE + 1
                    && inner.get(DEVICE) instanceof Json.Text(String device)
                    && !device.isEmpty()) {
                into.add(device);
            }
        }
    }

    private static @Nullable Json fact(Members node, String name) {
        Json beside = node.get(name);
        if (beside != null || !(node.get("attrs") instanceof Items(List<Json> attributes))) {
            return beside;
        }
        for (Json attribute : attributes) {
            if (attribute instanceof Members members && name.equals(text(members.get("name")))) {
                return members.get("value");
            }
        }
        return null;
    }

    /** @param side {@code input} or {@code output} */
    private static @Nullable Inputs values(Members node, String side) {
        Members inside = node.get(side + "s") instanceof Members members ? members : null;
        List<Json> values = items(inside == null ? node.get(side + "s") : inside.get("values"));
        List<Json> shapes = items(inside == null ? node.get(side + "_shapes") : inside.get("shapes"));
        List<Json> types = items(inside == null ? node.get(side + "_types") : inside.get("types"));
        if (values == null || shapes == null || types == null || values.size() != types.size()) {
            return null;
        }
        return new Inputs(values, shapes, types, inside == null ? null : items(inside.get("strides")));
    }

    private static long whole(@Nullable Json tree, long absent) {
        return tree instanceof Json.Numeral number && number.isWhole() ? number.bits() : absent;
    }

    private static @Nullable List<Json> items(@Nullable Json tree) {
        return tree instanceof Items(List<Json> items) ? items : null;
    }

    private static @Nullable String text(@Nullable Json tree) {
        return tree instanceof Json.Text(String value) ? value : null;
    }
}
