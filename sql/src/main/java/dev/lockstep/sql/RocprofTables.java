// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Trace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Makes traces of a database of the first rocprof: a table for each kind of row, all with the same columns. */
final class RocprofTables {
    private static final String BARRIER = "<barrier packet>";
    private static final String KERNELS = "OPS";
    /** Kernels alone, where calls were not traced. */
    private static final String DISPATCHES = "KERN";

    private static final String COPIES = "COPY";
    private static final String HIP = "HIP";
    private static final String HSA = "HSA";
    private static final List<String> RANGES = List.of("rocTX", "ROCTX", "EXT");

    /** Columns that hold texts. */
    static final Set<String> TEXTS = Set.of("Name", "KernelName");

    private final SqliteFile file;
    private final List<String> tables;
    private final RocpdNames names = new RocpdNames();
    private final Map<Long, RocmProcess> processes = new LinkedHashMap<>();

    RocprofTables(SqliteFile file) throws IOException {
        this.file = file;
        this.tables = timed(file);
    }

    /** Whether a file holds such tables. */
    static boolean isOne(SqliteFile file) throws IOException {
        return !timed(file).isEmpty();
    }

    private static List<String> timed(SqliteFile file) throws IOException {
        List<String> known = new ArrayList<>(List.of(KERNELS, DISPATCHES, COPIES, HIP, HSA));
        known.addAll(RANGES);
        known.retainAll(file.storedTables());
        List<String> timed = new ArrayList<>();
        for (String table : known) {
            if (file.columns(table).containsAll(List.of("BeginNs", "EndNs"))) {
                timed.add(table);
            }
        }
        return timed;
    }

    List<Trace> read(Diagnostics diagnostics) throws IOException {
        boolean traced = tables.contains(KERNELS) && file.any(KERNELS);
        device(traced ? KERNELS : DISPATCHES, SliceKind.KERNEL);
        device(COPIES, SliceKind.MEMCPY);
        boolean hip = tables.contains(HIP) && file.any(HIP);
        host(HIP, "hip_api", SliceKind.RUNTIME_CALL, hip);
        host(HSA, "hsa_api", SliceKind.DRIVER_CALL, !hip); // numbers of HIP and of HSA are others
        for (String ranges : RANGES) {
            host(ranges, "marker_api", SliceKind.ANNOTATION, false);
        }
        if (processes.isEmpty()) {
            process(0);
        }
        return RocpdDocument.traces(file, RocprofDatabaseReader.FORMAT, List.copyOf(processes.values()), diagnostics);
    }

    private RocmProcess process(long pid) {
        return processes.computeIfAbsent(pid, number -> {
            RocmProcess made = new RocmProcess(names);
            made.state("pid", Long.toString(number));
            return made;
        });
    }

    private void device(String table, SliceKind kind) throws IOException {
        if (!tables.contains(table)) {
            return;
        }
        try (SqliteRows rows = file.rows(
                table,
                "BeginNs",
                "EndNs",
                "pid",
                "Name",
                "KernelName",
                "dev-id",
                "gpu-id",
                "stream-id",
                "queue-id",
                "Index")) {
            while (rows.next()) {
                RocmProcess process = process(rows.number(2, 0));
                String named = rows.text(3);
                String name = named == null ? rows.text(4) : named;
                if (name == null) {
                    process.rows().nameMissing();
                    name = "unknown_kernel";
                }
                process.device(
                        name.contains(BARRIER) ? SliceKind.DEVICE_SYNC : kind,
                        rows.number(0, -1),
                        rows.number(1, -1),
                        process.rows().intern(name),
                        rows.number(5, rows.number(6, 0)),
                        rows.number(7, rows.number(8, 0)),
                        table.equals(DISPATCHES) ? 0 : rows.number(9, 0));
            }
        }
    }

    private void host(String table, String category, SliceKind kind, boolean joins) throws IOException {
        if (!tables.contains(table)) {
            return;
        }
        try (SqliteRows rows = file.rows(table, "BeginNs", "EndNs", "pid", "Name", "tid", "Index")) {
            while (rows.next()) {
                RocmProcess process = process(rows.number(2, 0));
                long begin = rows.number(0, -1);
                long end = rows.number(1, -1);
                String name = rows.text(3);
                boolean mark = kind == SliceKind.ANNOTATION && end == begin + 1; // as a mark is written
                process.host(
                        category,
                        kind,
                        begin,
                        mark ? begin : end,
                        process.rows().intern(name == null ? "unknown_call" : name),
                        rows.number(4, -1),
                        joins ? rows.number(5, 0) : 0);
            }
        }
    }
}
