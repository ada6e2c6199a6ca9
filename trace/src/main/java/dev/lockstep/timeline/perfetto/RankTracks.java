// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.timeline.perfetto;

import static dev.lockstep.codec.PerfettoFormat.PACKET_TRACK_DESCRIPTOR;
import static dev.lockstep.codec.PerfettoFormat.PROCESS_LABEL;
import static dev.lockstep.codec.PerfettoFormat.PROCESS_NAME;
import static dev.lockstep.codec.PerfettoFormat.PROCESS_PID;
import static dev.lockstep.codec.PerfettoFormat.PROCESS_SORT_INDEX;
import static dev.lockstep.codec.PerfettoFormat.THREAD_NAME;
import static dev.lockstep.codec.PerfettoFormat.THREAD_PID;
import static dev.lockstep.codec.PerfettoFormat.THREAD_TID;
import static dev.lockstep.codec.PerfettoFormat.TRACK_COUNTER;
import static dev.lockstep.codec.PerfettoFormat.TRACK_NAME;
import static dev.lockstep.codec.PerfettoFormat.TRACK_PARENT;
import static dev.lockstep.codec.PerfettoFormat.TRACK_PROCESS;
import static dev.lockstep.codec.PerfettoFormat.TRACK_THREAD;
import static dev.lockstep.codec.PerfettoFormat.TRACK_UUID;

import dev.lockstep.codec.ProtoBuffer;
import dev.lockstep.timeline.RankTimeline;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The tracks of a rank in the file: one for each process, one for each thread or stream below it, further ones below that
 * for what overlaps, and one for each counter and each id of asynchronous slices of a process.
 */
final class RankTracks {
    private final List<RankTimeline.Process> processes;
    private final List<RankTimeline.Row> rows;
    private final Packets packets;
    private final TrackNumbers numbers;
    private final long[] processTracks;
    private final long[] rowTracks;
    private final Map<String, Long> counters = new LinkedHashMap<>();
    private final Map<String, Long> asyncs = new LinkedHashMap<>();
    private final ProtoBuffer descriptor = new ProtoBuffer();
    private final ProtoBuffer nested = new ProtoBuffer();

    RankTracks(RankTimeline rank, TrackNumbers numbers, Packets packets) {
        this.processes = rank.processes();
        this.rows = rank.rows();
        this.packets = packets;
        this.numbers = numbers;
        this.processTracks = new long[processes.size()];
        this.rowTracks = new long[rows.size()];
    }

    /** Describes all processes and rows. */
    void describe() throws IOException {
        for (int i = 0; i < processTracks.length; i++) {
            processTracks[i] = numbers.next();
            process(processes.get(i), processTracks[i]);
        }
        long first = 0;
        for (int i = 0; i < rowTracks.length; i++) {
            RankTimeline.Row row = rows.get(i);
            rowTracks[i] = numbers.next();
            if (row.level() == 0) {
                first = rowTracks[i];
                thread(row, first);
            } else {
                overlap(row, rowTracks[i], first);
            }
        }
    }

    /** The track of a process. */
    long process(int process) {
        return processTracks[process];
    }

    /** The track of a row. */
    long row(int row) {
        return rowTracks[row];
    }

    /** The track of a counter of the process that a row belongs to. */
    long counter(int row, String name) throws IOException {
        int process = rows.get(row).process();
        String key = process + "\0" + name;
        Long known = counters.get(key);
        if (known != null) {
            return known;
        }
        long track = numbers.next();
        counters.put(key, track);
        begin(track, processTracks[process]);
        descriptor.field(TRACK_NAME, name);
        nested.clear();
        descriptor.message(TRACK_COUNTER, nested);
        packets.message(PACKET_TRACK_DESCRIPTOR, descriptor);
        return track;
    }

    /** The track of the asynchronous slices of one id, below the process that a row belongs to. */
    long async(int row, String key, String name) throws IOException {
        Long known = asyncs.get(key);
        if (known != null) {
            return known;
        }
        long track = numbers.next();
        asyncs.put(key, track);
        begin(track, processTracks[rows.get(row).process()]);
        descriptor.field(TRACK_NAME, name);
        packets.message(PACKET_TRACK_DESCRIPTOR, descriptor);
        return track;
    }

    private void process(RankTimeline.Process process, long track) throws IOException {
        nested.clear();
        nested.field(PROCESS_PID, process.id());
        nested.field(PROCESS_SORT_INDEX, process.id());
        nested.field(PROCESS_NAME, process.name());
        if (process.labels() != null) {
            nested.field(PROCESS_LABEL, process.labels());
        }
        begin(track, 0);
        descriptor.message(TRACK_PROCESS, nested);
        packets.message(PACKET_TRACK_DESCRIPTOR, descriptor);
    }

    private void thread(RankTimeline.Row row, long track) throws IOException {
        nested.clear();
        nested.field(THREAD_PID, processes.get(row.process()).id());
        nested.field(THREAD_TID, row.id());
        nested.field(THREAD_NAME, row.name());
        begin(track, processTracks[row.process()]);
        descriptor.message(TRACK_THREAD, nested);
        packets.message(PACKET_TRACK_DESCRIPTOR, descriptor);
    }

    private void overlap(RankTimeline.Row row, long track, long first) throws IOException {
        begin(track, first);
        descriptor.field(TRACK_NAME, row.name());
        packets.message(PACKET_TRACK_DESCRIPTOR, descriptor);
    }

    private void begin(long track, long above) {
        descriptor.clear();
        descriptor.field(TRACK_UUID, track);
        if (above != 0) {
            descriptor.field(TRACK_PARENT, above);
        }
    }
}
