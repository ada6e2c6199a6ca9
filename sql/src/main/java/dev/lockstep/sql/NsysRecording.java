// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.error.TraceFormatException;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Diagnostics.Weight;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What an export says of its own recording, and what it holds that is not read. */
final class NsysRecording {
    private static final String MESSAGES = "DIAGNOSTIC_EVENT";

    /** What devices did is recorded through these. */
    private static final Pattern DEVICE = Pattern.compile("(?i)cuda|cupti|\\bgpus?\\b|kernel|graph|driver");

    /** What else a recording holds; a message about one of these alone says nothing of devices. */
    private static final Pattern ELSEWHERE = Pattern.compile(
            "(?i)\\bcpu\\b|sampl|sched|context switch|thread|os runtime|osrt|ftrace|\\betw\\b|nvtx|network|\\bnic\\b|backtrace|storage");

    private static final String LOSS = "(?:drop|lost|los[se]|discard|overwrit|overflow|overran|overrun)\\w*";
    private static final Pattern LOST = Pattern.compile("(?i)\\b" + LOSS
            + "|\\bnot all\\b|\\bincomplete\\b|\\bmissing\\b|(?:may|might|were|was) not (?:have )?(?:been )?(?:all )?"
            + "(?:collected|captured|recorded)");
    private static final Pattern COUNTED =
            Pattern.compile("(?i)\\b(\\d{1,15})\\b\\D{0,40}\\b" + LOSS + "|\\b" + LOSS + "\\D{0,40}\\b(\\d{1,15})\\b");
    /** A message that something is recorded all the same, by other means, says nothing of what is missing. */
    private static final Pattern RECORDED_STILL =
            Pattern.compile("(?i)\\bwill be (?:collected|captured|recorded|traced)\\b");

    private static final Pattern FAILED = Pattern.compile(
            "(?i)\\bnot\\b|n't\\b|fail|unable|cannot|error|insufficient|permission|unsupported|disabled");

    /** Tables whose events are read, or say what is read. */
    private static final Set<String> READ = Set.of(
            "CUPTI_ACTIVITY_KIND_KERNEL",
            "CUPTI_ACTIVITY_KIND_MEMCPY",
            "CUPTI_ACTIVITY_KIND_MEMSET",
            "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
            "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
            "CUPTI_ACTIVITY_KIND_CUDA_EVENT",
            "CUPTI_ACTIVITY_KIND_RUNTIME",
            "OSRT_API",
            "PROFILER_OVERHEAD",
            "NVTX_EVENTS",
            "GPU_METRICS",
            "ANALYSIS_DETAILS",
            MESSAGES);

    private static final Pattern EVENTS = Pattern.compile("(?!ENUM_|TARGET_INFO_|META_DATA_)[A-Z][A-Z0-9_]*");
    private static final Pattern OF_DEVICES = Pattern.compile("KERNEL|MEMCPY|MEMSET|GRAPH_(?:TRACE|NODE)|WORKLOAD");

    private NsysRecording() {}

    /**
     * Says what Nsight Systems warned of while it recorded.
     *
     * @param about takes what concerns a process, 0 for all
     */
    static void messages(SqliteFile file, LongFunction<List<Diagnostics>> about) throws IOException {
        if (!file.has(MESSAGES)) {
            return;
        }
        try (SqliteRows rows = file.rows(MESSAGES, "globalPid", "text")) {
            while (rows.next()) {
                String text = rows.text(1);
                if (text != null) {
                    for (Diagnostics diagnostics : about.apply(rows.number(0, 0))) {
                        message(text.strip(), diagnostics);
                    }
                }
            }
        }
    }

    private static void message(String text, Diagnostics diagnostics) {
        boolean devices = DEVICE.matcher(text).find();
        String said = "Nsight Systems says: “" + text.replaceFirst("\\.+$", "") + "”";
        if (LOST.matcher(text).find() && (devices || !ELSEWHERE.matcher(text).find())) {
            Matcher counted = COUNTED.matcher(text);
            long count = counted.find()
                    ? Long.parseLong(counted.group(1) == null ? counted.group(2) : counted.group(1))
                    : -1;
            if (count != 0) {
                diagnostics.add(
                        Weight.OBSERVATION,
                        count < 0 ? "events_missing" : "events_dropped",
                        said,
                        -1,
                        Math.max(1, count));
            }
        } else if (devices
                && FAILED.matcher(text).find()
                && !RECORDED_STILL.matcher(text).find()) {
            diagnostics.add(Weight.OBSERVATION, "profiler_message", said, -1);
        }
    }

    /** Says which tables with events are passed over. */
    static void unread(SqliteFile file, Diagnostics diagnostics) throws IOException {
        unread(file, true, "foreign_device_tables", diagnostics);
        unread(file, false, "foreign_tables", diagnostics);
    }

    private static void unread(SqliteFile file, boolean ofDevices, String code, Diagnostics diagnostics)
            throws IOException {
        List<String> names = new ArrayList<>();
        long all = 0;
        for (String table : file.tables()) {
            if (!READ.contains(table)
                    && EVENTS.matcher(table).matches()
                    && OF_DEVICES.matcher(table).find() == ofDevices) {
                long count = events(file, table);
                if (count > 0) {
                    names.add(table + " (" + count + (count == 1 ? " row" : " rows") + ")");
                    all += count;
                }
            }
        }
        if (all > 0) {
            diagnostics.add(
                    Weight.OBSERVATION, code, "tables with events are not read: " + String.join(", ", names), -1, all);
        }
    }

    /** How many rows with times a table has; 0 where it cannot be read, which costs nothing that is read. */
    private static long events(SqliteFile file, String table) throws IOException {
        try {
            List<String> columns = file.columns(table);
            return columns.contains("start") || columns.contains("timestamp") ? file.count(table) : 0;
        } catch (TraceFormatException e) {
            return 0;
        }
    }
}
