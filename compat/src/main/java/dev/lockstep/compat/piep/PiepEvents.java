// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.piep;

import dev.lockstep.codec.Json;
import dev.lockstep.codec.Json.Members;
import dev.lockstep.codec.Json.Numeral;
import dev.lockstep.derive.MicrosecondDoubles;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.Recorded;
import dev.lockstep.model.RecordedTexts;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongOrder;
import dev.lockstep.table.StringPool;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What piep takes for kernels: complete events with {@code cuda} or {@code kernel} in category or name, host calls such as
 * {@code cudaLaunchKernel} among them, and those that name a stream and a device; by start, then as in the file. Confined to
 * one thread.
 */
final class PiepEvents {
    /** The share of a stream's time from which on it counts as communication. */
    static final double COMMUNICATION_THRESHOLD = 0.5;

    private final Trace trace;
    private final Slices slices;
    private final RecordedTexts.@Nullable Cursor recorded;
    private final @Nullable DeviceDetails details;
    private final StringPool places = new StringPool();
    private final int[] rows;
    private final int[] devices;
    private final int[] streams;
    private final Map<Integer, String> labels;

    /** @param trace read with everything that its file says */
    PiepEvents(Trace trace, double threshold) throws IOException {
        this.trace = trace;
        this.slices = trace.slices();
        this.details = trace.view(DeviceDetails.KEY);
        Recorded all = trace.recorded();
        this.recorded = all == null ? null : all.slices().cursor();
        rows = select();
        devices = new int[rows.length];
        streams = new int[rows.length];
        for (int i = 0; i < rows.length; i++) {
            Members arguments = arguments(i);
            devices[i] = places.intern(PythonCsv.str(arguments.get("device")));
            streams[i] = places.intern(PythonCsv.str(arguments.get("stream")));
        }
        labels = labels(threshold);
    }

    int size() {
        return rows.length;
    }

    String name(int i) {
        return trace.name(rows[i]);
    }

    /** Number of the name: equal for equal names. */
    int nameId(int i) {
        return slices.name(rows[i]);
    }

    /** Start in µs. */
    double ts(int i) {
        return MicrosecondDoubles.start(slices, rows[i]);
    }

    /** Duration in µs. */
    double dur(int i) {
        return MicrosecondDoubles.of(slices.dur(rows[i]));
    }

    /** Empty when absent. */
    String device(int i) {
        return places.get(devices[i]);
    }

    /** Empty when absent. */
    String stream(int i) {
        return places.get(streams[i]);
    }

    /** {@code compute} or {@code communication}, as the stream is labelled, {@code unknown} without a stream. */
    String category(int i) {
        return stream(i).isEmpty() ? "unknown" : labels.getOrDefault(streams[i], "compute");
    }

    /** As recorded. */
    Members arguments(int i) throws IOException {
        RecordedTexts.Cursor cursor = recorded;
        if (cursor == null || !cursor.move(rows[i])) {
            return known(rows[i]);
        }
        int length = cursor.argumentsEnd - cursor.arguments;
        byte[] object = new byte[length + 2];
        object[0] = '{';
        System.arraycopy(cursor.bytes, cursor.arguments, object, 1, length);
        object[length + 1] = '}';
        return Json.parse(object) instanceof Members members ? members : new Members(Map.of());
    }

    private int[] select() throws IOException {
        byte[] byName = new byte[trace.strings().size()];
        IntList found = new IntList(1024);
        for (int row = 0; row < slices.size(); row++) {
            if (says(byName, slices.name(row)) || says(byName, slices.category(row)) || isPlaced(row)) {
                found.add(row);
            }
        }
        int[] order = found.toArray();
        long[] keys = new long[order.length];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = slices.index(order[i]);
        }
        LongOrder.sort(keys, order);
        for (int i = 0; i < keys.length; i++) {
            keys[i] = slices.ts(order[i]);
        }
        LongOrder.sort(keys, order);
        return order;
    }

    private boolean says(byte[] known, int text) {
        if (text < 0) {
            return false;
        }
        if (known[text] == 0) {
            String plain = trace.strings().get(text).toLowerCase(Locale.ROOT);
            known[text] = (byte) (plain.contains("cuda") || plain.contains("kernel") ? 1 : 2);
        }
        return known[text] == 1;
    }

    private boolean isPlaced(int row) throws IOException {
        int detail = details == null ? -1 : details.of(row);
        if (details != null && detail >= 0 && details.device(detail) >= 0 && details.stream(detail) >= 0) {
            return true;
        }
        RecordedTexts.Cursor cursor = recorded;
        if (cursor == null || !cursor.move(row) || !mentionsStream(cursor)) {
            return false;
        }
        byte[] object = new byte[cursor.argumentsEnd - cursor.arguments + 2];
        object[0] = '{';
        System.arraycopy(cursor.bytes, cursor.arguments, object, 1, object.length - 2);
        object[object.length - 1] = '}';
        return Json.parse(object) instanceof Members members
                && members.get("stream") != null
                && members.get("device") != null;
    }

    private static boolean mentionsStream(RecordedTexts.Cursor cursor) {
        byte[] b = cursor.bytes;
        for (int p = cursor.arguments; p + 8 <= cursor.argumentsEnd; p++) {
            if (b[p] == '"'
                    && b[p + 1] == 's'
                    && b[p + 2] == 't'
                    && b[p + 3] == 'r'
                    && b[p + 4] == 'e'
                    && b[p + 5] == 'a'
                    && b[p + 6] == 'm'
                    && b[p + 7] == '"') {
                return true;
            }
        }
        return false;
    }

    private Map<Integer, String> labels(double threshold) {
        Map<Integer, double[]> sums = new LinkedHashMap<>();
        for (int i = 0; i < rows.length; i++) {
            if (stream(i).isEmpty()) {
                continue;
            }
            double[] sum = sums.computeIfAbsent(streams[i], s -> new double[2]);
            sum[1] += dur(i);
            if (isCommunication(name(i))) {
                sum[0] += dur(i);
            }
        }
        Map<Integer, String> found = new HashMap<>();
        sums.forEach((stream, sum) ->
                found.put(stream, sum[0] / (sum[1] == 0 ? 1 : sum[1]) >= threshold ? "communication" : "compute"));
        return found;
    }

    static boolean isCommunication(String name) {
        String plain = name.toLowerCase(Locale.ROOT);
        return plain.contains("nccl") || plain.contains("allreduce");
    }

    /** What the model knows, for formats that do not record arguments by themselves. */
    private Members known(int row) {
        int detail = details == null ? -1 : details.of(row);
        Map<String, Json> known = new LinkedHashMap<>();
        if (details != null && detail >= 0) {
            number(known, "device", details.device(detail));
            number(known, "stream", details.stream(detail));
            number(known, "correlation", slices.correlation(row));
            number(known, "registers per thread", details.registers(detail));
            number(known, "shared memory", details.sharedMemory(detail));
            structure(known, "grid", details.grid(detail));
            structure(known, "block", details.block(detail));
            number(known, "bytes", details.bytes(detail));
        }
        return new Members(known);
    }

    private static void number(Map<String, Json> known, String name, long value) {
        if (value >= 0) {
            known.put(name, new Numeral(Long.toString(value)));
        }
    }

    private void structure(Map<String, Json> known, String name, int text) {
        if (text >= 0) {
            try {
                known.put(name, Json.parse(trace.strings().get(text)));
            } catch (IOException e) {
                known.put(name, new Json.Text(trace.strings().get(text)));
            }
        }
    }
}
