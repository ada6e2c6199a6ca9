// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.codec.JsonCursor;
import dev.lockstep.model.DetailRows;
import dev.lockstep.model.Diagnostics.Weight;
import dev.lockstep.model.ShortNames;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceBuilder;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.read.nsys.NsysRows;
import dev.lockstep.table.LongIntMap;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What one process did with one device, on its way into a trace. */
final class NsysRank {
    private static final long THREAD = 0xFFFFFF;

    /** Stands where a wait is for no stream of its own, but for an event or for everything. */
    private static final long NO_STREAM = 0xFFFFFFFFL;

    /** Times from here on cannot be: the sum of one and of when the session began must be a number, too. */
    private final long process;

    private final long device;
    private final TraceBuilder builder = new TraceBuilder(16);
    private final LongIntMap poolIds = new LongIntMap(16);
    private final Map<String, Long> counts = new TreeMap<>();
    private int rows;
    private long complete;
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

    TraceBuilder builder() {
        return builder;
    }

    /** The thread within a global id, as text. */
    static String thread(long globalThread) {
        return Long.toString(globalThread & THREAD);
    }

    int intern(String text) {
        return builder.strings().intern(text);
    }

    /** The pool id of a text of the file; of what stands for it where the file lacks it. */
    int text(NsysTexts texts, long id, String otherwise) {
        int known = poolIds.get(id);
        if (known < 0) {
            String text = texts.get(id);
            if (text == null) {
                nameMissing();
                return intern(otherwise);
            }
            known = intern(text);
            poolIds.put(id, known);
        }
        return known;
    }

    /** Counts a row whose name stands nowhere. */
    void nameMissing() {
        builder.diagnostics()
                .add(
                        Weight.OBSERVATION,
                        "name_missing",
                        "rows have no name, or the number of one that StringIds does not hold",
                        -1);
    }

    /**
     * Adds what ran on the device; start, end, process, device, stream and correlation are the first columns.
     *
     * @return the slice, or -1 if its times cannot be
     */
    int device(SqliteRows row, int name, String category, SliceKind kind) throws IOException {
        long start = row.number(0, -1);
        long end = row.number(1, -1);
        int number = count(category);
        if (!usable(start, end)) {
            return -1;
        }
        onDevice += kind.isDeviceActivity() ? 1 : 0;
        long stream = row.number(4, 0);
        int track = builder.track(
                intern(Long.toString(device)), intern(stream == NO_STREAM ? "waits" : Long.toString(stream)));
        int slice = builder.slice(start, end - start, name, track, kind);
        builder.source(slice, intern(category), number);
        join(slice, row.number(5, -1));
        return slice;
    }

    /** Adds what a thread of the host did; returns the slice, or -1 if its times cannot be. */
    int host(long start, long end, String thread, int name, HostActivity activity) {
        int number = count(activity.category());
        boolean open = end < 0;
        if (open ? !usable(start) : !usable(start, end)) {
            return -1;
        }
        onHost++;
        int categoryId = intern(activity.category());
        int slice = builder.slice(start, open ? -1 : end - start, name, track(thread), activity.kind());
        builder.source(slice, categoryId, number);
        return slice;
    }

    /** States the number that joins a call with its activity on the device. */
    void join(int slice, long correlation) {
        builder.join(slice, correlation(correlation), -1);
    }

    /** Adds a mark, unless its time cannot be. */
    void mark(long at, String thread, int name) {
        count("user_annotation");
        if (!usable(at)) {
            return;
        }
        onHost++;
        builder.mark('i', at, track(thread), name, intern("user_annotation"));
    }

    /** Adds a sample of a counter; what it says is for the caller to add. */
    void counter(long at, int track, int name, String category) {
        count(category);
        builder.mark('C', at, track, name, intern(category));
    }

    void shortName(int slice, int name, NsysTexts texts, long id) {
        @Nullable String brief = texts.get(id);
        if (brief != null && intern(brief) != name) {
            DetailRows details = builder.details(ShortNames.KEY);
            details.add(slice);
            details.text(ShortNames.SHORT, intern(brief));
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
        builder.counts().add(rows, complete, onDevice);
        builder.counts().addPhase("X", complete);
        counts.forEach((category, count) -> builder.counts().addCategory(category, count, 0));
        return builder.build(info);
    }

    private int track(String thread) {
        return builder.track(intern(processText()), intern(thread));
    }

    private String processText() {
        return Long.toString(NsysRows.processOf(process));
    }

    private int count(String category) {
        counts.merge(category, 1L, Long::sum);
        return rows++;
    }

    /** Whether a time can be; one that cannot is counted. */
    private boolean usable(long time) {
        boolean late = time >= JsonCursor.LATEST_NS;
        if (time < 0 || late) {
            left(
                    late ? "ts_invalid" : "ts_missing",
                    late ? "a time does not fit into 62 bits" : "a row has no start, or one below zero");
        }
        return time >= 0 && !late;
    }

    private boolean usable(long start, long end) {
        if (!usable(start)) {
            return false;
        }
        if (end < start) {
            left("negative_duration", "a row has no end, or one before its start");
            return false;
        }
        if (!usable(end)) {
            return false;
        }
        complete++;
        return true;
    }

    private void left(String code, String what) {
        builder.diagnostics().add(Weight.REPAIRED, code, what + "; the row was left out", -1);
    }

    /** 0 stands for none in these files. */
    private static long correlation(long number) {
        return number <= 0 ? -1 : number;
    }
}
