// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.SliceKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
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
    private static final String[] JOINS = {"stack_id", "correlation_id"};
    private static final String[] JOINS_AND_KIND = {"stack_id", "correlation_id", "category_id", "extdata"};

    /** Room for more slices than these is made when they come. */
    private static final int MOST_EXPECTED = 1 << 26;

    /** What a stream does with an event, where numbers say it. */
    private static final long RECORD = 1;

    private static final long WAIT = 2;

    /** What ranges of the user are called whose text stands elsewhere. */
    private static final String RANGE_CALL = "roctx";

    /** What a kind of event is. */
    private record Call(String category, SliceKind kind) {
        /** @param event what the recording calls the kind, empty where nothing says it */
        static Call of(String event) {
            String upper = event.toUpperCase(Locale.ROOT);
            if (upper.contains("HIP")) {
                return new Call("hip_api", SliceKind.RUNTIME_CALL);
            } else if (upper.contains("HSA")) {
                return new Call("hsa_api", SliceKind.DRIVER_CALL);
            } else if (upper.contains("MARKER")) {
                return new Call("marker_api", SliceKind.ANNOTATION);
            } else if (upper.contains("RCCL")) {
                return new Call("rccl_api", SliceKind.HOST_OTHER);
            }
            return new Call(event.isEmpty() ? "region" : event.toLowerCase(Locale.ROOT), SliceKind.HOST_OTHER);
        }
    }

    private final RocpdTables tables;
    private final RocpdNames names;
    private final Map<Long, RocmProcess> processes = new LinkedHashMap<>();
    private final Map<String, Call> calls = new HashMap<>();

    private final RocpdCounters counters;

    /** How many slices a process may have. */
    private final int expected;

    RocpdRecording(RocpdTables tables) throws IOException {
        this.tables = tables;
        this.counters = new RocpdCounters(tables);
        this.names = new RocpdNames(tables);
        long slices = tables.about(RocpdTables.DISPATCHES)
                + tables.about(RocpdTables.COPIES)
                + tables.about(RocpdTables.REGIONS);
        long processesStated = Math.max(1, tables.count("info_process"));
        this.expected = (int) Math.min(slices / processesStated, MOST_EXPECTED);
    }

    /** The processes, in order of their rows; of those that did nothing only where none did anything. */
    List<RocmProcess> read() throws IOException {
        String schema = schema();
        processes();
        kernels();
        copies();
        regions();
        events();
        allocations();
        samples();
        counters.read();
        List<RocmProcess> all = List.copyOf(processes.values());
        if (schema != null) {
            all.forEach(process -> process.state("rocpd_schema", schema));
        }
        List<RocmProcess> busy =
                all.stream().filter(process -> process.rows().any()).toList();
        return busy.isEmpty() ? List.of(all.isEmpty() ? new RocmProcess(names) : all.getFirst()) : busy;
    }

    /** The version of the tables that the recording states last, null where it states none. */
    private @Nullable String schema() throws IOException {
        return tables.has("metadata")
                ? SqliteFile.schema(tables.rows("metadata", "tag", "value"), "schema_version")
                : null;
    }

    /** States what processes there are. */
    private void processes() throws IOException {
        if (!tables.has("info_process")) {
            return;
        }
        try (SqliteRows rows = tables.rows("info_process", "id", "pid", "start", "end")) {
            while (rows.next()) {
                RocmProcess process = process(rows.number(0, -1));
                state(process, "pid", rows.number(1, -1));
                state(process, "init_time", rows.number(2, -1));
                state(process, "fini_time", rows.number(3, -1));
            }
        }
    }

    private static void state(RocmProcess process, String key, long value) {
        if (value >= 0) {
            process.state(key, Long.toString(value));
        }
    }

    private RocmProcess process(long id) {
        return processes.computeIfAbsent(id, i -> new RocmProcess(names, expected));
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
        try (SqliteRows rows = tables.rowsWithEvents(RocpdTables.DISPATCHES, wanted, JOINS)) {
            while (rows.next()) {
                RocpdNames.Place place = place(rows);
                RocmProcess process = process(rows, place);
                long agent = agent(rows, place);
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
                        agent,
                        stream(rows, place),
                        number(rows, wanted.length));
                if (slice >= 0) {
                    counters.moment(
                            rows.number(own + 11, -1),
                            rows.number(own, -1),
                            process,
                            names.agents().device(agent));
                    size(process, DeviceDetails.GRID, rows, own + 3);
                    size(process, DeviceDetails.BLOCK, rows, own + 6);
                    process.graph(slice, rows.number(own + 9, -1), rows.number(own + 10, -1));
                    if (kernel != null) {
                        process.rows().shortName(slice, name, kernel.brief());
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
        try (SqliteRows rows = tables.rowsWithEvents(RocpdTables.COPIES, wanted, JOINS)) {
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
                        names.agents().isDevice(target) || !names.agents().isDevice(source) ? target : source,
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
        try (SqliteRows rows = tables.rowsWithEvents(RocpdTables.REGIONS, wanted, JOINS_AND_KIND)) {
            while (rows.next()) {
                RocpdNames.Place place = place(rows);
                RocmProcess process = process(rows, place);
                Call call = calls.computeIfAbsent(tables.category(rows.number(wanted.length + 2, -1)), Call::of);
                process.host(
                        call.category(),
                        call.kind(),
                        rows.number(own, -1),
                        rows.number(own + 1, -1),
                        name(process, rows, own + 2, wanted.length + 3),
                        thread(rows, place),
                        number(rows, wanted.length));
            }
        }
    }

    /** What streams recorded and waited for. */
    private void events() throws IOException {
        if (!tables.has("hip_event")) {
            return;
        }
        String[] wanted = behindPlace("start", "end", "name_id", "operation", "hip_event_handle", "event_handle");
        int own = PLACE.size();
        RocpdEvents events = new RocpdEvents();
        try (SqliteRows rows = tables.rowsWithEvents("hip_event", wanted, JOINS)) {
            while (rows.next()) {
                RocpdNames.Place place = place(rows);
                String name = tables.string(rows.number(own + 2, -1));
                long operation = rows.number(own + 3, -1);
                events.add(
                        process(rows, place),
                        name != null ? name : operation == RECORD ? "RECORD" : operation == WAIT ? "WAIT" : "",
                        rows.number(own + 4, rows.number(own + 5, -1)),
                        new long[] {agent(rows, place), stream(rows, place)},
                        number(rows, wanted.length),
                        rows.number(own, -1),
                        rows.number(own + 1, -1));
            }
        }
        events.resolve();
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
                long device = Math.max(0, names.agents().device(agent(rows, place)));
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
