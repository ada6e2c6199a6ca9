// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.model.DetailRows;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.GraphDetails;
import dev.lockstep.model.MemoryDetails;
import dev.lockstep.model.Rank;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.SyncDetails;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceBuilder;
import dev.lockstep.model.TraceFormat;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.read.RankNames;
import dev.lockstep.read.TraceInput;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** What one process did, on its way into a trace: on the same tracks and under the same names as rocprofv3's JSON has it. */
final class RocmProcess {
    private static final String HOST = "host";

    private final RocpdNames names;
    private final RowsOfRank rows;
    private final TraceBuilder builder;
    private final Map<String, String> metadata = new TreeMap<>();
    private final TreeSet<Long> devices = new TreeSet<>();
    private long onDevice;

    RocmProcess(RocpdNames names) {
        this(names, 16);
    }

    /** @param expected how many slices there may be; only a hint */
    RocmProcess(RocpdNames names, int expected) {
        this.names = names;
        this.rows = new RowsOfRank(expected);
        this.builder = rows.builder();
    }

    RowsOfRank rows() {
        return rows;
    }

    Diagnostics diagnostics() {
        return builder.diagnostics();
    }

    /** States something about the recording, as JSON text. */
    void state(String key, String json) {
        metadata.put(key, json);
    }

    /**
     * Adds a kernel, a copy, or a barrier, which does no work; returns the slice, or -1 if its times cannot be.
     *
     * @param number joins it with its call, 0 for none
     */
    int device(SliceKind kind, long start, long end, int name, long agent, long stream, long number) {
        String category = switch (kind) {
            case KERNEL -> "kernel_dispatch";
            case MEMCPY -> "memory_copy";
            default -> "barrier";
        };
        int place = rows.count(category);
        if (!rows.usable(start, end)) {
            return -1;
        }
        onDevice += kind.isDeviceActivity() ? 1 : 0;
        long device = names.agents().device(agent);
        if (device >= 0) {
            devices.add(device);
        }
        int track = track(plain(device), plain(stream));
        int slice = builder.slice(start, end - start, name, track, kind);
        builder.source(slice, rows.intern(category), place);
        rows.join(slice, number);
        DetailRows details = builder.details(DeviceDetails.KEY);
        details.add(slice);
        details.number(DeviceDetails.DEVICE, Math.max(-1, device));
        details.number(DeviceDetails.STREAM, Math.max(-1, stream));
        return slice;
    }

    /** States of the slice added last how large it was. */
    void size(int column, long x, long y, long z) {
        if (x >= 0 && y >= 0 && z >= 0) {
            builder.details(DeviceDetails.KEY).text(column, rows.intern("[" + x + ", " + y + ", " + z + "]"));
        }
    }

    /** States of the slice added last how many bytes it moved. */
    void bytes(long bytes) {
        builder.details(DeviceDetails.KEY).number(DeviceDetails.BYTES, Math.max(-1, bytes));
    }

    /** States which node of which graph a slice ran for, where it did for any. */
    void graph(int slice, long graph, long node) {
        if (graph > 0) {
            DetailRows details = builder.details(GraphDetails.KEY);
            details.add(slice);
            details.number(GraphDetails.GRAPH, graph);
            details.number(GraphDetails.NODE, Math.max(-1, node));
        }
    }

    /** States of which stream, and recorded by which call, the event was that a slice waited for. */
    void waited(int slice, long stream, long recording) {
        DetailRows details = builder.details(SyncDetails.KEY);
        details.add(slice);
        details.number(SyncDetails.STREAM, stream);
        details.number(SyncDetails.RECORD, recording);
    }

    /** Adds what a thread did; what takes no time and is a range is a mark. */
    void host(String category, SliceKind kind, long start, long end, int name, long thread, long number) {
        int place = rows.count(category);
        if (!rows.usable(start, end)) {
            return;
        }
        int track = track(HOST, plain(thread));
        if (kind == SliceKind.ANNOTATION && start == end) {
            builder.mark('i', start, track, name, rows.intern(category));
            return;
        }
        int slice = builder.slice(start, end - start, name, track, kind);
        builder.source(slice, rows.intern(category), place);
        rows.join(slice, number);
    }

    /** Adds an allocation, or a release where bytes are below zero. */
    void memory(long at, long thread, long agent, long address, long bytes) {
        rows.count("memory_allocation");
        if (!rows.usable(at)) {
            return;
        }
        int mark = builder.markCount();
        builder.mark(
                'i', at, track(HOST, plain(thread)), rows.intern(MemoryDetails.MARK), rows.intern("memory_allocation"));
        DetailRows details = builder.markDetails(MemoryDetails.KEY);
        details.add(mark);
        details.number(MemoryDetails.DEVICE, names.agents().device(agent));
        details.number(MemoryDetails.BYTES, bytes);
        details.number(MemoryDetails.ADDRESS, address);
    }

    private int track(String process, String thread) {
        return builder.track(rows.intern(process), rows.intern(thread));
    }

    private static String plain(long number) {
        return number < 0 ? "" : Long.toString(number);
    }

    /** @param alone whether the file holds no other process */
    Trace build(TraceInput input, TraceFormat format, int place, boolean alone) {
        devices.forEach(device -> builder.processLabels(Long.toString(device), "GPU " + device));
        names.agents().devices().forEach(device -> {
            String number = Long.toString(device.id());
            builder.processName(number, device.name());
            builder.processLabels(number, "GPU " + device.id());
        });
        builder.processLabels(HOST, "CPU");
        names.threadNames().forEach((thread, name) -> builder.threadName(HOST, Long.toString(thread), name));
        rows.finish(onDevice);
        Rank rank = RankNames.unstated(input.path(), place, alone, builder.diagnostics());
        return builder.build(new TraceInfo(
                input.name(), format.id(), rank, -1, names.agents().devices(), 0, metadata));
    }
}
