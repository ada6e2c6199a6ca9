// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Texts that rows of an export refer to by number. */
final class NsysTexts {
    private static final String MEMORIES = "ENUM_CUDA_MEM_KIND";

    /** Which version of a call was meant, as in {@code cudaLaunchKernel_v7000}. */
    private static final Pattern VERSION = Pattern.compile("_v\\d+$");

    private static final Map<Long, String> DIRECTION = Map.of(
            1L, "HtoD", 2L, "DtoH", 3L, "HtoA", 4L, "AtoH", 5L, "AtoA", 6L, "AtoD", 7L, "DtoA", 8L, "DtoD", 9L, "HtoH",
            10L, "PtoP");
    private static final Map<Long, String> MEMORY =
            Map.of(0L, "Pageable", 1L, "Pinned", 2L, "Device", 3L, "Array", 4L, "Managed");

    /** What calls wait for, called as in PyTorch traces. */
    private static final Map<Long, String> WAIT =
            Map.of(1L, "Event Sync", 2L, "Stream Wait Event", 3L, "Stream Sync", 4L, "Context Sync");

    private final Map<Long, String> texts;
    private final Map<Long, String> memories;
    private final Map<Long, String> calls = new HashMap<>();

    private NsysTexts(Map<Long, String> texts, Map<Long, String> memories) {
        this.texts = texts;
        this.memories = memories;
    }

    static NsysTexts of(SqliteFile file) throws IOException {
        Map<Long, String> memories = new HashMap<>(MEMORY);
        if (file.has(MEMORIES)) {
            memories.putAll(read(file, MEMORIES, "label"));
        }
        return new NsysTexts(read(file, SqliteNsysExports.STRINGS, "value"), memories);
    }

    private static Map<Long, String> read(SqliteFile file, String table, String column) throws IOException {
        Map<Long, String> known = new HashMap<>();
        try (SqliteRows rows = file.rows(table, "id", column)) {
            while (rows.next()) {
                String text = rows.text(1);
                if (text != null) {
                    known.put(rows.number(0, -1), text);
                }
            }
        }
        return known;
    }

    /** The text of a number, or null. */
    @Nullable
    String get(long id) {
        return texts.get(id);
    }

    /** The name of a call without its version. */
    String call(long id) {
        return calls.computeIfAbsent(id, i -> {
            String name = texts.get(i);
            return name == null ? "unknown_call" : VERSION.matcher(name).replaceFirst("");
        });
    }

    /** A copy as PyTorch's profiler names it. */
    String copy(long direction, long from, long to) {
        String name = "Memcpy " + DIRECTION.getOrDefault(direction, "unknown");
        return from < 0 || to < 0 ? name : name + " (" + memory(from) + " -> " + memory(to) + ")";
    }

    /** A fill as PyTorch's profiler names it. */
    String fill(long memory) {
        return "Memset (" + (memory < 0 ? "Device" : memory(memory)) + ")";
    }

    /** What a call waited for, as PyTorch's profiler names it. */
    String waited(long kind) {
        return WAIT.getOrDefault(kind, "Sync");
    }

    private String memory(long kind) {
        return memories.getOrDefault(kind, "Unknown");
    }
}
