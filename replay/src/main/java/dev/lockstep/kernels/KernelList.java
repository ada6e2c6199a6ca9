// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.lockstep.codec.Json;
import dev.lockstep.codec.Json.Members;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.tabular.CsvFolder;
import dev.lockstep.tabular.Sheets;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Lists of kernels that programs wrote before: launch parameters (JSON lines, one for each kernel), unique kernels (JSON
 * lines or CSV), counts of kernels (CSV), classified kernels (JSON with {@code kernels}). What a file is is told from its
 * content.
 */
public final class KernelList {
    /** Takes the entries of a list. */
    public interface Sink {
        /**
         * The next entry.
         *
         * @param line place in the file, from 1 on
         */
        void entry(Entry entry, long line) throws IOException;
    }

    /**
     * A line of a list.
     *
     * @param device empty when absent
     * @param category {@code compute}, {@code communication} or {@code unknown}; null when the list has none
     * @param arguments what is known of the kernel, by the profiler's names
     * @param count how often it ran
     * @param duration in ns, -1 when unknown
     * @param event whether the line is one kernel that ran and not a sum
     */
    public record Entry(
            String name,
            String device,
            @Nullable String category,
            Members arguments,
            long count,
            long duration,
            boolean event) {}

    private static final Members NOTHING = new Members(Map.of());
    private static final double NS_PER_US = 1000;
    private static final long MOST_CALLS = 1_000_000_000_000_000L;
    private static final long LONGEST_NS = 366L * 86_400 * 1_000_000_000;
    private static final String BYTE_ORDER_MARK = "\ufeff";

    private KernelList() {}

    /** Whether the file is a list by its name: {@code .jsonl} or {@code .csv}, or JSON with {@code kernels} on top. */
    public static boolean recognises(Path file) throws IOException {
        String name = file.toString().toLowerCase(Locale.ROOT);
        if (name.endsWith(".jsonl") || name.endsWith(".csv")) {
            return true;
        }
        if (!name.endsWith(".json") || !Files.isRegularFile(file)) {
            return false;
        }
        byte[] head = new byte[4096];
        int n;
        try (var in = NamedFiles.in(file)) {
            n = in.readNBytes(head, 0, head.length);
        }
        String text = new String(head, 0, n, StandardCharsets.UTF_8);
        return text.contains("\"tier1_cuda_runtime\"") && text.contains("\"kernels\"");
    }

    /**
     * Reads a list.
     *
     * @throws TraceFormatException naming file and line when it cannot be read
     */
    public static void read(Path file, Sink taker) throws IOException {
        Sink sink = (entry, line) -> {
            if (entry.count < 0 || entry.count > MOST_CALLS) {
                throw damaged(file, line, entry.count + " is no count");
            }
            if (entry.duration > LONGEST_NS) {
                throw damaged(file, line, "a duration of more than a year");
            }
            taker.entry(entry, line);
        };
        String name = file.toString().toLowerCase(Locale.ROOT);
        try {
            if (name.endsWith(".csv")) {
                csv(file, sink);
            } else if (name.endsWith(".jsonl")) {
                lines(file, sink);
            } else {
                signatures(file, sink);
            }
        } catch (NoSuchFileException e) {
            throw new TraceFormatException(
                    ErrorCode.INPUT_NOT_FOUND, file.toString(), -1, "there is no such file", null);
        } catch (java.nio.charset.CharacterCodingException e) {
            throw new TraceFormatException(ErrorCode.FORMAT_CORRUPT, file.toString(), -1, "this is no UTF-8", null);
        }
    }

    private static void lines(Path file, Sink sink) throws IOException {
        try (BufferedReader in = NamedFiles.reader(file)) {
            long number = 0;
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                number++;
                if (number == 1 && line.startsWith(BYTE_ORDER_MARK)) {
                    line = line.substring(BYTE_ORDER_MARK.length());
                }
                if (!line.isBlank()) {
                    sink.entry(entry(file, number, named(file, number, members(file, number, line))), number);
                }
            }
        }
    }

    private static Members members(Path file, long line, String text) throws TraceFormatException {
        try {
            if (Json.parse(text) instanceof Members members) {
                return members;
            }
        } catch (JsonProcessingException e) {
            throw damaged(file, line, Json.problem(e));
        } catch (IOException e) {
            throw damaged(file, line, String.valueOf(e.getMessage()));
        }
        throw damaged(file, line, "expected an object");
    }

    private static Members named(Path file, long line, Members kernel) throws TraceFormatException {
        if (kernel.get("name") == null) {
            throw damaged(file, line, "expected a name");
        }
        return kernel;
    }

    /** How often a kernel ran, 1 where nothing says it. */
    private static long count(Path file, long line, Members kernel) throws TraceFormatException {
        Json count = kernel.get("count");
        if (count == null || count instanceof Json.Nothing) {
            return 1;
        }
        long whole = kernel.whole("count", Long.MIN_VALUE);
        if (whole == Long.MIN_VALUE) {
            throw damaged(file, line, count.spelt() + " is no count");
        }
        return whole;
    }

    private static Entry entry(Path file, long number, Members line) throws TraceFormatException {
        Members arguments = line.object("args");
        boolean unique = line.get("signature") instanceof Members;
        Map<String, Json> known = new LinkedHashMap<>(arguments.members());
        line.object("signature").members().forEach(known::putIfAbsent);
        Json device = arguments.members().getOrDefault("device", line.get("device"));
        double duration = line.number("dur");
        return new Entry(
                plain(line.get("name")),
                plain(device),
                line.text("category"),
                new Members(known),
                count(file, number, line),
                Double.isNaN(duration) ? -1 : Math.round(duration * NS_PER_US),
                !unique && line.get("count") == null);
    }

    private static void signatures(Path file, Sink sink) throws IOException {
        Members document;
        try {
            document = Json.parse(NamedFiles.bytes(file)) instanceof Members members ? members : NOTHING;
        } catch (JsonProcessingException e) {
            throw damaged(file, e.getLocation() == null ? 0 : e.getLocation().getLineNr(), Json.problem(e));
        }
        long number = 0;
        for (Json item : document.items("kernels")) {
            number++;
            if (!(item instanceof Members kernel)) {
                throw damaged(file, number, "expected an object for each kernel");
            }
            sink.entry(entry(file, number, named(file, number, kernel)), number);
        }
    }

    private static void csv(Path file, Sink sink) throws IOException {
        String head;
        try (BufferedReader in = NamedFiles.reader(file)) {
            head = in.readLine();
        }
        if (head == null) {
            throw damaged(file, 1, "the file is empty");
        }
        if (head.strip().endsWith("signature_json")) {
            quotedLines(file, sink);
        } else {
            table(file, sink);
        }
    }

    /** Lines whose texts are spelt as JSON, which no CSV reader understands. */
    private static void quotedLines(Path file, Sink sink) throws IOException {
        try (BufferedReader in = NamedFiles.reader(file)) {
            long number = 1;
            in.readLine();
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                number++;
                if (line.isBlank()) {
                    continue;
                }
                int end = endOfString(line);
                int second = end < 0 ? -1 : line.indexOf(',', end + 1);
                int third = second < 0 ? -1 : line.indexOf(',', second + 1);
                if (third < 0) {
                    throw damaged(file, number, "expected name, device, count and signature");
                }
                String name = text(file, number, line.substring(0, end));
                String count = line.substring(second + 1, third);
                Members signature = members(file, number, text(file, number, line.substring(third + 1)));
                sink.entry(
                        new Entry(
                                name,
                                line.substring(end + 1, second),
                                null,
                                signature,
                                count(file, number, count),
                                -1,
                                false),
                        number);
            }
        }
    }

    private static int endOfString(String line) {
        for (int i = 1; i < line.length(); i++) {
            if (line.charAt(i) == '\\') {
                i++;
            } else if (line.charAt(i) == '"') {
                return i + 1;
            }
        }
        return -1;
    }

    private static String text(Path file, long line, String json) throws TraceFormatException {
        try {
            if (Json.parse(json) instanceof Json.Text(String value)) {
                return value;
            }
        } catch (IOException e) {
            throw damaged(file, line, "expected a text in quotes");
        }
        throw damaged(file, line, "expected a text in quotes");
    }

    private static long count(Path file, long line, String cell) throws TraceFormatException {
        try {
            return Long.parseLong(cell.strip());
        } catch (NumberFormatException e) {
            throw damaged(file, line, "'" + cell + "' is no count");
        }
    }

    /** Counts of kernels, launch parameters, or the list beside a chart. */
    private static void table(Path file, Sink sink) throws IOException {
        List<String> header = new ArrayList<>();
        long[] number = {0};
        try (Sheets sheets = new CsvFolder().open(file)) {
            sheets.rows(sheets.names().getFirst(), row -> {
                number[0]++;
                if (header.isEmpty()) {
                    header.addAll(row);
                    if (!header.contains("kernel_name") && !header.contains("name")) {
                        throw damaged(file, 1, "expected a column name or kernel_name");
                    }
                    return;
                }
                Row cells = new Row(header, row);
                String count = cells.at("count");
                String duration = cells.at("dur_ms");
                sink.entry(
                        new Entry(
                                header.contains("kernel_name") ? cells.at("kernel_name") : cells.at("name"),
                                cells.at("device"),
                                header.contains("category") ? cells.at("category") : null,
                                cells.arguments(),
                                count.isEmpty() ? 1 : count(file, number[0], count),
                                duration.isEmpty() ? -1 : Math.round(Double.parseDouble(duration) * 1e6),
                                !header.contains("count")),
                        number[0]);
            });
        } catch (NumberFormatException e) {
            throw damaged(file, number[0], "a cell that should hold a number does not");
        }
    }

    /** A row of a table by its header. */
    private record Row(List<String> header, List<String> cells) {
        String at(String column) {
            int place = header.indexOf(column);
            return place < 0 || place >= cells.size() ? "" : cells.get(place);
        }

        Members arguments() {
            Map<String, Json> known = new LinkedHashMap<>();
            number(known, "device", at("device"));
            number(known, "stream", at("stream"));
            triple(known, "grid");
            triple(known, "block");
            number(known, "shared memory", at("shared_memory"));
            number(known, "registers per thread", at("registers_per_thread"));
            return new Members(known);
        }

        private void triple(Map<String, Json> known, String what) {
            if (!at(what + "_x").isEmpty()) {
                known.put(
                        what,
                        new Json.Items(List.of(
                                new Json.Numeral(at(what + "_x")),
                                new Json.Numeral(at(what + "_y")),
                                new Json.Numeral(at(what + "_z")))));
            }
        }

        private static void number(Map<String, Json> known, String name, String cell) {
            if (!cell.isEmpty()) {
                known.put(name, cell.matches("-?\\d{1,18}") ? new Json.Numeral(cell) : new Json.Text(cell));
            }
        }
    }

    static String plain(@Nullable Json value) {
        return switch (value) {
            case Json.Text(String text) -> text;
            case Json.Numeral(String text) -> text;
            case Json.Truth(boolean truth) -> truth ? "True" : "False";
            case null, default -> "";
        };
    }

    private static TraceFormatException damaged(Path file, long line, String problem) {
        return new TraceFormatException(
                ErrorCode.FORMAT_CORRUPT,
                file.toString(),
                -1,
                "line " + line + ": " + problem,
                "Expected a list of kernels: launch parameters, unique kernels or counts.");
    }
}
