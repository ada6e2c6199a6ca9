// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.lockstep.codec.Json;
import dev.lockstep.codec.Json.Items;
import dev.lockstep.codec.Json.Members;
import dev.lockstep.codec.PrefixedSource;
import dev.lockstep.codec.SourceStream;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Diagnostics.Weight;
import dev.lockstep.read.TraceInput;
import dev.lockstep.replay.ExecutionTrace.Inputs;
import dev.lockstep.replay.ExecutionTrace.Node;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads execution traces, plain or packed, of the schemas 1.0.1 to 1.1.1. Up to 1.0.1 the facts about a node stand side by
 * side in it; later ones keep inputs in an object and the rest in a list of attributes.
 */
public final class ExecutionTraceReader {
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();
    private static final Pattern BEGINNING = Pattern.compile("\"schema\"\\s*:\\s*\"\\d|\"ctrl_deps\"|\"rf_id\"");
    private static final Pattern KNOWN = Pattern.compile("1\\.[01]\\.\\d+.*");

    private final String source;
    private final Diagnostics diagnostics;

    private ExecutionTraceReader(String source, Diagnostics diagnostics) {
        this.source = source;
        this.diagnostics = diagnostics;
    }

    /** Whether the content looks like an execution trace. */
    public static boolean matches(TraceInput input) throws IOException {
        try (PrefixedSource in = input.open(new Diagnostics())) {
            String head = new String(in.head(), StandardCharsets.UTF_8);
            return head.contains("\"nodes\"") && BEGINNING.matcher(head).find() && !head.contains("\"traceEvents\"");
        }
    }

    /**
     * Reads an execution trace. One that is cut off yields the nodes before the cut.
     *
     * @param diagnostics takes what is wrong with it
     * @throws TraceFormatException when there is no node to be had
     */
    public static ExecutionTrace read(TraceInput input, Diagnostics diagnostics) throws IOException {
        return new ExecutionTraceReader(input.name(), diagnostics).read(input);
    }

    private ExecutionTrace read(TraceInput input) throws IOException {
        List<Node> nodes = new ArrayList<>();
        String schema = "";
        try (PrefixedSource bytes = input.open(diagnostics);
                InputStream in = new SourceStream(bytes);
                JsonParser parser = JSON.createParser(in)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw unknown("expected an object");
            }
            try {
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    String field = parser.currentName();
                    JsonToken value = parser.nextToken();
                    if (field.equals("schema")) {
                        schema = parser.getText();
                    } else if (field.equals("nodes") && value == JsonToken.START_ARRAY) {
                        readNodes(parser, nodes);
                    } else {
                        parser.skipChildren();
                    }
                }
            } catch (JsonProcessingException e) {
                long at = e.getLocation() == null ? -1 : e.getLocation().getByteOffset();
                if (nodes.isEmpty()) {
                    throw new TraceFormatException(ErrorCode.FORMAT_CORRUPT, source, at, e.getOriginalMessage(), null);
                }
                diagnostics.add(Weight.LOSS, "et_damaged", "the execution trace is damaged or cut off here", at);
            }
        }
        if (nodes.isEmpty()) {
            throw unknown("expected nodes of an execution trace");
        }
        if (!KNOWN.matcher(schema).matches()) {
            diagnostics.add(
                    Weight.OBSERVATION, "et_schema", "the schema '" + schema + "' is not known; it may be misread", -1);
        }
        nodes.sort(Comparator.comparingLong(Node::id));
        return new ExecutionTrace(source, schema, nodes);
    }

    private TraceFormatException unknown(String problem) {
        return new TraceFormatException(ErrorCode.FORMAT_UNKNOWN, source, 0, problem, null);
    }

    private void readNodes(JsonParser parser, List<Node> nodes) throws IOException {
        while (true) {
            JsonToken token = parser.nextToken();
            if (token == JsonToken.END_ARRAY) {
                return;
            }
            if (token == null) {
                diagnostics.add(Weight.LOSS, "et_damaged", "the execution trace is damaged or cut off here", -1);
                return;
            }
            long at = parser.currentTokenLocation().getByteOffset();
            Node node;
            try {
                node = Json.read(parser) instanceof Members members ? node(members) : null;
            } catch (JsonProcessingException e) {
                throw e;
            } catch (IOException e) {
                diagnostics.add(Weight.LOSS, "et_damaged", "the execution trace is damaged or cut off here", at);
                return;
            }
            if (node == null) {
                diagnostics.add(Weight.LOSS, "et_node", "a node has no number or no name", at);
            } else {
                nodes.add(node);
            }
        }
    }

    private static @Nullable Node node(Members node) {
        long id = ArgumentJson.whole(node.get("id"), -1);
        String name = text(node.get("name"));
        if (id < 0 || name == null) {
            return null;
        }
        long parent = ArgumentJson.whole(node.get("parent"), ArgumentJson.whole(node.get("ctrl_deps"), -1));
        return new Node(
                id,
                parent,
                name,
                ArgumentJson.whole(fact(node, "rf_id"), 0),
                ArgumentJson.whole(fact(node, "tid"), 0),
                fact(node, "op_schema") instanceof Json.Text(String schema) ? schema : "",
                inputs(node));
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

    private static @Nullable Inputs inputs(Members node) {
        Members inside = node.get("inputs") instanceof Members members ? members : null;
        List<Json> values = items(inside == null ? node.get("inputs") : inside.get("values"));
        List<Json> shapes = items(inside == null ? node.get("input_shapes") : inside.get("shapes"));
        List<Json> types = items(inside == null ? node.get("input_types") : inside.get("types"));
        if (values == null || shapes == null || types == null || values.size() != types.size()) {
            return null;
        }
        return new Inputs(values, shapes, types, inside == null ? null : items(inside.get("strides")));
    }

    private static @Nullable List<Json> items(@Nullable Json tree) {
        return tree instanceof Items(List<Json> items) ? items : null;
    }

    private static @Nullable String text(@Nullable Json tree) {
        return tree instanceof Json.Text(String value) ? value : null;
    }
}
