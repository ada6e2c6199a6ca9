// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.SliceKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the tables of one recording, each once and row by row. Rows that name no thread, event or queue count like all others.
 */
final class RocpdRecording {
    /** Columns that say where something ran; newer recordings name a track instead. */
    private static final List<String> PLACE = List.of("pid", "tid", "agent_id", "queue_id", "stream_id", "track_id");

    private static final int TRACK = PLACE.indexOf("track_id");
    private static final String[] EVENT = {"stack_id", "correlation_id", "category_id", "extdata"};

    /** What ranges of the user are called whose text stands elsewhere. */
    private static final String RANGE_CALL = "roctx";

    /** What a kind of event is. */
    private enum Calls {
        HIP("hip_api", SliceKind.RUNTIME_CALL),
        HSA("hsa_api", SliceKind.DRIVER_CALL),
        MARKER("marker_api", SliceKind.ANNOTATION),
        RCCL("rccl_api", SliceKind.HOST_OTHER);

        private final String category;
        private final SliceKind kind;

        Calls(String category, SliceKind kind) {
            this.category = category;
            this.kind = kind;
        }

        /** What this kind of event is, null for another. */
        static @Nullable Calls of(String event) {
            for (Calls calls : values()) {
                if (event.toUpperCase(Locale.ROOT).contains(calls.name())) {
                    return calls;
                }
            }
            return null;
        }
    }

    private final RocpdTables tables;
    private final RocpdNames names;
    private final Map<Long, RocmProcess> processes = new HashMap<>();
    private final List<RocmProcess> inOrder = new ArrayList<>();
    private final Map<String, Calls> calls = new HashMap<>();

    private final RocpdCounters counters;

    RocpdRecording(RocpdTables tables) throws IOException {
        this.tables = tables;
        this.counters = new RocpdCounters(tables);
        this.names = new RocpdNames(tables);
    }

    /** The processes, in order of their rows; of those that did nothing only where none did anything. */
    List<RocmProcess> read() throws IOException {
        List<String[]> stated = stated();
        kernels();
        copies();
        regions();
        allocations();
        samples();
        counters.read();
        for (RocmProcess process : inOrder) {
            stated.forEach(pair -> process.state(pair[0], pair[1]));
        }
        List<RocmProcess> busy =
                inOrder.stream().filter(process -> process.rows().any()).toList();
        return busy.isEmpty() ? List.of(inOrder.isEmpty() ? new RocmProcess(names) : inOrder.getFirst()) : busy;
    }

    /** Says what processes there are; returns what is said of the recording, as keys and JSON text. */
    private List<String[]> stated() throws IOException {
        List<String[]> stated = new ArrayList<>();
        if (tables.has("metadata")) {
            try (SqliteRows rows = tables.rows("metadata", "tag", "value")) {
                while (rows.next()) {
                    String tag = rows.text(0);
                    String value = rows.text(1);
                    if ("schema_version".equals(tag) && value != null && value.matches("[\\w.]{1,40}")) {
                        stated.add(new String[] {"rocpd_schema", '"' + value + '"'});
                    }
                }
            }
        }
        if (tables.has("info_process")) {
            try (SqliteRows rows = tables.rows("info_process", "id", "pid", "start", "end")) {
                while (rows.next()) {
                    RocmProcess process = process(rows.number(0, -1));
                    state(process, "pid", rows.number(1, -1));
                    state(process, "init_time", rows.number(2, -1));
                    state(process, "fini_time", rows.number(3, -1));
                }
            }
        }
        return stated;
    }

    private static void state(RocmProcess process, String key, long value) {
        if (value >= 0) {
            process.state(key, Long.toString(value));
        }
    }

    private RocmProcess process(long id) {
        return processes.computeIfAbsent(id, i -> {
            RocmProcess made = new RocmProcess(names);
            inOrder.add(made);
            return made;
        });
    }

    /** These columns behind those of the place. */
    private static String[] behindPlace(String... columns) {
        List<String> all = new ArrayList<>(PLACE);
        all.addAll(List.of(columns));
        return all.toArray(String[]::new);
    }

    private RocpdNames.@Nullable Place place(SqliteRows rows) throws IOException {
        long track = rows.number(TRACK, -1);
        return track < 0 ? null : names.place(track);
    }

    private RocmProcess process(SqliteRows rows, RocpdNames.@Nullable Place place) throws IOException {
        return process(rows.number(0, place == null ? -1 : place.process()));
    }

    private long thread(SqliteRows rows, RocpdNames.@Nullable Place place) throws IOException {
        return names.thread(rows.number(1, place == null ? -1 : place.thread()));
    }

    private static long agent(SqliteRows rows, RocpdNames.@Nullable Place place) throws IOException {
        return rows.number(2, place == null ? -1 : place.agent());
    }

    /** Where no stream is named, the queue. */
    private static long stream(SqliteRows rows, RocpdNames.@Nullable Place place) throws IOException {
        long stream = rows.number(4, place == null ? -1 : place.stream());
        return stream >= 0 ? stream : rows.number(3, place == null ? -1 : place.queue());
    }

    /** The number that joins a call and what it launched; the place among nested calls is one. */
    private static long number(SqliteRows rows, int event) throws IOException {
        long stack = rows.number(event, 0);
        return stack > 0 ? stack : rows.number(event + 1, 0);
    }

    private void kernels() throws IOException {
        if (!tables.has(RocpdTables.DISPATCHES)) {
            return;
        }
        String[] wanted = behindPlace(
                "start",
                "end",
                "kernel_id",
                "grid_size_x",
                "grid_size_y",
                "grid_size_z",
                "workgroup_size_x",
                "workgroup_size_y",
                "workgroup_size_z",
                "graph_exec_id",
                "graph_node_id",
                "event_id");
        int own = PLACE.size();
        try (SqliteRows rows = tables.rowsWithEvents(RocpdTables.DISPATCHES, wanted, EVENT)) {
            while (rows.next()) {
                RocpdNames.Place place = place(rows);
                RocmProcess process = process(rows, place);
                long id = rows.number(own + 2, -1);
                RocpdNames.Kernel kernel = names.kernel(id);
                String unknown = id < 0 ? "unknown_kernel" : "unknown_kernel_" + id;
                int name = process.rows().intern(kernel == null ? unknown : kernel.name());
                if (kernel == null) {
                    process.rows().nameMissing();
                }
                int slice = process.device(
                        SliceKind.KERNEL,
                        rows.number(own, -1),
                        rows.number(own + 1, -1),
                        name,
                        agent(rows, place),
                        stream(rows, place),
                        number(rows, wanted.length));
                if (slice >= 0) {
                    long device = names.device(agent(rows, place));
                    counters.moment(rows.number(own + 11, -1), rows.number(own, -1), process, device);
                    size(process, DeviceDetails.GRID, rows, own + 3);
                    size(process, DeviceDetails.BLOCK, rows, own + 6);
                    process.graph(slice, rows.number(own + 9, -1), rows.number(own + 10, -1));
                    if (kernel != null) {
                        process.shortName(slice, name, kernel.brief());
                    }
                }
            }
        }
    }

    private static void size(RocmProcess process, int column, SqliteRows rows, int first) throws IOException {
        process.size(column, rows.number(first, -1), rows.number(first + 1, 1), rows.number(first + 2, 1));
    }

    private void copies() throws IOException {
        if (!tables.has(RocpdTables.COPIES)) {
            return;
        }
        String[] wanted = behindPlace(
                "start", "end", "name_id", "dst_agent_id", "src_agent_id", "size", "graph_exec_id", "graph_node_id");
        int own = PLACE.size();
        try (SqliteRows rows = tables.rowsWithEvents(RocpdTables.COPIES, wanted, EVENT)) {
            while (rows.next()) {
                RocpdNames.Place place = place(rows);
                RocmProcess process = process(rows, place);
                long target = rows.number(own + 3, agent(rows, place));
                long source = rows.number(own + 4, -1);
                int slice = process.device(
                        SliceKind.MEMCPY,
                        rows.number(own, -1),
                        rows.number(own + 1, -1),
                        process.rows().text(tables::string, rows.number(own + 2, -1), "MEMORY_COPY"),
                        names.isDevice(target) || !names.isDevice(source) ? target : source,
                        stream(rows, place),
                        number(rows, wanted.length));
                if (slice >= 0) {
                    process.bytes(rows.number(own + 5, -1));
                    process.graph(slice, rows.number(own + 6, -1), rows.number(own + 7, -1));
                }
            }
        }
    }

    private void regions() throws IOException {
        if (!tables.has(RocpdTables.REGIONS)) {
            return;
        }
        String[] wanted = behindPlace("start", "end", "name_id");
        int own = PLACE.size();
        try (SqliteRows rows = tables.rowsWithEvents(RocpdTables.REGIONS, wanted, EVENT)) {
            while (rows.next()) {
                RocpdNames.Place place = place(rows);
                RocmProcess process = process(rows, place);
                String event = tables.category(rows.number(wanted.length + 2, -1));
                Calls known = event.isEmpty() ? null : calls.computeIfAbsent(event, Calls::of);
                process.host(
                        known == null ? event.isEmpty() ? "region" : event.toLowerCase(Locale.ROOT) : known.category,
                        known == null ? SliceKind.HOST_OTHER : known.kind,
                        rows.number(own, -1),
                        rows.number(own + 1, -1),
                        name(process, rows, own + 2, wanted.length + 3),
                        thread(rows, place),
                        number(rows, wanted.length));
            }
        }
    }

    /** The name of a range is what the user called it, not the call that marked it. */
    private int name(RocmProcess process, SqliteRows rows, int name, int more) throws IOException {
        long id = rows.number(name, -1);
        String text = tables.string(id);
        if (text != null && text.startsWith(RANGE_CALL)) {
            String message = RocpdNames.text(RocpdNames.object(rows.text(more)), "message", "");
            return process.rows().intern(message.isEmpty() ? text : message);
        }
        return process.rows().text(tables::string, id, "unknown_call");
    }

    /** When hardware was asked what it had counted. */
    private void samples() throws IOException {
        if (!counters.any() || !tables.has("sample")) {
            return;
        }
        try (SqliteRows rows = tables.rows("sample", behindPlace("timestamp", "event_id"))) {
            while (rows.next()) {
                RocpdNames.Place place = place(rows);
                long device = Math.max(0, names.device(agent(rows, place)));
                counters.moment(
                        rows.number(PLACE.size() + 1, -1), rows.number(PLACE.size(), -1), process(rows, place), device);
            }
        }
    }

    /** Allocations and releases; a release does not always say its size. */
    private void allocations() throws IOException {
        if (!tables.has("memory_allocate")) {
            return;
        }
        String[] wanted = behindPlace("start", "address", "size", "type", "level");
        int own = PLACE.size();
        Map<Long, Long> sizes = new HashMap<>();
        try (SqliteRows rows = tables.rows("memory_allocate", wanted)) {
            while (rows.next()) {
                String type = rows.text(own + 3);
                long address = rows.number(own + 1, -1);
                long size = rows.number(own + 2, 0);
                boolean given = "ALLOC".equals(type);
                if (!given && !"FREE".equals(type)
                        || !"REAL".equals(rows.text(own + 4)) && rows.text(own + 4) != null) {
                    continue;
                }
                Long known = given ? sizes.put(address, size) : sizes.remove(address);
                long bytes = given ? size : known == null ? size : known;
                if (bytes > 0) {
                    RocpdNames.Place place = place(rows);
                    process(rows, place)
                            .memory(
                                    rows.number(own, -1),
                                    thread(rows, place),
                                    agent(rows, place),
                                    address,
                                    given ? bytes : -bytes);
                }
            }
        }
    }
}
