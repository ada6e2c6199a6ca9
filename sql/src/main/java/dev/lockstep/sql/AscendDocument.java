// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.model.CollectiveDetails;
import dev.lockstep.model.DetailRows;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.MemoryDetails;
import dev.lockstep.model.OpDetails;
import dev.lockstep.model.Rank;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceBuilder;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.read.AscendTexts;
import dev.lockstep.read.AscendTracks;
import dev.lockstep.read.EventCategories;
import dev.lockstep.read.RankNames;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongList;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes the trace of a database of Ascend's profiler. Slices lie on tracks with the names that {@code trace_view.json} gives
 * them, so that {@link AscendTracks} says of both what their slices are.
 */
final class AscendDocument {
    /** Columns that hold texts, or times as texts. */
    static final Set<String> TEXTS = Set.of("value", "name", "startNs", "endNs", "count");

    private static final String TASKS = "TASK";
    private static final String OPERATORS = "PYTORCH_API";
    private static final String CALLS = "CANN_API";
    private static final String COLLECTIVES = "COMMUNICATION_OP";
    private static final String PARTS = "COMMUNICATION_TASK_INFO";
    private static final String COMPUTE = "COMPUTE_TASK_INFO";
    private static final String LINKS = "CONNECTION_IDS";

    /** Stand for none. */
    private static final long NONE = 0xFFFFFFFFL;

    private static final long NONE_OF_ALL = Long.MAX_VALUE;

    /** A process is the host's, a layer and a device: the numbers that {@code trace_view.json} has. */
    private static final int PROCESSES = 1024;

    private static final int DEVICES = 32;

    private enum Layer {
        CANN("CANN", "CPU", 7),
        HARDWARE("Ascend Hardware", "NPU", 13),
        HCCL("HCCL", "NPU", 15);

        private final String title;
        private final String label;
        private final int number;

        Layer(String title, String label, int number) {
            this.title = title;
            this.label = label;
            this.number = number;
        }
    }

    /** Kinds of operators' rows, by their numbers; the category that {@code trace_view.json} has for each. */
    private static final Map<Long, String> KINDS =
            Map.of(50001L, "cpu_op", 50002L, "enqueue", 50003L, "python_function", 50004L, "user_annotation");

    /** How calls of a level are called in front of their names. */
    private static final Map<Long, String> LEVELS =
            Map.of(20000L, "AscendCL", 15000L, "Model", 10000L, "Node", 5500L, "Hccl", 5000L, "Runtime");

    private static final int MOST_DIGITS = 19;
    private static final String DEQUEUE = "Dequeue";
    private static final String STEP = "ProfilerStep#";

    private final SqliteFile file;
    private final Set<String> stored;
    private final RowsOfRank rows = new RowsOfRank();
    private final TraceBuilder builder = rows.builder();
    private final Map<Long, String> texts;
    private long device;
    private long rank = -1;
    private long process = -1;

    /** By connection: the slice of the task or collective that a call launched. */
    private final LongIntMap launched = new LongIntMap(1 << 10);

    /** By connection: the last operator, or entry of a queue, that has it. */
    private final LongIntMap began = new LongIntMap(1 << 10);

    /** By id of a row's connections: the first of them, of which each names the next. */
    private final LongIntMap links = new LongIntMap(1 << 10);

    private final LongList connections = new LongList(16);
    private final IntList following = new IntList(16);

    AscendDocument(SqliteFile file) throws IOException {
        this.file = file;
        this.stored = Set.copyOf(file.storedTables());
        this.texts = texts("STRING_IDS", "value");
    }

    /** Whether a file holds such a recording. */
    static boolean isOne(SqliteFile file) throws IOException {
        List<String> tables = file.storedTables();
        return tables.contains("STRING_IDS")
                && (tables.contains(TASKS) || tables.contains(OPERATORS) || tables.contains(CALLS));
    }

    List<Trace> read(Diagnostics diagnostics) throws IOException {
        Map<String, String> metadata = facts();
        links();
        tasks();
        calls();
        operators();
        steps();
        memory();
        rows.finish(0);
        AscendTracks.apply(builder);
        file.noteDamagedRows(diagnostics);
        builder.diagnostics().addAll(diagnostics);
        Rank known = rank >= 0 && rank <= Integer.MAX_VALUE
                ? new Rank((int) rank, Rank.Origin.TRACE)
                : RankNames.unstated(file.input().path(), 0, true, builder.diagnostics());
        return List.of(builder.build(
                new TraceInfo(file.input().name(), AscendReader.FORMAT.id(), known, -1, devices(), 0, metadata)));
    }

    private Map<Long, String> texts(String table, String column) throws IOException {
        Map<Long, String> found = new HashMap<>();
        if (stored.contains(table)) {
            try (SqliteRows of = file.rows(table, "id", column)) {
                while (of.next()) {
                    String text = of.text(1);
                    if (text != null) {
                        found.put(of.number(0, -1), text);
                    }
                }
            }
        }
        return found;
    }

    /** What the recording says of itself; the device and its rank. */
    private Map<String, String> facts() throws IOException {
        Map<String, String> metadata = new TreeMap<>();
        if (stored.contains("RANK_DEVICE_MAP")) {
            try (SqliteRows of = file.rows("RANK_DEVICE_MAP", "rankId", "deviceId")) {
                if (of.next()) {
                    rank = of.number(0, -1);
                    device = Math.max(0, of.number(1, 0));
                }
            }
        }
        if (stored.contains("META_DATA")) {
            String schema = SqliteFile.schema(file.rows("META_DATA", "name", "value"), "SCHEMA_VERSION");
            if (schema != null) {
                metadata.put("ascend_schema", schema);
            }
        }
        return metadata;
    }

    private List<TraceInfo.Device> devices() throws IOException {
        List<TraceInfo.Device> found = new ArrayList<>();
        texts("NPU_INFO", "name").entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(entry -> found.add(new TraceInfo.Device(entry.getKey(), entry.getValue())));
        return found;
    }

    private void links() throws IOException {
        if (!stored.contains(LINKS)) {
            return;
        }
        try (SqliteRows of = file.rows(LINKS, "id", "connectionId")) {
            while (of.next()) {
                int place = connections.size();
                connections.add(of.number(1, -1));
                following.add(links.put(of.number(0, -1), place));
            }
        }
    }

    private int track(Layer layer, long ofDevice, long thread, String threadName) {
        String id = Long.toString(
                Math.max(0, process) * PROCESSES + (long) layer.number * DEVICES + Math.floorMod(ofDevice, DEVICES));
        String plain = Long.toString(thread);
        builder.processName(id, layer.title);
        builder.processLabels(id, layer.label);
        builder.threadName(id, plain, threadName);
        return builder.track(rows.intern(id), rows.intern(plain));
    }

    private static long connection(long stated) {
        return stated == NONE || stated == NONE_OF_ALL ? -1 : stated;
    }

    private int text(long id, String otherwise) {
        return rows.text(texts::get, id, otherwise);
    }

    /** Adds a slice; returns its number, -1 where its times cannot be. */
    private int slice(long start, long end, int name, int track, SliceKind kind, int category, String counted) {
        int place = rows.count(counted);
        if (!rows.usable(start, end)) {
            return -1;
        }
        int slice = builder.slice(start, end - start, name, track, kind);
        builder.source(slice, category, place);
        return slice;
    }

    private void tasks() throws IOException {
        if (!stored.contains(TASKS)) {
            return;
        }
        LongIntMap kernels = new LongIntMap(1 << 10);
        if (stored.contains(COMPUTE)) {
            try (SqliteRows of = file.rows(COMPUTE, "globalTaskId", "name")) {
                while (of.next()) {
                    kernels.put(of.number(0, -1), text(of.number(1, -1), "kernel"));
                }
            }
        }
        AscendParts parts = new AscendParts();
        if (stored.contains(PARTS)) {
            try (SqliteRows of = file.rows(PARTS, "globalTaskId", "taskType", "planeId", "opId")) {
                while (of.next()) {
                    parts.add(of.number(0, -1), text(of.number(1, -1), "part"), of.number(2, 0), of.number(3, -1));
                }
            }
        }
        Map<Long, Integer> groups = collectives();
        String[] wanted = {
            "startNs", "endNs", "deviceId", "connectionId", "globalTaskId", "globalPid", "taskType", "streamId"
        };
        try (SqliteRows of = file.rows(TASKS, wanted)) {
            while (of.next()) {
                long start = of.number(0, -1);
                long end = of.number(1, -1);
                long task = of.number(4, -1);
                int part = parts.of(task);
                int kernel = kernels.get(task);
                process = process < 0 ? of.number(5, -1) : process;
                long stream = of.number(7, -1);
                int name = kernel >= 0 ? kernel : text(of.number(6, -1), "task");
                int track = track(Layer.HARDWARE, of.number(2, device), stream, "Stream " + stream);
                int slice = slice(start, end, name, track, SliceKind.HOST_OTHER, -1, TASKS);
                long joined = connection(of.number(3, -1));
                if (slice >= 0 && joined >= 0) {
                    builder.join(slice, joined, -1);
                    if (launched.get(joined) < 0) {
                        launched.put(joined, slice);
                    }
                }
                if (part >= 0) {
                    int group = groups.getOrDefault(parts.operation(part), 0);
                    long plane = AscendParts.thread(group, parts.plane(part));
                    int on = track(Layer.HCCL, of.number(2, device), plane, "Plane " + parts.plane(part));
                    slice(start, end, parts.name(part), on, SliceKind.HOST_OTHER, -1, PARTS);
                }
            }
        }
    }

    /** Adds the collectives; returns the number of the group of each, by operation. */
    private Map<Long, Integer> collectives() throws IOException {
        Map<Long, Integer> groups = new HashMap<>();
        if (!stored.contains(COLLECTIVES)) {
            return groups;
        }
        Map<Long, String> types = texts("ENUM_HCCL_DATA_TYPE", "name");
        Map<Long, Integer> numbers = new HashMap<>();
        process = processOfTasks();
        String[] wanted = {
            "opName", "startNs", "endNs", "connectionId", "groupName", "opId", "dataType", "count", "deviceId"
        };
        try (SqliteRows of = file.rows(COLLECTIVES, wanted)) {
            while (of.next()) {
                int group = numbers.computeIfAbsent(of.number(4, -1), id -> numbers.size());
                groups.put(of.number(5, -1), group);
                int track = track(
                        Layer.HCCL,
                        of.number(8, device),
                        AscendParts.thread(group, -1),
                        "Group " + group + " Communication");
                int name = text(of.number(0, -1), "collective");
                int slice =
                        slice(of.number(1, -1), of.number(2, -1), name, track, SliceKind.HOST_OTHER, -1, COLLECTIVES);
                if (slice >= 0) {
                    long joined = connection(of.number(3, -1));
                    builder.join(slice, joined, -1);
                    launched.put(joined, slice);
                    collective(slice, builder.strings().get(name), of.number(7, -1), types.get(of.number(6, -1)));
                }
            }
        }
        return groups;
    }

    private long processOfTasks() throws IOException {
        try (SqliteRows of = file.rows(TASKS, "globalPid")) {
            return of.next() ? of.number(0, -1) : -1;
        }
    }

    private void collective(int slice, String name, long elements, @Nullable String type) {
        AscendTexts.Collective said = AscendTexts.collective(name);
        if (said == null) {
            return;
        }
        DetailRows details = builder.details(CollectiveDetails.KEY);
        details.add(slice);
        details.text(CollectiveDetails.COLLECTIVE, rows.intern(said.name()));
        details.number(CollectiveDetails.IN_ELEMENTS, elements);
        details.number(CollectiveDetails.OUT_ELEMENTS, elements);
        details.text(CollectiveDetails.DTYPE, type == null ? -1 : rows.intern(AscendTexts.type(type)));
        if (said.group() != null) {
            details.text(CollectiveDetails.GROUP_NAME, rows.intern(said.group()));
            details.number(CollectiveDetails.SEQUENCE, said.sequence());
        }
    }

    private static long thread(long globalTid) {
        return globalTid < 0 ? -1 : globalTid & NONE;
    }

    private void calls() throws IOException {
        if (!stored.contains(CALLS)) {
            return;
        }
        Map<Long, Integer> names = new HashMap<>();
        try (SqliteRows of = file.rows(CALLS, "startNs", "endNs", "type", "globalTid", "connectionId", "name")) {
            while (of.next()) {
                long level = of.number(2, -1);
                long id = of.number(5, -1);
                process = process < 0 ? of.number(3, -1) >>> 32 : process;
                int plain = text(id, "call");
                int name = names.computeIfAbsent(
                        level << Integer.SIZE | plain,
                        key -> rows.intern(LEVELS.getOrDefault(level, "CANN") + "@"
                                + builder.strings().get(plain)));
                long thread = thread(of.number(3, -1));
                int track = track(Layer.CANN, device, thread, "Thread " + thread);
                int slice = slice(of.number(0, -1), of.number(1, -1), name, track, SliceKind.HOST_OTHER, -1, CALLS);
                if (slice >= 0) {
                    builder.join(slice, connection(of.number(4, -1)), -1);
                }
            }
        }
    }

    private void operators() throws IOException {
        if (!stored.contains(OPERATORS)) {
            return;
        }
        String[] wanted = {
            "startNs",
            "endNs",
            "globalTid",
            "connectionId",
            "name",
            "sequenceNumber",
            "inputDtypes",
            "inputShapes",
            "type"
        };
        try (SqliteRows of = file.rows(OPERATORS, wanted)) {
            while (of.next()) {
                int name = text(of.number(4, -1), "operator");
                String kind = KINDS.getOrDefault(of.number(8, -1), "operator");
                boolean taken =
                        kind.equals("enqueue") && builder.strings().get(name).startsWith(DEQUEUE);
                String category = taken ? "dequeue" : kind;
                int track = host(of.number(2, -1));
                int slice = slice(
                        time(of.text(0)),
                        time(of.text(1)),
                        name,
                        track,
                        EventCategories.kindOf(category),
                        rows.intern(category),
                        category);
                if (slice < 0) {
                    continue;
                }
                if (kind.equals("cpu_op")) {
                    operator(slice, of);
                }
                for (int link = links.get(of.number(3, -1)); link >= 0; link = following.get(link)) {
                    link(connections.get(link), slice, category);
                }
            }
        }
    }

    /** A time that is written as a text; -1 for what is none. */
    private static long time(@Nullable String text) {
        boolean plain = text != null
                && !text.isEmpty()
                && text.length() < MOST_DIGITS
                && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return plain ? Long.parseLong(text) : -1;
    }

    private int host(long globalTid) {
        String id = Long.toString(globalTid < 0 ? Math.max(0, process) : globalTid >>> 32);
        String thread = Long.toString(thread(globalTid));
        builder.processName(id, "Python");
        builder.processLabels(id, "CPU");
        builder.threadName(id, thread, "Thread " + thread);
        return builder.track(rows.intern(id), rows.intern(thread));
    }

    private void operator(int slice, SqliteRows of) throws IOException {
        String types = texts.get(of.number(6, -1));
        String shapes = texts.get(of.number(7, -1));
        long sequence = of.number(5, Long.MIN_VALUE);
        if (types != null || shapes != null || sequence != Long.MIN_VALUE) {
            DetailRows details = builder.details(OpDetails.KEY);
            details.add(slice);
            details.text(OpDetails.INPUT_DIMS, shapes == null ? -1 : rows.intern(AscendTexts.list(shapes)));
            details.text(OpDetails.INPUT_TYPES, types == null ? -1 : rows.intern(AscendTexts.list(types)));
            details.number(OpDetails.SEQUENCE, Math.max(-1, sequence));
        }
    }

    /** Adds the arrow from an operator to what it launched, from one to its backward, or from a queue's end to the other. */
    private void link(long connection, int slice, String category) {
        if (category.equals("enqueue") || category.equals("dequeue")) {
            builder.join(slice, connection, -1);
        }
        int task = launched.get(connection);
        if (task >= 0) {
            arrow("async_npu", connection, slice, task);
            return;
        }
        int first = began.put(connection, slice);
        if (first >= 0) {
            boolean inOrder = builder.start(first) <= builder.start(slice);
            String arrows = category.equals("cpu_op") ? "fwdbwd" : "async_task_queue";
            arrow(arrows, connection, inOrder ? first : slice, inOrder ? slice : first);
        }
    }

    private void arrow(String category, long id, int from, int to) {
        int named = rows.intern(category);
        builder.flow(id, 's', builder.start(from), builder.trackOf(from), named);
        builder.flow(id, 'f', builder.start(to), builder.trackOf(to), named);
    }

    /** Steps of recordings without a framework, whose operators would name them. */
    private void steps() throws IOException {
        if (!stored.contains("STEP_TIME") || stored.contains(OPERATORS)) {
            return;
        }
        try (SqliteRows of = file.rows("STEP_TIME", "id", "startNs", "endNs")) {
            while (of.next()) {
                int name = rows.intern(STEP + of.number(0, 0));
                int track = host(-1);
                slice(of.number(1, -1), of.number(2, -1), name, track, SliceKind.ANNOTATION, -1, "STEP_TIME");
            }
        }
    }

    /** What operators allocated and freed; no address is recorded. */
    private void memory() throws IOException {
        if (!stored.contains("OP_MEMORY")) {
            return;
        }
        String[] wanted = {
            "size",
            "deviceId",
            "allocationTime",
            "allocationTotalAllocated",
            "allocationTotalReserved",
            "releaseTime",
            "releaseTotalAllocated",
            "releaseTotalReserved"
        };
        int track = host(-1);
        try (SqliteRows of = file.rows("OP_MEMORY", wanted)) {
            while (of.next()) {
                for (int side = 2; side < wanted.length; side += 3) {
                    long at = of.number(side, -1);
                    if (at < 0 || !rows.usable(at)) {
                        continue; // it lives, or was there before
                    }
                    rows.count("OP_MEMORY");
                    int mark = builder.markCount();
                    builder.mark('i', at, track, rows.intern(MemoryDetails.MARK), rows.intern("memory_allocation"));
                    DetailRows details = builder.markDetails(MemoryDetails.KEY);
                    details.add(mark);
                    details.number(MemoryDetails.DEVICE, of.number(1, device));
                    details.number(MemoryDetails.BYTES, (side == 2 ? 1 : -1) * of.number(0, 0));
                    details.number(MemoryDetails.ALLOCATED, of.number(side + 1, -1));
                    details.number(MemoryDetails.RESERVED, of.number(side + 2, -1));
                }
            }
        }
    }
}
