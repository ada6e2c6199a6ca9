// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Databases of rocprofv3 in each of its schemas, made of the same facts. */
final class MadeRocpd {
    static final List<String> SCHEMAS = List.of("3.0.0", "3.0.1", "3.0.2", "3.0.3", "3.0.4", "3.0.5", "4.1.0");
    private static final String GUID = "00003fdc-92cb-72cb-9169-c7e541b1fcdf";

    private final String schema;
    private final boolean tracks;
    private final String end;
    private final List<String> statements = new ArrayList<>();
    private long events;

    MadeRocpd(String schema) {
        this(schema, GUID);
    }

    MadeRocpd(String schema, String guid) {
        this.schema = schema;
        this.tracks = schema.startsWith("4");
        this.end = "_" + guid.replace('-', '_');
        tables();
    }

    private void table(String name, String columns) {
        statements.add("CREATE TABLE \"rocpd_" + name + end + "\" (\"id\" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,"
                + " \"guid\" TEXT DEFAULT '" + GUID + "' NOT NULL, " + columns + ")");
        statements.add(
                "CREATE VIEW IF NOT EXISTS \"rocpd_" + name + "\" AS SELECT * FROM \"rocpd_" + name + end + "\"");
    }

    private boolean from(String version) {
        return schema.compareTo(version) >= 0;
    }

    private void tables() {
        statements.add("CREATE TABLE \"rocpd_metadata" + end + "\" (id INTEGER PRIMARY KEY, tag TEXT, value TEXT)");
        table("string", "string TEXT NOT NULL UNIQUE");
        table(
                "info_process",
                "nid INTEGER, ppid INTEGER, pid INTEGER, init BIGINT, fini BIGINT, start BIGINT, end BIGINT, command TEXT");
        table(
                "info_thread",
                "nid INTEGER, ppid INTEGER, pid INTEGER, tid INTEGER, name TEXT, start BIGINT, end BIGINT");
        String types = from("3.0.1") ? "'CPU', 'GPU', 'NIC'" : "'CPU', 'GPU'";
        table(
                "info_agent",
                "nid INTEGER, pid INTEGER, type TEXT CHECK (type IN (" + types + ")), absolute_index INTEGER,"
                        + " logical_index INTEGER, type_index INTEGER, name TEXT, product_name TEXT");
        table("info_queue", "nid INTEGER, pid INTEGER, name TEXT");
        table("info_stream", "nid INTEGER, pid INTEGER, name TEXT");
        table(
                "info_kernel_symbol",
                "nid INTEGER, pid INTEGER, kernel_name TEXT, display_name TEXT, extdata JSONB DEFAULT '{}'");
        table(
                "info_pmc",
                "nid INTEGER, pid INTEGER, agent_id INTEGER, name TEXT NOT NULL, symbol TEXT NOT NULL, value_type TEXT");
        table(
                "event",
                "category_id INTEGER, stack_id INTEGER, parent_stack_id INTEGER, correlation_id INTEGER, extdata JSONB DEFAULT '{}'");
        String place = tracks ? "track_id INTEGER" : "nid INTEGER, pid INTEGER, tid INTEGER";
        String onDevice = tracks ? "" : "agent_id INTEGER, queue_id INTEGER, stream_id INTEGER, ";
        String graph = from("3.0.2") ? ", graph_exec_id INTEGER, graph_node_id INTEGER" : "";
        table(
                "kernel_dispatch",
                place + ", " + onDevice + "kernel_id INTEGER, dispatch_id INTEGER, start BIGINT, end BIGINT,"
                        + " workgroup_size_x INTEGER, workgroup_size_y INTEGER, workgroup_size_z INTEGER, grid_size_x INTEGER,"
                        + " grid_size_y INTEGER, grid_size_z INTEGER, region_name_id INTEGER, event_id INTEGER"
                        + graph);
        table(
                "memory_copy",
                place + (tracks ? "" : ", queue_id INTEGER, stream_id INTEGER")
                        + ", start BIGINT, end BIGINT, name_id INTEGER,"
                        + " dst_agent_id INTEGER, src_agent_id INTEGER, size INTEGER, event_id INTEGER" + graph);
        table("region", place + ", start BIGINT, end BIGINT, name_id INTEGER, event_id INTEGER");
        table(
                "memory_allocate",
                place + (tracks ? "" : ", agent_id INTEGER")
                        + ", type TEXT, level TEXT, start BIGINT, end BIGINT, address INTEGER,"
                        + " size INTEGER, event_id INTEGER");
        String units = from("3.0.3") ? ", sample_id INTEGER, xcc INTEGER, shader_engine INTEGER, instance INTEGER" : "";
        table(
                "pmc_event",
                "event_id INTEGER, pmc_id INTEGER, value REAL" + units
                        + (from("3.0.5") ? ", shader_array INTEGER, wgp INTEGER" : ""));
        table("sample", "track_id INTEGER, timestamp BIGINT, event_id INTEGER");
        table(
                "track",
                tracks
                        ? "nid INTEGER, ppid INTEGER, pid INTEGER, tid INTEGER, agent_id INTEGER, queue_id INTEGER, stream_id INTEGER, name_id INTEGER"
                        : "nid INTEGER, pid INTEGER, tid INTEGER, name_id INTEGER");
        if (from("3.0.2")) {
            table("graph_launch", "graph_exec_id INTEGER, event_id INTEGER");
        }
        if (from("3.0.4")) {
            table(
                    "hip_event",
                    place + ", " + onDevice + "name_id INTEGER, hip_event_handle INTEGER, start BIGINT, end BIGINT,"
                            + " event_id INTEGER");
        }
        if (tracks) {
            table("info_category", "name TEXT");
        }
        statements.add(
                "INSERT INTO \"rocpd_metadata" + end + "\" (tag, value) VALUES ('schema_version', '" + schema + "')");
    }

    /** A row; columns and values in turns. */
    MadeRocpd row(String table, Object... columnsAndValues) {
        StringBuilder columns = new StringBuilder();
        StringBuilder values = new StringBuilder();
        for (int i = 0; i < columnsAndValues.length; i += 2) {
            Object value = columnsAndValues[i + 1];
            columns.append(i == 0 ? "" : ", ")
                    .append('"')
                    .append(columnsAndValues[i])
                    .append('"');
            values.append(i == 0 ? "" : ", ")
                    .append(value instanceof String text ? "'" + text.replace("'", "''") + "'" : String.valueOf(value));
        }
        statements.add("INSERT INTO \"rocpd_" + table + end + "\" (" + columns + ") VALUES (" + values + ")");
        return this;
    }

    MadeRocpd text(long id, String text) {
        return row("string", "id", id, "string", text);
    }

    MadeRocpd category(long id, String name) {
        return tracks ? row("info_category", "id", id, "name", name) : text(id, name);
    }

    MadeRocpd process(long id, long pid, long thread, long tid) {
        row("info_process", "id", id, "nid", 1, "pid", pid, "start", 0, "end", 1_000_000);
        return row("info_thread", "id", thread, "pid", id, "tid", tid, "name", "thread " + tid);
    }

    MadeRocpd device(long id, long index) {
        return row(
                "info_agent", "id", id, "type", "GPU", "type_index", index, "name", "gfx942", "product_name", "MI300X");
    }

    MadeRocpd kernelName(long id, String mangled, String name) {
        return row(
                "info_kernel_symbol",
                "id",
                id,
                "kernel_name",
                mangled,
                "display_name",
                name,
                "extdata",
                "{\"formatted_kernel_name\":\"" + name + "\",\"truncated_kernel_name\":\""
                        + name.replaceAll("[<(].*", "") + "\"}");
    }

    /** An event; its number is the last one. */
    private long event(long category, long stack, String more) {
        row("event", "id", ++events, "category_id", category, "stack_id", stack, "correlation_id", 0, "extdata", more);
        return events;
    }

    private Object[] place(
            Object[] rest, long process, long thread, long agent, long queue, long stream, boolean ofDevice) {
        List<Object> all = new ArrayList<>();
        if (tracks) {
            long track =
                    process * 1_000_000 + (thread + 1) * 10_000 + (agent + 1) * 1_000 + (queue + 1) * 100 + stream + 1;
            statements.add("INSERT OR IGNORE INTO \"rocpd_track" + end
                    + "\" (id, pid, tid, agent_id, queue_id, stream_id) VALUES (" + track + ", " + process + ", "
                    + nullable(thread) + ", " + nullable(agent) + ", " + nullable(queue) + ", " + nullable(stream)
                    + ")");
            all.addAll(List.of("track_id", track));
        } else {
            all.addAll(List.of("pid", process, "tid", nullable(thread)));
            if (ofDevice) {
                all.addAll(List.of("queue_id", queue, "stream_id", stream));
            }
            if (agent >= 0) {
                all.addAll(List.of("agent_id", agent));
            }
        }
        all.addAll(List.of(rest));
        return all.toArray();
    }

    private static Object nullable(long id) {
        return id < 0
                ? new Object() {
                    @Override
                    public String toString() {
                        return "NULL";
                    }
                }
                : id;
    }

    /** A kernel; returns the number of its event. */
    long kernel(long process, long agent, long stream, long kernel, long start, long end, long category, long stack) {
        long event = event(category, stack, "{}");
        Object[] rest = {
            "kernel_id",
            kernel,
            "start",
            start,
            "end",
            end,
            "workgroup_size_x",
            64,
            "workgroup_size_y",
            1,
            "workgroup_size_z",
            1,
            "grid_size_x",
            128,
            "grid_size_y",
            2,
            "grid_size_z",
            1,
            "event_id",
            event
        };
        row("kernel_dispatch", place(rest, process, -1, agent, 3, stream, true));
        return event;
    }

    void copy(
            long process,
            long target,
            long source,
            long stream,
            long name,
            long start,
            long end,
            long bytes,
            long stack) {
        Object[] rest = {
            "start",
            start,
            "end",
            end,
            "name_id",
            name,
            "dst_agent_id",
            target,
            "src_agent_id",
            source,
            "size",
            bytes,
            "event_id",
            event(0, stack, "{}")
        };
        row("memory_copy", place(rest, process, -1, -1, 3, stream, true));
    }

    void region(long process, long thread, long name, long start, long end, long category, long stack, String more) {
        Object[] rest = {"start", start, "end", end, "name_id", name, "event_id", event(category, stack, more)};
        row("region", place(rest, process, thread, -1, -1, -1, false));
    }

    /** What a stream does with an event; schemas before 3.0.4 know nothing of it. */
    void event(
            long process, long agent, long stream, long name, long handle, long start, long end, long category, long stack) {
        if (!from("3.0.4")) {
            return;
        }
        Object[] rest = {
            "name_id",
            name,
            "hip_event_handle",
            handle,
            "start",
            start,
            "end",
            end,
            "event_id",
            event(category, stack, "{}")
        };
        row("hip_event", place(rest, process, -1, agent, 3, stream, true));
    }

    void allocation(long process, long thread, long agent, String type, long at, long address, long size) {
        Object[] rest = {"type", type, "level", "REAL", "start", at, "end", at + 5, "address", address, "size", size};
        row("memory_allocate", place(rest, process, thread, agent, -1, -1, false));
    }

    /** Writes the database. */
    Path write(Path file) throws IOException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file)) {
            connection.setAutoCommit(false);
            for (String sql : statements) {
                try (Statement statement = connection.createStatement()) {
                    statement.executeUpdate(sql);
                }
            }
            connection.commit();
        } catch (SQLException e) {
            throw new IOException(e);
        }
        return file;
    }

    /** Adds the tables and rows of another recording to the same file. */
    MadeRocpd with(MadeRocpd other) {
        statements.addAll(other.statements.stream()
                .filter(sql -> !sql.startsWith("CREATE VIEW"))
                .toList());
        return this;
    }
}
