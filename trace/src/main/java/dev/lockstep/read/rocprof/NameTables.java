// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.rocprof;

import dev.lockstep.codec.JsonCursor;
import dev.lockstep.codec.JsonCursor.Stop;
import dev.lockstep.codec.JsonWindow;
import dev.lockstep.read.RocmAgents;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.StringPool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What numbers in records stand for: kernels, kinds and operations, ranges of the user, devices. */
final class NameTables {
    private static final int GPU = 2;

    private final StringPool strings;
    private final LongIntMap kernels = new LongIntMap(16);
    private final LongIntMap shortKernels = new LongIntMap(16);
    private final LongIntMap ranges = new LongIntMap(16);
    private final Map<Long, String> kinds = new HashMap<>();
    private final Map<Long, List<String>> operations = new HashMap<>();
    private final RocmAgents agents = new RocmAgents();
    private boolean agentsRead;
    private boolean kernelsRead;
    private boolean stringsRead;

    NameTables(StringPool strings) {
        this.strings = strings;
    }

    /** Whether all tables were read, so that no name can come any more. */
    boolean isComplete() {
        return agentsRead && kernelsRead && stringsRead;
    }

    /** Pool id of a kernel's whole name, -1 when unknown. */
    int kernel(long id) {
        return kernels.get(id);
    }

    /** Pool id of a kernel's name without arguments, -1 when unknown. */
    int shortKernel(long id) {
        return shortKernels.get(id);
    }

    /** Pool id of the text that a range was marked with, -1 when unknown. */
    int range(long correlation) {
        return ranges.get(correlation);
    }

    /** The word for the kind of a record, null when unknown. */
    @Nullable
    String kind(long kind) {
        return kinds.get(kind);
    }

    /** The word for what a record of a kind is about, null when unknown. */
    @Nullable
    String operation(long kind, long operation) {
        List<String> known = operations.get(kind);
        return known == null || operation < 0 || operation >= known.size() ? null : known.get((int) operation);
    }

    RocmAgents agents() {
        return agents;
    }

    void readAgents(JsonWindow window) throws IOException, Stop {
        each(window, c -> agent(object(c, "id", "type", "logical_node_type_id", "product_name", "name")));
        agentsRead = true;
    }

    void readKernels(JsonWindow window) throws IOException, Stop {
        each(window, c -> {
            Map<String, String> symbol = object(
                    c,
                    "kernel_id",
                    "truncated_kernel_name",
                    "formatted_kernel_name",
                    "demangled_kernel_name",
                    "kernel_name");
            long id = number(symbol.get("kernel_id"));
            String whole = first(symbol, "formatted_kernel_name", "demangled_kernel_name", "kernel_name");
            String brief = first(symbol, "truncated_kernel_name", "formatted_kernel_name", "kernel_name");
            if (id >= 0 && !whole.isEmpty()) {
                kernels.put(id, strings.intern(whole));
                shortKernels.put(id, strings.intern(brief));
            }
        });
        kernelsRead = true;
    }

    void readStrings(JsonWindow window) throws IOException, Stop {
        if (window.peek() != '{') {
            window.pass();
            return;
        }
        window.expect('{', "'{' of strings");
        for (boolean first = true; window.more('}', first); first = false) {
            switch (window.key()) {
                case "buffer_records" -> readKinds(window);
                case "marker_api" ->
                    each(window, c -> {
                        Map<String, String> range = object(c, "key", "value");
                        long id = number(range.get("key"));
                        if (id >= 0) {
                            ranges.put(id, strings.intern(range.getOrDefault("value", "")));
                        }
                    });
                default -> window.pass();
            }
        }
        stringsRead = true;
    }

    private void readKinds(JsonWindow window) throws IOException, Stop {
        long[] place = {0};
        each(window, c -> {
            List<String> names = new ArrayList<>();
            String kind = kindOf(c, names);
            kinds.put(place[0], kind);
            operations.put(place[0], names);
            place[0]++;
        });
    }

    private static String kindOf(JsonCursor c, List<String> names) throws Stop {
        String kind = "";
        c.take('{', "'{' of a kind");
        while (c.peek() != '}') {
            String key = key(c);
            if (key.equals("kind") && c.peek() == '"') {
                c.string();
                kind = c.text();
            } else if (key.equals("operations") && c.peek() == '[') {
                c.pos++;
                while (c.peek() != ']') {
                    names.add(scalar(c));
                    comma(c, ']');
                }
                c.pos++;
            } else {
                c.skip();
            }
            comma(c, '}');
        }
        c.pos++;
        return kind;
    }

    private void agent(Map<String, String> agent) {
        String id = agent.getOrDefault("id", "").replaceAll("[^0-9]", "");
        long handle = number(id);
        long number = number(agent.get("logical_node_type_id"));
        if (handle >= 0) {
            String product = first(agent, "product_name", "name");
            boolean isDevice = number(agent.get("type")) == GPU;
            agents.add(handle, isDevice, number < 0 ? handle : number, product);
        }
    }

    /** Runs a move on every element of an array, each of which is taken whole. */
    private static void each(JsonWindow window, JsonWindow.Move move) throws IOException, Stop {
        if (window.peek() != '[') {
            window.pass();
            return;
        }
        window.expect('[', "'['");
        for (boolean first = true; window.more(']', first); first = false) {
            if (window.peek() == '{') {
                window.take(move);
            } else {
                window.pass();
            }
        }
    }

    /** These members of an object as text: what stands in quotes, or the value as it is written. */
    private static Map<String, String> object(JsonCursor c, String... wanted) throws Stop {
        List<String> names = List.of(wanted);
        Map<String, String> members = new HashMap<>();
        c.take('{', "'{'");
        while (c.peek() != '}') {
            String key = key(c);
            if (names.contains(key)) {
                members.put(key, scalar(c));
            } else {
                c.skip();
            }
            comma(c, '}');
        }
        c.pos++;
        return members;
    }

    private static String key(JsonCursor c) throws Stop {
        c.key();
        return c.text();
    }

    private static String scalar(JsonCursor c) throws Stop {
        boolean text = c.peek() == '"';
        int from = c.skip();
        return text ? c.text() : new String(c.buffer, from, c.pos - from, StandardCharsets.UTF_8);
    }

    /** Takes a comma, unless the container ends here. */
    private static void comma(JsonCursor c, int closing) throws Stop {
        if (c.peek() != closing) {
            c.take(',', "',' or '" + (char) closing + "'");
        }
    }

    private static String first(Map<String, String> members, String... names) {
        for (String name : names) {
            String text = members.getOrDefault(name, "");
            if (!text.isEmpty()) {
                return text;
            }
        }
        return "";
    }

    private static long number(@Nullable String text) {
        return text != null && text.matches("\\d{1,18}") ? Long.parseLong(text) : -1;
    }
}
