// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.timeline.perfetto;

import dev.lockstep.error.NamedFiles;
import dev.lockstep.timeline.RankTimeline;
import dev.lockstep.timeline.TimelineOutput;
import dev.lockstep.timeline.TraceWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/** A file of timelines in Perfetto's format: one sequence of packets for each rank, and one for the whole file. */
final class PerfettoOutput implements TimelineOutput {
    /** What the ranks say of themselves stands with each of them. */
    private static final String SAID_BY_RANKS = "lockstepRanks";

    private final PackedPackets out;
    private final TrackNumbers numbers = new TrackNumbers();
    private long sequences;

    PerfettoOutput(Path target, TraceWriter.Options options) throws IOException {
        OutputStream file = NamedFiles.out(target);
        out = new PackedPackets(options.packed() ? new GZIPOutputStream(file, 1 << 16) : file, options);
    }

    @Override
    public void add(RankTimeline rank) throws IOException {
        Packets packets = new Packets(out, ++sequences);
        new RankWriter(rank, numbers, packets).write();
        packets.end();
    }

    @Override
    public void finish(Map<String, String> metadata) throws IOException {
        Map<String, String> ofFile = new LinkedHashMap<>(metadata);
        ofFile.remove(SAID_BY_RANKS);
        ofFile.put(Facts.END, Long.toString(sequences));
        Packets packets = new Packets(out, ++sequences);
        packets.begin();
        Facts.write("", ofFile, packets);
        packets.end();
        out.finish();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
