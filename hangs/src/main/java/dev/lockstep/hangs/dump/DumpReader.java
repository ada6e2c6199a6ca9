// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.hangs.dump;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.lockstep.codec.Json;
import dev.lockstep.codec.PickleBytes;
import dev.lockstep.codec.PlainPickle;
import dev.lockstep.codec.PrefixedSource;
import dev.lockstep.codec.SourceStream;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.read.TraceInput;
import java.io.CharConversionException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** Reads a dump of Flight Recorder: a pickle, of which nothing is executed, or JSON. Both may be packed. */
public final class DumpReader {
    /** What to do about a file that is no dump. */
    public static final String HINT =
            "Dumps are what TORCH_FR_DUMP_TEMP_FILE names, one file a rank: nccl_trace_rank_0, …";

    private static final Pattern SIGNS =
            Pattern.compile("pg_config|pg_status|collective_seq_id|profiling_name|comm_lib_version|nccl_version");

    /** A dump may take so much of the heap, in parts of it: others are read at the same time. */
    private static final int PART_OF_HEAP = 8;

    /** Lists of ranks by their text: each dump of a job states them. */
    private final Map<String, List<Integer>> lists = new ConcurrentHashMap<>();

    /** For the dumps of one job; several threads may read. */
    public DumpReader() {}

    /** Whether a file looks like a dump, by its first bytes. What cannot be opened does. */
    public static boolean isDump(Path file) {
        try (PrefixedSource source = TraceInput.of(file).open(new Diagnostics())) {
            byte[] head = source.head();
            return isPickle(head) && SIGNS.matcher(latin(head)).find()
                    || isJson(head)
                            && latin(head).contains("\"entries\"")
                            && SIGNS.matcher(latin(head)).find();
        } catch (IOException e) {
            return true;
        }
    }

    /**
     * Reads a dump.
     *
     * @throws TraceFormatException when it is none
     */
    public RankDump read(Path file) throws IOException {
        TraceInput input = TraceInput.of(file);
        try (PrefixedSource source = input.open(new Diagnostics())) {
            EntryRows rows = new EntryRows();
            int[] taken = {0};
            Object value = value(input, source, (members, from, to) -> {
                if (!rows.take(members, from, to)) {
                    return null;
                }
                taken[0]++;
                return DumpDocument.Taken.ENTRY;
            });
            if (DumpDocument.isTaken(value, taken[0])) {
                return new DumpDocument(input.name(), rank(file), lists).read(value, rows);
            }
        }
        try (PrefixedSource again = input.open(new Diagnostics())) {
            Object value = value(input, again, (members, from, to) -> null);
            return new DumpDocument(input.name(), rank(file), lists).read(value);
        }
    }

    private static Object value(TraceInput input, PrefixedSource source, PlainPickle.Taker taker) throws IOException {
        long most = Runtime.getRuntime().maxMemory() / PART_OF_HEAP;
        byte[] head = source.head();
        if (isJson(head)) {
            try {
                return PlainJson.read(new SourceStream(source), most, taker);
            } catch (JsonProcessingException e) {
                throw new TraceFormatException(
                        ErrorCode.FORMAT_CORRUPT, input.name(), Json.position(e), Json.problem(e), HINT);
            } catch (CharConversionException e) {
                throw new TraceFormatException(
                        ErrorCode.FORMAT_CORRUPT, input.name(), -1, String.valueOf(e.getMessage()), HINT);
            }
        }
        if (!isPickle(head)) {
            throw new TraceFormatException(
                    ErrorCode.FORMAT_UNKNOWN, input.name(), 0, "expected a pickle or JSON", HINT);
        }
        return PlainPickle.read(new PickleBytes(input.name(), source, bytes -> {}, HINT), most, taker);
    }

    /** The last number in the file's name, endings apart; -1 for none. */
    static int rank(Path file) {
        String name = String.valueOf(file.getFileName()).replaceFirst("\\.[^\\d.][^.]*(\\.gz)?$|\\.gz$", "");
        int end = name.length();
        while (end > 0 && !DumpDocument.isDigit(name.charAt(end - 1))) {
            end--;
        }
        int from = end;
        while (from > 0 && DumpDocument.isDigit(name.charAt(from - 1))) {
            from--;
        }
        return end - from > 0 && end - from <= DumpDocument.MOST_DIGITS
                ? Integer.parseInt(name.substring(from, end))
                : -1;
    }

    private static boolean isPickle(byte[] head) {
        return head.length > 1 && ((head[0] & 0xFF) == 0x80 || head[0] == '(' || head[0] == '}');
    }

    private static boolean isJson(byte[] head) {
        for (byte b : head) {
            if (b > ' ') {
                return b == '{';
            }
        }
        return false;
    }

    private static String latin(byte[] head) {
        return new String(head, StandardCharsets.ISO_8859_1);
    }
}
