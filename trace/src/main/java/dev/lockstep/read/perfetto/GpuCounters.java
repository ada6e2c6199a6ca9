// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.perfetto;

import static dev.lockstep.codec.PerfettoFormat.BYTES;
import static dev.lockstep.codec.PerfettoFormat.DESCRIPTOR_SPEC;
import static dev.lockstep.codec.PerfettoFormat.FIXED64;
import static dev.lockstep.codec.PerfettoFormat.GPU_COUNTER_DESCRIPTOR;
import static dev.lockstep.codec.PerfettoFormat.GPU_COUNTER_DESCRIPTOR_IID;
import static dev.lockstep.codec.PerfettoFormat.GPU_COUNTER_GPU;
import static dev.lockstep.codec.PerfettoFormat.GPU_COUNTER_VALUE;
import static dev.lockstep.codec.PerfettoFormat.SPEC_ID;
import static dev.lockstep.codec.PerfettoFormat.SPEC_NAME;
import static dev.lockstep.codec.PerfettoFormat.VALUE_DOUBLE;
import static dev.lockstep.codec.PerfettoFormat.VALUE_INT;
import static dev.lockstep.codec.PerfettoFormat.VARINT;

import dev.lockstep.codec.ProtoCursor;
import dev.lockstep.codec.ProtoCursor.Damaged;
import dev.lockstep.table.LongList;
import java.util.HashMap;
import java.util.Map;

/** Reads values of counters that GPUs keep: power, clocks, shares of units that are active. */
final class GpuCounters {
    private final FileState file;
    private final Event event = new Event();
    /** Names by number of a counter, where values bring them along. */
    private final Map<Long, String> ofFile = new HashMap<>();

    private final LongList numbers = new LongList(4);
    private final LongList values = new LongList(4);
    private final LongList whole = new LongList(4);

    GpuCounters(FileState file) {
        this.file = file;
    }

    /** The names of counters in the descriptor that comes next. */
    static Map<Long, String> names(ProtoCursor in) throws Damaged {
        Map<Long, String> names = new HashMap<>();
        int outer = in.enter();
        for (int tag = in.tag(); tag != 0; tag = in.tag()) {
            if (tag != (DESCRIPTOR_SPEC << 3 | BYTES)) {
                in.skipField(tag);
                continue;
            }
            int descriptor = in.enter();
            long number = 0;
            String name = "";
            for (int field = in.tag(); field != 0; field = in.tag()) {
                switch (field) {
                    case SPEC_ID << 3 | VARINT -> number = in.varint();
                    case SPEC_NAME << 3 | BYTES -> name = in.text();
                    default -> in.skipField(field);
                }
            }
            in.leave(descriptor);
            names.put(number, name);
        }
        in.leave(outer);
        return names;
    }

    /** Reads the values of one moment. */
    void read(ProtoCursor in, long ns, Sequence sequence, int length) throws Damaged {
        long gpu = 0;
        Map<Long, String> names = ofFile;
        numbers.clear();
        values.clear();
        whole.clear();
        for (int tag = in.tag(); tag != 0; tag = in.tag()) {
            switch (tag) {
                case GPU_COUNTER_GPU << 3 | VARINT -> gpu = in.varint();
                case GPU_COUNTER_DESCRIPTOR << 3 | BYTES -> ofFile.putAll(names(in));
                case GPU_COUNTER_DESCRIPTOR_IID << 3 | VARINT ->
                    names = sequence.gpuCounters.getOrDefault(in.varint(), ofFile);
                case GPU_COUNTER_VALUE << 3 | BYTES -> {
                    int outer = in.enter();
                    value(in);
                    in.leave(outer);
                }
                default -> in.skipField(tag);
            }
        }
        RankEvents events = file.events(sequence);
        for (int i = 0; i < numbers.size(); i++) {
            events.values().clear();
            event.clear(ns, file.clocks.base(), 0, length / numbers.size());
            event.counterIsWhole = whole.get(i) != 0;
            event.counter = event.counterIsWhole ? values.get(i) : Double.longBitsToDouble(values.get(i));
            String name = names.getOrDefault(numbers.get(i), "");
            String shown = name.isEmpty() ? "counter " + numbers.get(i) : name;
            event.name = events.strings().intern(shown);
            event.track = file.tracks.counter(gpu, event.name, shown);
            events.counter(event, sequence);
        }
    }

    private void value(ProtoCursor in) throws Damaged {
        long number = 0;
        long value = 0;
        boolean isWhole = true;
        for (int tag = in.tag(); tag != 0; tag = in.tag()) {
            switch (tag) {
                case SPEC_ID << 3 | VARINT -> number = in.varint();
                case VALUE_INT << 3 | VARINT -> value = in.varint();
                case VALUE_DOUBLE << 3 | FIXED64 -> {
                    value = in.fixed64();
                    isWhole = false;
                }
                default -> in.skipField(tag);
            }
        }
        numbers.add(number);
        values.add(value);
        whole.add(isWhole ? 1 : 0);
    }
}
