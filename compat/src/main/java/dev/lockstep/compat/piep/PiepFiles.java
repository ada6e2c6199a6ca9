// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.piep;

import dev.lockstep.codec.Json;
import dev.lockstep.codec.Json.Members;
import dev.lockstep.codec.Json.Numeral;
import dev.lockstep.codec.Json.Text;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.write.Numbers;
import java.io.IOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** The files that both the extractor and the chart of piep write: launch parameters, counts, the list beside a chart. */
final class PiepFiles {
    private static final double US_PER_MS = 1000;

    private static final String[] PARAMETERS = {
        "name",
        "device",
        "stream",
        "grid_x",
        "grid_y",
        "grid_z",
        "block_x",
        "block_y",
        "block_z",
        "shared_memory",
        "registers_per_thread",
        "blocks_per_sm",
        "warps_per_sm",
        "est_achieved_occupancy",
        "correlation",
        "external_id",
        "queued",
        "cbid",
        "collective_name",
        "group_size",
        "in_msg_nelems",
        "out_msg_nelems",
        "process_group_name",
        "process_group_ranks",
        "dtype"
    };

    /** The arguments behind the columns from {@code shared_memory} on. */
    private static final String[] ARGUMENTS = {
        "shared memory",
        "registers per thread",
        "blocks per SM",
        "warps per SM",
        "est. achieved occupancy %",
        "correlation",
        "External id",
        "queued",
        "cbid",
        "Collective name",
        "Group size",
        "In msg nelems",
        "Out msg nelems",
        "Process Group Name",
        "Process Group Ranks",
        "dtype"
    };

    /** Where kernels of a chart lie, which piep adds to its launch parameters. */
    record Charted(double origin, int most) {}

    private PiepFiles() {}

    /** Launch parameters as CSV and as JSON lines. */
    static void parameters(PiepEvents events, IntPredicate wanted, Path csv, Path jsonl, @Nullable Charted charted)
            throws IOException {
        try (Writer table = NamedFiles.writer(csv);
                Writer lines = NamedFiles.writer(jsonl)) {
            PythonCsv out = new PythonCsv(table);
            out.line(PARAMETERS);
            int place = 0;
            for (int i = 0; i < events.size(); i++) {
                if (!wanted.test(i)) {
                    continue;
                }
                Members arguments = events.arguments(i);
                out.cell(events.name(i)).cell(events.device(i)).cell(events.stream(i));
                triple(out, arguments.get("grid"));
                triple(out, arguments.get("block"));
                for (String argument : ARGUMENTS) {
                    out.cell(arguments.get(argument));
                }
                out.end();
                boolean drawn = charted != null && (charted.most <= 0 || place < charted.most);
                lines.write(PythonJson.dumps(line(events, i, arguments, drawn ? charted : null)));
                lines.write('\n');
                place++;
            }
        }
    }

    private static Members line(PiepEvents events, int i, Members arguments, @Nullable Charted charted) {
        Map<String, Json> line = new LinkedHashMap<>();
        line.put("name", new Text(events.name(i)));
        line.put("ts", real(events.ts(i)));
        line.put("dur", real(events.dur(i)));
        line.put("device", new Text(events.device(i)));
        line.put("stream", new Text(events.stream(i)));
        line.put("args", arguments);
        if (charted != null) {
            line.put("start_ms", real((events.ts(i) - charted.origin) / US_PER_MS));
            line.put("dur_ms", real(events.dur(i) / US_PER_MS));
            line.put("category", new Text(events.category(i)));
        }
        return new Members(line);
    }

    private static void triple(PythonCsv out, @Nullable Json value) throws IOException {
        List<Json> items = value instanceof Json.Items(List<Json> list) ? list : List.of();
        for (int i = 0; i < 3; i++) {
            out.cell(i < items.size() ? items.get(i) : null);
        }
    }

    /** Counts by device, category and name: groups and, within equal counts, names as they came first. */
    static Map<String, Map<String, long[]>> counts(PiepEvents events, Iterable<Integer> order) {
        Map<String, Map<String, long[]>> counts = new LinkedHashMap<>();
        for (int i : order) {
            String device = events.device(i).isEmpty() ? "unknown" : events.device(i);
            counts.computeIfAbsent(device + '\0' + events.category(i), k -> new LinkedHashMap<>())
                    .computeIfAbsent(events.name(i), k -> new long[1])[0]++;
        }
        return counts;
    }

    static void writeCounts(Map<String, Map<String, long[]>> counts, Path csv) throws IOException {
        try (Writer table = NamedFiles.writer(csv)) {
            PythonCsv out = new PythonCsv(table);
            out.line("device", "category", "kernel_name", "count");
            for (Map.Entry<String, Map<String, long[]>> group : counts.entrySet()) {
                String[] place = group.getKey().split("\0", 2);
                List<Map.Entry<String, long[]>> names =
                        new ArrayList<>(group.getValue().entrySet());
                names.sort(Comparator.comparingLong(name -> -name.getValue()[0]));
                for (Map.Entry<String, long[]> name : names) {
                    out.line(place[0], place[1], name.getKey(), Long.toString(name.getValue()[0]));
                }
            }
        }
    }

    /** The list beside a chart. */
    static void chartList(PiepEvents events, List<Integer> kernels, Path csv) throws IOException {
        double origin = kernels.isEmpty() ? 0 : events.ts(kernels.getFirst());
        try (Writer table = NamedFiles.writer(csv)) {
            PythonCsv out = new PythonCsv(table);
            out.line("name", "start_ms", "dur_ms", "device", "stream", "category");
            for (int i : kernels) {
                out.line(
                        events.name(i),
                        six((events.ts(i) - origin) / US_PER_MS),
                        six(events.dur(i) / US_PER_MS),
                        events.device(i),
                        events.stream(i),
                        events.category(i));
            }
        }
    }

    /** With six decimals, as Python rounds. */
    private static String six(double value) {
        return new BigDecimal(value).setScale(6, RoundingMode.HALF_EVEN).toPlainString();
    }

    private static Numeral real(double value) {
        return new Numeral(Numbers.python(value));
    }
}
