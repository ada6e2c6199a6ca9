// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.nsys.NsysExports;
import dev.lockstep.read.nsys.NsysKernel;
import dev.lockstep.read.nsys.NsysRows;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Exports of Nsight Systems as they lie in SQLite files: only tables and columns that are needed, row by row. */
public final class SqliteNsysExports implements NsysExports {
    static final String ANNOTATIONS = "NVTX_EVENTS";
    static final String KERNELS = "CUPTI_ACTIVITY_KIND_KERNEL";
    static final String CALLS = "CUPTI_ACTIVITY_KIND_RUNTIME";
    static final String STRINGS = "StringIds";
    static final String PROCESSES = "PROCESSES";
    static final String SYSTEM = "TARGET_INFO_SYSTEM_ENV";
    /** Columns of exports that hold texts, bytes or fractions. */
    static final Set<String> TEXTS = Set.of("value", "name", "label", "text", "jsonText", "binaryData", "metricName");

    private static final String COLLECTIVE_KERNELS = "value GLOB 'nccl*'";

    @Override
    public void read(TraceInput input, NsysRows rows) throws IOException {
        try (SqliteFile file = SqliteFile.open(input)) {
            if (!file.has(STRINGS)) {
                throw missing(input, "the table " + STRINGS, "this is no export of Nsight Systems");
            }
            file.isOf(NsysReader.FORMAT, TEXTS);
            facts(file, rows);
            annotations(file, rows);
            Set<Long> correlations = kernels(file, rows);
            launches(file, correlations, rows);
            file.damagedRows().forEach(rows::damaged);
        }
    }

    private static void facts(SqliteFile file, NsysRows sink) throws IOException {
        if (file.has(SYSTEM)) {
            try (SqliteRows rows = file.rows(SYSTEM, "name", "value")) {
                while (rows.next()) {
                    String name = rows.text(0);
                    String value = rows.text(1);
                    if (name != null && value != null) {
                        sink.system(name, value);
                    }
                }
            }
        }
        if (file.has(PROCESSES)) {
            try (SqliteRows rows = file.rows(PROCESSES, "globalPid", "name")) {
                while (rows.next()) {
                    String name = rows.text(1);
                    sink.process(rows.number(0, -1), name == null ? "" : name);
                }
            }
        }
    }

    private static void annotations(SqliteFile file, NsysRows sink) throws IOException {
        if (!file.has(ANNOTATIONS) && file.has(KERNELS)) {
            return;
        }
        if (!file.has(ANNOTATIONS)) {
            throw missing(file.input(), "the table " + ANNOTATIONS, "record with --trace=nvtx,cuda");
        }
        List<String> known = file.columns(ANNOTATIONS);
        if (!known.contains("text") && !known.contains("textId")) {
            throw missing(file.input(), "the column text of " + ANNOTATIONS, "this is no export of Nsight Systems");
        }
        Map<Long, String> registered = registered(file);
        try (SqliteRows rows = file.rows(ANNOTATIONS, "start", "end", "globalTid", "text", "textId")) {
            while (rows.next()) {
                String text = rows.text(3);
                if (text == null && !registered.isEmpty()) {
                    text = registered.get(rows.number(4, -1));
                }
                if (text != null) {
                    sink.annotation(rows.number(0, -1), rows.number(1, -1), rows.number(2, -1), text);
                }
            }
        }
    }

    /** Texts that annotations refer to. */
    private static Map<Long, String> registered(SqliteFile file) throws IOException {
        List<String> known = file.columns(ANNOTATIONS);
        if (!known.contains("textId")) {
            return Map.of();
        }
        String without = known.contains("text") ? " WHERE text IS NULL" : "";
        return strings(file, "id IN (SELECT DISTINCT textId FROM " + ANNOTATIONS + without + ")");
    }

    private static Set<Long> kernels(SqliteFile file, NsysRows sink) throws IOException {
        Set<Long> correlations = new HashSet<>();
        if (!file.columns(KERNELS).contains("demangledName")) {
            return correlations;
        }
        Map<Long, String> names = strings(file, COLLECTIVE_KERNELS);
        String condition = "demangledName IN (SELECT id FROM " + STRINGS + " WHERE " + COLLECTIVE_KERNELS + ")";
        try (SqliteRows rows = file.rowsWhere(
                condition,
                KERNELS,
                "start",
                "end",
                "globalPid",
                "deviceId",
                "streamId",
                "correlationId",
                "gridX",
                "demangledName")) {
            while (rows.next()) {
                long correlation = rows.number(5, -1);
                String name = names.get(rows.number(7, -1));
                if (name != null) {
                    correlations.add(correlation);
                    sink.kernel(new NsysKernel(
                            rows.number(0, -1),
                            rows.number(1, -1),
                            rows.number(2, -1),
                            (int) rows.number(3, -1),
                            (int) rows.number(4, -1),
                            correlation,
                            (int) rows.number(6, -1),
                            name));
                }
            }
        }
        return correlations;
    }

    private static void launches(SqliteFile file, Set<Long> correlations, NsysRows sink) throws IOException {
        if (correlations.isEmpty() || !file.has(CALLS)) {
            return;
        }
        try (SqliteRows rows = file.rows(CALLS, "start", "end", "globalTid", "correlationId")) {
            while (rows.next()) {
                long correlation = rows.number(3, -1);
                if (correlation >= 0 && correlations.contains(correlation)) {
                    sink.launch(rows.number(0, -1), rows.number(1, -1), rows.number(2, -1), correlation);
                }
            }
        }
    }

    private static Map<Long, String> strings(SqliteFile file, @Nullable String condition) throws IOException {
        Map<Long, String> strings = new HashMap<>();
        try (SqliteRows rows = file.rowsWhere(condition, STRINGS, "id", "value")) {
            while (rows.next()) {
                String value = rows.text(1);
                if (value != null) {
                    strings.put(rows.number(0, -1), value);
                }
            }
        }
        return strings;
    }

    private static TraceFormatException missing(TraceInput input, String what, String hint) {
        return new TraceFormatException(ErrorCode.DATA_MISSING, input.name(), -1, what + " is missing", hint);
    }
}
