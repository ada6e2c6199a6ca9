// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.codec.Json;
import dev.lockstep.read.RocmAgents;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What numbers in rows stand for, beside texts: kernels, devices, threads, and the tracks of newer recordings. */
final class RocpdNames {
    private static final String CODE = ".kd";

    /**
     * A kernel.
     *
     * @param name whole
     * @param brief without its arguments
     */
    record Kernel(String name, String brief) {}

    /** Where something ran, as newer recordings say it once for many rows; -1 for what is not said. */
    record Place(long process, long thread, long agent, long queue, long stream) {}

    private final Map<Long, Kernel> kernels = new HashMap<>();
    private final RocmAgents agents = new RocmAgents();
    private final Map<Long, Long> threads = new HashMap<>();
    private final Map<Long, String> threadNames = new TreeMap<>();
    private final Map<Long, Place> places = new HashMap<>();

    /** Of a recording that names nothing: agents are their own numbers. */
    RocpdNames() {}

    RocpdNames(RocpdTables tables) throws IOException {
        kernels(tables);
        agents(tables);
        threads(tables);
        places(tables);
    }

    private void kernels(RocpdTables tables) throws IOException {
        if (!tables.has("info_kernel_symbol")) {
            return;
        }
        try (SqliteRows rows = tables.rows("info_kernel_symbol", "id", "display_name", "extdata")) {
            while (rows.next()) {
                String shown = rows.text(1);
                Json.Members more = object(rows.text(2));
                String whole = text(more, "formatted_kernel_name", shown == null ? "" : shown);
                String name = whole.isEmpty() ? text(more, "demangled_kernel_name", "") : whole;
                if (!name.isEmpty()) {
                    String brief = text(more, "truncated_kernel_name", name);
                    kernels.put(rows.number(0, -1), new Kernel(plain(name), plain(brief)));
                }
            }
        }
    }

    /** An object in JSON; without members where the text is anything else, such as packed. */
    static Json.Members object(@Nullable String text) {
        Json.Members none = new Json.Members(Map.of());
        if (text == null || !text.startsWith("{") || text.length() == 2) {
            return none;
        }
        try {
            return Json.parse(text) instanceof Json.Members object ? object : none;
        } catch (IOException e) {
            return none;
        }
    }

    static String text(Json.Members members, String key, String otherwise) {
        String text = members.text(key);
        return text == null || text.isEmpty() ? otherwise : text;
    }

    private static String plain(String name) {
        return name.endsWith(CODE) ? name.substring(0, name.length() - CODE.length()) : name;
    }

    private void agents(RocpdTables tables) throws IOException {
        if (!tables.has("info_agent")) {
            return;
        }
        try (SqliteRows rows = tables.rows("info_agent", "id", "type", "type_index", "product_name", "name")) {
            while (rows.next()) {
                long id = rows.number(0, -1);
                String product = rows.text(3);
                String name = product == null || product.isEmpty() ? rows.text(4) : product;
                agents.add(id, "GPU".equals(rows.text(1)), rows.number(2, id), name == null ? "" : name);
            }
        }
    }

    private void threads(RocpdTables tables) throws IOException {
        if (!tables.has("info_thread")) {
            return;
        }
        try (SqliteRows rows = tables.rows("info_thread", "id", "tid", "name")) {
            while (rows.next()) {
                long number = rows.number(1, rows.number(0, -1));
                threads.put(rows.number(0, -1), number);
                String name = rows.text(2);
                if (name != null && !name.isEmpty()) {
                    threadNames.put(number, name);
                }
            }
        }
    }

    private void places(RocpdTables tables) throws IOException {
        if (!tables.has("track")) {
            return;
        }
        try (SqliteRows rows = tables.rows("track", "id", "pid", "tid", "agent_id", "queue_id", "stream_id")) {
            while (rows.next()) {
                places.put(
                        rows.number(0, -1),
                        new Place(
                                rows.number(1, -1),
                                rows.number(2, -1),
                                rows.number(3, -1),
                                rows.number(4, -1),
                                rows.number(5, -1)));
            }
        }
    }

    @Nullable
    Kernel kernel(long id) {
        return kernels.get(id);
    }

    RocmAgents agents() {
        return agents;
    }

    /** The number by which the system knows a thread, which rows name by their own. */
    long thread(long id) {
        return threads.getOrDefault(id, id);
    }

    Map<Long, String> threadNames() {
        return threadNames;
    }

    @Nullable
    Place place(long track) {
        return places.get(track);
    }
}
