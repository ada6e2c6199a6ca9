// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.piep;

import dev.lockstep.codec.Json;
import dev.lockstep.codec.Json.Items;
import dev.lockstep.codec.Json.Members;
import dev.lockstep.codec.Json.Numeral;
import dev.lockstep.codec.Json.Text;
import dev.lockstep.error.NamedFiles;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Unique kernels by piep's key: name, device, and what its signature holds. Confined to one thread. */
final class PiepUnique {
    /** What piep's signatures hold beside the name or, of copies and fills, the bytes. */
    static final List<String> FIELDS = List.of("device", "stream", "dtype", "grid", "block", "shared memory");

    /** Kernels whose names hold one of these are left out. */
    static final List<String> EXCLUDED = List.of("nccl", "allreduce");

    private static final class Unique {
        private final Members signature;
        private final Members arguments;
        private long count;

        private Unique(Members signature, Members arguments) {
            this.signature = signature;
            this.arguments = arguments;
        }
    }

    private record Key(String name, String device, String signature) {}

    private final List<String> fields;
    private final Map<Key, Unique> unique = new LinkedHashMap<>();
    private long seen;
    private long kept;
    private long excluded;
    private long deviceFiltered;

    PiepUnique(List<String> fields) {
        this.fields = fields;
    }

    void excluded() {
        seen++;
        excluded++;
    }

    void deviceFiltered() {
        seen++;
        deviceFiltered++;
    }

    void keep(String name, String device, Members arguments) {
        seen++;
        kept++;
        Members signature = signature(name, arguments);
        Key key = new Key(name, device, PythonJson.canonical(signature));
        unique.computeIfAbsent(key, k -> new Unique(signature, arguments)).count++;
    }

    static boolean excludes(String name, List<String> patterns) {
        String plain = name.toLowerCase(Locale.ROOT);
        return patterns.stream().anyMatch(plain::contains);
    }

    private Members signature(String name, Members arguments) {
        Map<String, Json> signature = new LinkedHashMap<>();
        for (String field : fields) {
            Json value = arguments.get(field);
            if (value != null) {
                signature.put(field, value);
            }
        }
        String plain = name.toLowerCase(Locale.ROOT);
        if (plain.contains("memcpy") || plain.contains("memset") || plain.contains("memmove")) {
            Json bytes = arguments.get("bytes");
            if (bytes != null) {
                signature.put("bytes", bytes);
            }
        } else {
            signature.put("name", new Text(name));
        }
        return new Members(signature);
    }

    int size() {
        return unique.size();
    }

    long kept() {
        return kept;
    }

    /** What the summary says about totals. */
    Members totals() {
        Map<String, Json> totals = new TreeMap<>();
        totals.put("seen", number(seen));
        totals.put("kept", number(kept));
        totals.put("excluded", number(excluded));
        totals.put("device_filtered", number(deviceFiltered));
        return new Members(totals);
    }

    void write(Path jsonl, Path csv) throws IOException {
        try (Writer lines = NamedFiles.writer(jsonl);
                Writer table = NamedFiles.writer(csv)) {
            table.write("name,device,count,signature_json\n");
            for (Map.Entry<Key, Unique> entry : unique.entrySet()) {
                Key key = entry.getKey();
                Unique kernel = entry.getValue();
                Map<String, Json> line = new LinkedHashMap<>();
                line.put("name", new Text(key.name));
                line.put("device", new Text(key.device));
                line.put("signature", kernel.signature);
                line.put("args", kernel.arguments);
                line.put("count", number(kernel.count));
                lines.write(PythonJson.dumps(new Members(line)) + "\n");
                table.write(PythonJson.quoted(key.name) + "," + key.device + "," + kernel.count + ","
                        + PythonJson.quoted(key.signature) + "\n");
            }
        }
    }

    /**
     * Writes the summary.
     *
     * @param inputs what was read, by the names that the summary has for it
     */
    void writeSummary(Map<String, Json> inputs, Path file) throws IOException {
        Map<String, Json> summary = new LinkedHashMap<>(inputs);
        summary.put("sig_fields", texts(fields));
        summary.put("totals", totals());
        summary.put("unique_count", number(unique.size()));
        NamedFiles.write(file, PythonJson.indented(new Members(summary), true));
    }

    static Items texts(List<String> texts) {
        return new Items(texts.stream().<Json>map(Text::new).toList());
    }

    private static Numeral number(long value) {
        return new Numeral(Long.toString(value));
    }
}
