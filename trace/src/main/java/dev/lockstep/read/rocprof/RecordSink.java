// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.rocprof;

import dev.lockstep.codec.JsonCursor;
import dev.lockstep.model.DetailRows;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.Diagnostics.Weight;
import dev.lockstep.model.EventCounts;
import dev.lockstep.model.ShortNames;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.TraceBuilder;
import dev.lockstep.table.LongList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Gives records their meaning: which list makes what of them, and what is left out and counted. */
final class RecordSink {
    private static final Map<String, SliceKind> KINDS = Map.of(
            "kernel_dispatch", SliceKind.KERNEL,
            "memory_copy", SliceKind.MEMCPY,
            "hip_api", SliceKind.RUNTIME_CALL,
            "hsa_api", SliceKind.DRIVER_CALL,
            "marker_api", SliceKind.ANNOTATION,
            "rccl_api", SliceKind.HOST_OTHER);

    private static final List<String> LISTS = KINDS.keySet().stream().sorted().toList();

    /** Numbers of a record that is held until all names are known. */
    private static final int HELD = 20;

    /** How many records of a list there are, and their bytes. */
    private static final class Tally {
        private long count;
        private long bytes;
    }

    private final TraceBuilder builder;
    private final NameTables names;
    private final RecordText texts;
    private final Map<String, Tally> tallies = new TreeMap<>();
    private final LongList held = new LongList(HELD);
    private int records;
    private long complete;
    private long device;

    RecordSink(TraceBuilder builder, NameTables names) {
        this.builder = builder;
        this.names = names;
        this.texts = new RecordText(builder);
    }

    /** Whether records of this list are read. */
    static boolean isKnown(String list) {
        return KINDS.containsKey(list);
    }

    int records() {
        return records;
    }

    /** @param length bytes of text that the record takes */
    void accept(String list, RecordFields f, long position, int length) {
        int number = records++;
        Tally tally = tallies.computeIfAbsent(list, l -> new Tally());
        tally.count++;
        tally.bytes += length;
        if (!usable(f, position)) {
            return;
        }
        complete++;
        if (names.isComplete()) {
            take(list, f, number);
        } else {
            hold(list, f, number);
        }
    }

    private void take(String list, RecordFields f, int number) {
        SliceKind kind = kindOf(list, f);
        if (kind == SliceKind.KERNEL) {
            device++;
            kernel(f, number);
        } else if (kind == SliceKind.MEMCPY) {
            device++;
            copy(f, number);
        } else {
            call(list, f, kind, number);
        }
    }

    /** @param process number of the process, as text */
    void finish(String process) {
        RecordFields f = new RecordFields();
        for (int i = 0; i < held.size(); i += HELD) {
            restore(f, i);
            take(LISTS.get((int) held.get(i + HELD - 1)), f, (int) held.get(i + HELD - 2));
        }
        EventCounts counts = builder.counts();
        counts.add(records, complete, device);
        tallies.forEach((list, tally) -> counts.addCategory(list, tally.count, tally.bytes));
        names.agents().devices().forEach(d -> {
            String place = Long.toString(d.id());
            builder.processName(place, d.name());
            builder.processLabels(place, "GPU " + d.id());
        });
        if (!process.isEmpty()) {
            builder.processLabels("host", "CPU");
        }
    }

    private boolean usable(RecordFields f, long position) {
        if (f.start == RecordFields.ABSENT || f.end == RecordFields.ABSENT) {
            problem("ts_missing", "a record has no start_timestamp or end_timestamp", position);
        } else if (!isTime(f.start) || !isTime(f.end)) {
            problem("ts_invalid", "a timestamp of a record is no usable number", position);
        } else if (f.end < f.start) {
            problem("negative_duration", "a record ends before it starts", position);
        } else {
            return true;
        }
        return false;
    }

    /** Whether it counts nanoseconds that fit into 62 bits. */
    private static boolean isTime(long ns) {
        return ns >= 0 && ns <= JsonCursor.LATEST_NS;
    }

    /** By the kind that the record itself states; where that is unknown, by the list in which it stands. */
    private SliceKind kindOf(String list, RecordFields f) {
        String kind = names.kind(f.kind);
        if (kind != null) {
            if (kind.equals("KERNEL_DISPATCH")) {
                return SliceKind.KERNEL;
            }
            if (kind.equals("MEMORY_COPY")) {
                return SliceKind.MEMCPY;
            }
        }
        SliceKind known = KINDS.get(list);
        return known == null ? SliceKind.HOST_OTHER : known;
    }

    private void kernel(RecordFields f, int number) {
        int name = names.kernel(f.kernel);
        if (name < 0) {
            name = builder.strings().intern(f.kernel < 0 ? "unknown_kernel" : "unknown_kernel_" + f.kernel);
            builder.diagnostics()
                    .add(Weight.OBSERVATION, "name_missing", "a kernel is not among the kernel_symbols", -1);
        }
        int slice = onDevice(f, name, SliceKind.KERNEL, names.agents().device(f.agent), number);
        int brief = names.shortKernel(f.kernel);
        if (brief >= 0 && brief != name) {
            DetailRows rows = builder.details(ShortNames.KEY);
            rows.add(slice);
            rows.text(ShortNames.SHORT, brief);
        }
    }

    private void copy(RecordFields f, int number) {
        String operation = names.operation(f.kind, f.operation);
        int name = builder.strings().intern(operation == null ? "MEMORY_COPY" : operation);
        long agent = names.agents().isDevice(f.agent) || !names.agents().isDevice(f.source) ? f.agent : f.source;
        onDevice(f, name, SliceKind.MEMCPY, names.agents().device(agent), number);
    }

    private int onDevice(RecordFields f, int name, SliceKind kind, long place, int number) {
        String category = kind == SliceKind.KERNEL ? "kernel_dispatch" : "memory_copy";
        int track = track(plain(place), f.stream < 0 ? "" : Long.toString(f.stream));
        int slice = builder.slice(f.start, f.end - f.start, name, track, kind);
        builder.source(slice, builder.strings().intern(category), number);
        builder.join(slice, id(f.correlation), id(f.external));
        DetailRows rows = builder.details(DeviceDetails.KEY);
        rows.add(slice);
        rows.number(DeviceDetails.DEVICE, Math.max(-1, place));
        rows.number(DeviceDetails.STREAM, Math.max(-1, f.stream));
        rows.number(DeviceDetails.BYTES, Math.max(-1, f.bytes));
        rows.text(DeviceDetails.GRID, sizes(f.grid));
        rows.text(DeviceDetails.BLOCK, sizes(f.workgroup));
        texts.device(slice, f, place);
        return slice;
    }

    private void call(String list, RecordFields f, SliceKind kind, int number) {
        int range = kind == SliceKind.ANNOTATION ? names.range(f.correlation) : -1;
        String operation = names.operation(f.kind, f.operation);
        int name = range >= 0 ? range : builder.strings().intern(operation == null ? list : operation);
        int track = track("host", plain(f.thread));
        int category = builder.strings().intern(list);
        if (kind == SliceKind.ANNOTATION && f.end == f.start) {
            builder.mark('i', f.start, track, name, category);
            texts.mark(f, number);
            return;
        }
        int slice = builder.slice(f.start, f.end - f.start, name, track, kind);
        builder.source(slice, category, number);
        builder.join(slice, id(f.correlation), id(f.external));
        texts.call(slice, f);
    }

    private int track(String process, String thread) {
        return builder.track(
                builder.strings().intern(process), builder.strings().intern(thread));
    }

    private int sizes(long[] xyz) {
        return xyz[0] < 0 ? -1 : builder.strings().intern("[" + xyz[0] + ", " + xyz[1] + ", " + xyz[2] + "]");
    }

    /** 0 stands for none in these files. */
    private static long id(long number) {
        return number <= 0 ? -1 : number;
    }

    private static String plain(long number) {
        return number < 0 ? "" : Long.toString(number);
    }

    private void hold(String list, RecordFields f, int number) {
        long[] values = {
            f.start,
            f.end,
            f.kind,
            f.operation,
            f.thread,
            f.correlation,
            f.external,
            f.stream,
            f.agent,
            f.source,
            f.kernel,
            f.bytes,
            f.grid[0],
            f.grid[1],
            f.grid[2],
            f.workgroup[0],
            f.workgroup[1],
            f.workgroup[2],
            number,
            LISTS.indexOf(list)
        };
        for (long value : values) {
            held.add(value);
        }
    }

    private void restore(RecordFields f, int i) {
        int at = i;
        f.start = held.get(at++);
        f.end = held.get(at++);
        f.kind = held.get(at++);
        f.operation = held.get(at++);
        f.thread = held.get(at++);
        f.correlation = held.get(at++);
        f.external = held.get(at++);
        f.stream = held.get(at++);
        f.agent = held.get(at++);
        f.source = held.get(at++);
        f.kernel = held.get(at++);
        f.bytes = held.get(at++);
        for (int k = 0; k < f.grid.length; k++) {
            f.grid[k] = held.get(at++);
        }
        for (int k = 0; k < f.workgroup.length; k++) {
            f.workgroup[k] = held.get(at++);
        }
    }

    private void problem(String code, String message, long position) {
        builder.diagnostics().add(Weight.REPAIRED, code, message + "; the record was left out", position);
    }
}
