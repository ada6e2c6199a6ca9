// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.codec.JsonCursor;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.model.DetailRows;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Diagnostics.Weight;
import dev.lockstep.model.RangeNames;
import dev.lockstep.model.Rank;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.read.OtherFormats.Other;
import dev.lockstep.read.RankNames;
import dev.lockstep.read.nsys.NsysKernel;
import dev.lockstep.read.nsys.NsysRows;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Makes traces of an export, table by table: first what ran on devices, which says what ranks there are. */
final class NsysDocument {
    private static final String EXPORT = "META_DATA_EXPORT";
    private static final String COPIES = "CUPTI_ACTIVITY_KIND_MEMCPY";
    private static final String FILLS = "CUPTI_ACTIVITY_KIND_MEMSET";
    private static final String GRAPHS = "CUPTI_ACTIVITY_KIND_GRAPH_TRACE";
    private static final String WAITS = "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION";
    private static final String SYSTEM_CALLS = "OSRT_API";
    private static final String OVERHEAD = "PROFILER_OVERHEAD";
    private static final String GPUS = "TARGET_INFO_GPU";
    private static final String SESSION = "TARGET_INFO_SESSION_START_TIME";
    private static final String THREADS = "ThreadNames";

    /** What a launcher that records one process for each file calls them: job, node, rank. */
    private static final Pattern BY_RANK = Pattern.compile("profile_\\d+_\\d+_(\\d{1,7})\\.sqlite");

    /** What {@code emit_nvtx} of PyTorch calls operators. */
    private static final Pattern OPERATOR = Pattern.compile("[A-Za-z_][\\w.]*::[\\w.]+");

    private static final int RANGE = 59;
    private static final int FREE_RANGE = 60;
    private static final int MARK = 34;

    private final SqliteFile file;
    private final NsysTexts texts;
    private final NsysRanks ranks = new NsysRanks();
    private final NsysCollectives collectives;
    private final NcclPayloads payloads;

    /** Where PyTorch recorded no operators: ranges, of which those are operators in which something was launched. */
    private final @Nullable LaunchingRanges ranges;

    /** The process of what ran on devices, where rows do not name it. */
    private final long unnamed;

    NsysDocument(SqliteFile file) throws IOException {
        this.file = file;
        collectives = new NsysCollectives(file.input().name());
        if (!file.has(SqliteNsysExports.STRINGS)) {
            Other other = OtherDatabases.of(file.tables());
            throw new TraceFormatException(
                    other.isRecording() ? ErrorCode.FORMAT_CORRUPT : ErrorCode.FORMAT_UNKNOWN,
                    file.input().name(),
                    -1,
                    "this is " + other.title(),
                    other.hint());
        }
        texts = NsysTexts.of(file);
        payloads = NcclPayloads.of(file);
        ranges = hasOperators() ? null : new LaunchingRanges();
        unnamed = unnamed();
    }

    /** The only process that called the runtime, where kernels name none; else 0. */
    private long unnamed() throws IOException {
        List<String> kernels = file.columns(SqliteNsysExports.KERNELS);
        if (kernels.isEmpty() || kernels.contains("globalPid") || !file.has(SqliteNsysExports.CALLS)) {
            return 0;
        }
        long only = 0;
        try (SqliteRows rows = file.rows(SqliteNsysExports.CALLS, "globalTid")) {
            while (rows.next()) {
                long process = rows.number(0, 0) & ~NsysRanks.WITHIN_PROCESS;
                if (only != 0 && process != only) {
                    return 0;
                }
                only = process;
            }
        }
        return only;
    }

    /** Whether PyTorch wrote its operators as ranges. */
    private boolean hasOperators() throws IOException {
        if (!file.has(SqliteNsysExports.ANNOTATIONS)) {
            return true;
        }
        List<String> known = file.columns(SqliteNsysExports.ANNOTATIONS);
        List<String> conditions = new ArrayList<>();
        for (String form : List.of("aten::*", "*::*, seq = *", "*::*, op_id = *")) {
            if (known.contains("text")) {
                conditions.add("substr(text, 1, 4096) GLOB '" + form + "'");
            }
            if (known.contains("textId")
                    && file.columns(SqliteNsysExports.STRINGS).containsAll(List.of("id", "value"))) {
                conditions.add("textId IN (SELECT id FROM " + SqliteNsysExports.STRINGS
                        + " WHERE substr(value, 1, 4096) GLOB '" + form + "')");
            }
        }
        if (conditions.isEmpty()) {
            return true;
        }
        try (SqliteRows rows =
                file.rowsWhere(String.join(" OR ", conditions) + " LIMIT 1", SqliteNsysExports.ANNOTATIONS, "start")) {
            return rows.next();
        }
    }

    List<Trace> read(Diagnostics diagnostics) throws IOException {
        kernels();
        copies(COPIES, SliceKind.MEMCPY, "gpu_memcpy");
        copies(FILLS, SliceKind.MEMSET, "gpu_memset");
        graphs();
        waits();
        calls();
        hostCalls(SYSTEM_CALLS, HostActivity.OSRT);
        hostCalls(OVERHEAD, HostActivity.OVERHEAD);
        annotations();
        new NsysMetrics(file, ranks).read();
        collectives.write();
        names();
        if (!file.has(SqliteNsysExports.KERNELS)) {
            diagnostics.add(
                    Weight.OBSERVATION,
                    "nsys_table_missing",
                    "there is no table " + SqliteNsysExports.KERNELS + ": kernels were not recorded (--trace=cuda)",
                    -1);
        }
        file.noteDamagedRows(diagnostics);
        NsysRecording.unread(file, diagnostics);
        return build(diagnostics);
    }

    private void kernels() throws IOException {
        if (!file.has(SqliteNsysExports.KERNELS)) {
            return;
        }
        try (SqliteRows rows = file.rows(
                SqliteNsysExports.KERNELS,
                "start",
                "end",
                "globalPid",
                "deviceId",
                "streamId",
                "correlationId",
                "demangledName",
                "shortName",
                "registersPerThread",
                "staticSharedMemory",
                "dynamicSharedMemory",
                "gridX",
                "gridY",
                "gridZ",
                "blockX",
                "blockY",
                "blockZ")) {
            while (rows.next()) {
                NsysRank rank = ranks.ofDevice(rows.number(2, unnamed), rows.number(3, 0), rows.number(5, -1));
                int name = rank.text(texts, rows.number(6, -1), "unknown_kernel");
                int slice = rank.device(rows, name, "kernel", SliceKind.KERNEL);
                if (slice >= 0) {
                    details(rank, slice, rows);
                    rank.shortName(slice, name, texts, rows.number(7, -1));
                    collective(rank, slice, name, rows);
                }
            }
        }
    }

    private void collective(NsysRank rank, int slice, int name, SqliteRows rows) throws IOException {
        collectives.kernel(
                rank,
                slice,
                new NsysKernel(
                        rows.number(0, -1),
                        rows.number(1, -1),
                        rows.number(2, unnamed),
                        (int) rows.number(3, -1),
                        (int) rows.number(4, -1),
                        rows.number(5, -1),
                        -1,
                        rank.builder().strings().get(name)));
    }

    private static void details(NsysRank rank, int slice, SqliteRows rows) throws IOException {
        DetailRows details = deviceDetails(rank, slice, rows);
        details.number(DeviceDetails.REGISTERS, rows.number(8, -1));
        long shared = rows.number(9, -1);
        long sum = shared + Math.max(0, rows.number(10, 0));
        details.number(DeviceDetails.SHARED_MEMORY, shared < 0 || sum < 0 ? -1 : sum);
        details.text(DeviceDetails.GRID, sizes(rank, rows, 11));
        details.text(DeviceDetails.BLOCK, sizes(rank, rows, 14));
    }

    private static DetailRows deviceDetails(NsysRank rank, int slice, SqliteRows rows) throws IOException {
        DetailRows details = rank.builder().details(DeviceDetails.KEY);
        details.add(slice);
        details.number(DeviceDetails.DEVICE, rows.number(3, -1));
        details.number(DeviceDetails.STREAM, rows.number(4, -1));
        return details;
    }

    private static int sizes(NsysRank rank, SqliteRows rows, int column) throws IOException {
        long x = rows.number(column, -1);
        return x < 0
                ? -1
                : rank.intern("[" + x + ", " + rows.number(column + 1, 1) + ", " + rows.number(column + 2, 1) + "]");
    }

    private void copies(String table, SliceKind kind, String category) throws IOException {
        if (!file.has(table)) {
            return;
        }
        boolean copy = kind == SliceKind.MEMCPY;
        try (SqliteRows rows = file.rows(
                table,
                "start",
                "end",
                "globalPid",
                "deviceId",
                "streamId",
                "correlationId",
                "bytes",
                copy ? "copyKind" : "memKind",
                "srcKind",
                "dstKind")) {
            while (rows.next()) {
                NsysRank rank = ranks.ofDevice(rows.number(2, unnamed), rows.number(3, 0), rows.number(5, -1));
                String name = copy
                        ? texts.copy(rows.number(7, -1), rows.number(8, -1), rows.number(9, -1))
                        : texts.fill(rows.number(7, -1));
                int slice = rank.device(rows, rank.intern(name), category, kind);
                if (slice >= 0) {
                    deviceDetails(rank, slice, rows).number(DeviceDetails.BYTES, rows.number(6, -1));
                }
            }
        }
    }

    /** Graphs that were recorded as a whole, without their kernels. */
    private void graphs() throws IOException {
        if (!file.has(GRAPHS)) {
            return;
        }
        try (SqliteRows rows =
                file.rows(GRAPHS, "start", "end", "globalPid", "deviceId", "streamId", "correlationId", "graphId")) {
            while (rows.next()) {
                NsysRank rank = ranks.ofDevice(rows.number(2, unnamed), rows.number(3, 0), rows.number(5, -1));
                int slice =
                        rank.device(rows, rank.intern("CUDA graph " + rows.number(6, 0)), "kernel", SliceKind.KERNEL);
                if (slice >= 0) {
                    deviceDetails(rank, slice, rows);
                }
            }
        }
    }

    /** What calls waited for: an event, a stream, the whole context. */
    private void waits() throws IOException {
        if (!file.has(WAITS)) {
            return;
        }
        NsysEvents events = new NsysEvents(file);
        try (SqliteRows rows = file.rows(
                WAITS,
                "start",
                "end",
                "globalPid",
                "deviceId",
                "streamId",
                "correlationId",
                "syncType",
                NsysEvents.NUMBER)) {
            while (rows.next()) {
                NsysRank rank = ranks.ofWait(rows.number(2, unnamed), rows.number(3, 0), rows.number(5, -1));
                if (rank != null) {
                    int name = rank.intern(texts.waited(rows.number(6, -1)));
                    int slice = rank.device(rows, name, "cuda_sync", SliceKind.DEVICE_SYNC);
                    if (slice >= 0) {
                        events.waited(rank, slice, rows.number(2, 0), rows.number(7, -1));
                    }
                }
            }
        }
    }

    /** Calls of the operating system that lasted, and what the profiler itself took. */
    private void hostCalls(String table, HostActivity activity) throws IOException {
        if (!file.has(table)) {
            return;
        }
        try (SqliteRows rows = file.rows(table, "start", "end", "globalTid", "nameId")) {
            while (rows.next()) {
                NsysRank rank = ranks.ofThread(rows.number(2, 0));
                rank.host(
                        rows.number(0, -1),
                        rows.number(1, -1),
                        NsysRank.thread(rows.number(2, 0)),
                        rank.text(texts, rows.number(3, -1), "unknown_call"),
                        activity);
            }
        }
    }

    private void calls() throws IOException {
        if (!file.has(SqliteNsysExports.CALLS)) {
            return;
        }
        try (SqliteRows rows =
                file.rows(SqliteNsysExports.CALLS, "start", "end", "globalTid", "correlationId", "nameId")) {
            while (rows.next()) {
                String name = texts.call(rows.number(4, -1));
                boolean driver = name.startsWith("cu") && !name.startsWith("cuda");
                long correlation = rows.number(3, -1);
                NsysRank rank = ranks.ofCall(rows.number(2, 0), correlation);
                if (ranges != null && ranks.isLaunch(rows.number(2, 0), correlation)) {
                    ranges.launch(rows.number(2, 0), rows.number(0, -1));
                }
                if (texts.get(rows.number(4, -1)) == null) {
                    rank.nameMissing();
                }
                collectives.call(rows.number(0, -1), rows.number(1, -1), rows.number(2, 0), correlation);
                int slice = rank.host(
                        rows.number(0, -1),
                        rows.number(1, -1),
                        NsysRank.thread(rows.number(2, 0)),
                        rank.intern(name),
                        driver ? HostActivity.CUDA_DRIVER : HostActivity.CUDA_RUNTIME);
                if (slice >= 0) {
                    rank.rows().join(slice, correlation);
                }
            }
        }
    }

    private void annotations() throws IOException {
        if (!file.has(SqliteNsysExports.ANNOTATIONS)) {
            return;
        }
        try (SqliteRows rows = file.rows(
                SqliteNsysExports.ANNOTATIONS,
                "start",
                "end",
                "globalTid",
                "eventType",
                "text",
                "textId",
                "jsonText",
                "binaryData")) {
            while (rows.next()) {
                String text = rows.text(4);
                long type = rows.number(3, -1);
                if (text == null) {
                    text = texts.get(rows.number(5, -1));
                }
                if (type == RANGE || type == FREE_RANGE || type == MARK) {
                    if (text == null) {
                        ranks.ofThread(rows.number(2, 0)).nameMissing();
                    }
                    annotation(rows, type, text == null ? "unknown_range" : text);
                }
            }
        }
        if (ranges != null) {
            ranges.forEach(
                    (range, launches) -> range(range.start(), range.end(), range.thread(), range.text(), launches));
        }
    }

    private void annotation(SqliteRows rows, long type, String recorded) throws IOException {
        String text = RangeNames.plain(recorded);
        long start = rows.number(0, -1);
        long end = rows.number(1, -1);
        long caller = rows.number(2, 0);
        String said = text.startsWith("nccl")
                ? payloads.annotation(text, NsysRows.processOf(caller), rows.text(6), rows.bytes(7))
                : null;
        collectives.annotation(start, end, caller, said == null ? text : said);
        NsysRank rank = ranks.ofThread(rows.number(2, 0));
        String thread = NsysRank.thread(rows.number(2, 0));
        if (type == MARK) {
            rank.mark(start, thread, rank.intern(text));
            return;
        }
        if (type == FREE_RANGE) {
            rank.host(start, end, thread + " ranges", rank.intern(recorded), HostActivity.USER_ANNOTATION);
        } else if (ranges != null) {
            ranges.range(new LaunchingRanges.Range(start, end, rows.number(2, 0), recorded));
        } else {
            range(
                    start,
                    end,
                    rows.number(2, 0),
                    recorded,
                    OPERATOR.matcher(text).matches());
        }
    }

    private void range(long start, long end, long globalThread, String name, boolean operator) {
        NsysRank rank = ranks.ofThread(globalThread);
        rank.host(
                start,
                end,
                NsysRank.thread(globalThread),
                rank.intern(name),
                operator ? HostActivity.CPU_OP : HostActivity.USER_ANNOTATION);
    }

    private void names() throws IOException {
        if (file.has(SqliteNsysExports.PROCESSES)) {
            try (SqliteRows rows = file.rows(SqliteNsysExports.PROCESSES, "globalPid", "name")) {
                while (rows.next()) {
                    String name = rows.text(1);
                    if (name != null) {
                        ranks.processName(rows.number(0, 0), name);
                    }
                }
            }
        }
        if (file.has(THREADS)) {
            try (SqliteRows rows = file.rows(THREADS, "globalTid", "nameId")) {
                while (rows.next()) {
                    String name = texts.get(rows.number(1, -1));
                    if (name != null) {
                        ranks.threadName(rows.number(0, 0), name);
                    }
                }
            }
        }
    }

    private List<Trace> build(Diagnostics diagnostics) throws IOException {
        List<NsysRank> known = ranks.inOrder();
        List<NsysRank> all = known.isEmpty() ? List.of(new NsysRank(0, -1)) : known;
        NsysRecording.messages(file, process -> about(process, all));
        List<TraceInfo.Device> gpus = gpus();
        String schema = file.has(EXPORT)
                ? SqliteFile.schema(file.rows(EXPORT, "name", "value"), "EXPORT_SCHEMA_VERSION")
                : null;
        Map<String, String> metadata = schema == null ? Map.of() : Map.of("nsys_schema", schema);
        long origin = origin(diagnostics);
        leftOut(diagnostics);
        all.getFirst().builder().diagnostics().addAll(diagnostics);
        List<Trace> traces = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            NsysRank rank = all.get(i);
            TraceInfo info = new TraceInfo(
                    file.input().name(),
                    NsysReader.FORMAT.id(),
                    number(i, all.size()),
                    -1,
                    gpus.stream().filter(gpu -> gpu.id() == rank.deviceNumber()).toList(),
                    origin,
                    metadata);
            traces.add(rank.build(info));
        }
        return traces;
    }

    /** What is odd about the ranks of a process; about all where it is none of theirs. */
    private static List<Diagnostics> about(long globalProcess, List<NsysRank> all) {
        List<NsysRank> own = all.stream()
                .filter(rank -> rank.process() == (globalProcess & ~NsysRanks.WITHIN_PROCESS))
                .toList();
        return (own.isEmpty() ? all : own)
                .stream().map(rank -> rank.builder().diagnostics()).toList();
    }

    /** Says what belongs to no rank. */
    private void leftOut(Diagnostics diagnostics) {
        for (NsysRank rank : ranks.leftOut()) {
            diagnostics.addAll(rank.builder().diagnostics());
            String process = "process " + NsysRows.processOf(rank.process());
            if (rank.onDevice() > 0) {
                diagnostics.add(
                        Weight.REPAIRED,
                        "device_missing",
                        process + ": kernels, copies or fills name no device; they were left out",
                        -1,
                        rank.onDevice());
            }
            if (rank.onHost() > 0) {
                diagnostics.add(
                        Weight.OBSERVATION,
                        "process_without_device",
                        process + " used no device: its calls and ranges belong to no rank and were left out",
                        -1,
                        rank.onHost());
            }
        }
    }

    private Rank number(int place, int of) {
        if (of > 1) {
            return new Rank(place, Rank.Origin.ORDER);
        }
        Path path = file.input().path();
        Matcher byRank = BY_RANK.matcher(String.valueOf(path.getFileName()).toLowerCase(Locale.ROOT));
        OptionalInt named = byRank.find() ? OptionalInt.of(Integer.parseInt(byRank.group(1))) : RankNames.rankOf(path);
        return named.isPresent() ? new Rank(named.getAsInt(), Rank.Origin.PATH) : new Rank(0, Rank.Origin.ORDER);
    }

    private List<TraceInfo.Device> gpus() throws IOException {
        List<TraceInfo.Device> gpus = new ArrayList<>();
        if (file.has(GPUS)) {
            boolean cuda = file.columns(GPUS).contains("cuDevice");
            try (SqliteRows rows = file.rows(GPUS, cuda ? "cuDevice" : "id", "name")) {
                while (rows.next()) {
                    @Nullable String name = rows.text(1);
                    if (name != null && rows.number(0, -1) >= 0) {
                        gpus.add(new TraceInfo.Device(rows.number(0, -1), name));
                    }
                }
            }
        }
        return gpus;
    }

    /** When the session began. */
    private long origin(Diagnostics diagnostics) throws IOException {
        if (file.has(SESSION)) {
            try (SqliteRows rows = file.rows(SESSION, "utcEpochNs")) {
                if (rows.next()) {
                    long began = rows.number(0, 0);
                    if (began >= 0 && began < JsonCursor.LATEST_NS) {
                        return began;
                    }
                    diagnostics.add(
                            Weight.REPAIRED,
                            "metadata_invalid",
                            "the session began at " + began + " ns, which cannot be; 0 stands for it",
                            -1);
                }
            }
        }
        return 0;
    }
}
