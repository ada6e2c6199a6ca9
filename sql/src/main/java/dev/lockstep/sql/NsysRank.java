// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceBuilder;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.read.nsys.NsysRows;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What one process did with one device, on its way into a trace. */
final class NsysRank {
    private static final long THREAD = 0xFFFFFF;

    /** Stands where a wait is for no stream of its own, but for an event or for everything. */
    private static final long NO_STREAM = 0xFFFFFFFFL;

    /** Times from here on cannot be: the sum of one and of when the session began must be a number, too. */
    private final long process;

    private final long device;
    private final RowsOfRank rows = new RowsOfRank();
    private final TraceBuilder builder = rows.builder();
    private long onDevice;
    private long onHost;

    /**
     * @param process the global id, with nothing of a thread
     * @param device -1 for a process that used none
     */
    NsysRank(long process, long device) {
        this.process = process;
        this.device = device;
    }

    long process() {
        return process;
    }

    long deviceNumber() {
        return device;
    }

    /** How many rows of the device were taken. */
    long onDevice() {
        return onDevice;
    }

    /** How many rows of threads of the host were taken. */
    long onHost() {
        return onHost;
    }

    RowsOfRank rows() {
        return rows;
    }

    TraceBuilder builder() {
        return builder;
    }

    /** The thread within a global id, as text. */
    static String thread(long globalThread) {
        return Long.toString(globalThread & THREAD);
    }

    int intern(String text) {
        return rows.intern(text);
    }

    /** The pool id of a text of the file; of what stands for it where the file lacks it. */
    int text(NsysTexts texts, long id, String otherwise) {
        return rows.text(texts::get, id, otherwise);
    }

    /** Counts a row whose name stands nowhere. */
    void nameMissing() {
        rows.nameMissing();
    }

    /**
     * Adds what ran on the device; start, end, process, device, stream and correlation are the first columns.
     *
     * @return the slice, or -1 if its times cannot be
     */
    int device(SqliteRows row, int name, String category, SliceKind kind) throws IOException {
        long start = row.number(0, -1);
        long end = row.number(1, -1);
        int number = rows.count(category);
        if (!rows.usable(start, end)) {
            return -1;
        }
        onDevice += kind.isDeviceActivity() ? 1 : 0;
        long stream = row.number(4, 0);
        int track = builder.track(
                intern(Long.toString(device)), intern(stream == NO_STREAM ? "waits" : Long.toString(stream)));
        int slice = builder.slice(start, end - start, name, track, kind);
        builder.source(slice, intern(category), number);
        rows.join(slice, row.number(5, -1));
        return slice;
    }

    /** Adds what a thread of the host did; returns the slice, or -1 if its times cannot be. */
    int host(long start, long end, String thread, int name, HostActivity activity) {
        int number = rows.count(activity.category());
        boolean open = end < 0;
        if (open ? !rows.usable(start) : !rows.usable(start, end)) {
            return -1;
        }
        onHost++;
        int categoryId = intern(activity.category());
        int slice = builder.slice(start, open ? -1 : end - start, name, track(thread), activity.kind());
        builder.source(slice, categoryId, number);
        return slice;
    }

    /** Adds a mark, unless its time cannot be. */
    void mark(long at, String thread, int name) {
        rows.count("user_annotation");
        if (!rows.usable(at)) {
            return;
        }
        onHost++;
        builder.mark('i', at, track(thread), name, intern("user_annotation"));
    }

    void shortName(int slice, int name, NsysTexts texts, long id) {
        @Nullable String brief = texts.get(id);
        if (brief != null) {
            rows.shortName(slice, name, brief);
        }
    }

    void processName(String name) {
        builder.processName(processText(), name);
    }

    void threadName(long globalThread, String name) {
        builder.threadName(processText(), thread(globalThread), name);
    }

    Trace build(TraceInfo info) {
        if (device >= 0) {
            String place = Long.toString(device);
            builder.processLabels(place, "GPU " + place);
            info.devices().forEach(gpu -> builder.processName(place, gpu.name()));
        }
        rows.finish(onDevice);
        return builder.build(info);
    }

    private int track(String thread) {
        return builder.track(intern(processText()), intern(thread));
    }

    private String processText() {
        return Long.toString(NsysRows.processOf(process));
    }
}
