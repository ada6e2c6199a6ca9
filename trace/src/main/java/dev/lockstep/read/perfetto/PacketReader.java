// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.perfetto;

import static dev.lockstep.codec.PerfettoFormat.BYTES;
import static dev.lockstep.codec.PerfettoFormat.CLOCK_BOOTTIME;
import static dev.lockstep.codec.PerfettoFormat.DEFAULTS_CLOCK;
import static dev.lockstep.codec.PerfettoFormat.DEFAULTS_TRACK_EVENT;
import static dev.lockstep.codec.PerfettoFormat.EVENT_TRACK;
import static dev.lockstep.codec.PerfettoFormat.PACKET_CHROME_EVENTS;
import static dev.lockstep.codec.PerfettoFormat.PACKET_CLOCK;
import static dev.lockstep.codec.PerfettoFormat.PACKET_CLOCK_SNAPSHOT;
import static dev.lockstep.codec.PerfettoFormat.PACKET_COMPRESSED;
import static dev.lockstep.codec.PerfettoFormat.PACKET_DEFAULTS;
import static dev.lockstep.codec.PerfettoFormat.PACKET_GPU_COUNTER;
import static dev.lockstep.codec.PerfettoFormat.PACKET_GPU_INFO;
import static dev.lockstep.codec.PerfettoFormat.PACKET_INTERNED;
import static dev.lockstep.codec.PerfettoFormat.PACKET_RENDER_STAGE;
import static dev.lockstep.codec.PerfettoFormat.PACKET_SEQUENCE;
import static dev.lockstep.codec.PerfettoFormat.PACKET_SEQUENCE_FLAGS;
import static dev.lockstep.codec.PerfettoFormat.PACKET_STATE_CLEARED;
import static dev.lockstep.codec.PerfettoFormat.PACKET_TIMESTAMP;
import static dev.lockstep.codec.PerfettoFormat.PACKET_TRACK_DESCRIPTOR;
import static dev.lockstep.codec.PerfettoFormat.PACKET_TRACK_EVENT;
import static dev.lockstep.codec.PerfettoFormat.PACKET_ZSTD;
import static dev.lockstep.codec.PerfettoFormat.SEQUENCE_STATE_CLEARED;
import static dev.lockstep.codec.PerfettoFormat.VARINT;

import dev.lockstep.codec.ByteSource;
import dev.lockstep.codec.ProtoCursor;
import dev.lockstep.codec.ProtoCursor.Damaged;
import dev.lockstep.codec.StreamSource;
import dev.lockstep.codec.ZstdSource;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.ZipException;

/** Reads packets: what each says goes to the state of its file and sequence, events go on to {@link EventReader}. */
final class PacketReader {
    /** Packed packets may unpack to so many bytes, whatever the size of the file. */
    static final long UNPACKED_ANYWAY = 1L << 30;

    /** Beyond that they may unpack to so many times the file. */
    private static final long UNPACKED_OF_FILE = 1000;

    private final FileState file;
    private final EventReader events;
    private final RenderStages stages;
    private final GpuCounters counters;
    private final ProtoCursor in = new ProtoCursor();
    private final Parts parts = new Parts();
    private final Parts partsOfPacked = new Parts();
    private boolean inPacked;
    private long unpacked;
    private final long unpackedAnyway;
    private long mostUnpacked;

    /** The parts of a packet, which may come in any order. Reused from packet to packet. */
    private static final class Parts {
        static final int EVENT = 0;
        static final int INTERNED = 1;
        static final int DEFAULTS = 2;
        static final int DESCRIPTOR = 3;
        static final int SNAPSHOT = 4;
        static final int METADATA = 5;
        static final int PACKED = 6;
        static final int STAGE = 7;
        static final int GPU_COUNTER = 8;
        static final int GPU_INFO = 9;
        private static final int COUNT = 10;

        private final int[] from = new int[COUNT];
        private final int[] to = new int[COUNT];
        private int present;
        private long timestamp;
        private boolean hasTimestamp;
        private long clock;
        private long sequence;
        private boolean cleared;
        private int foreign;
        private boolean zstd;

        private void clear() {
            present = 0;
            hasTimestamp = false;
            clock = -1;
            sequence = 0;
            cleared = false;
            foreign = 0;
            zstd = false;
        }

        private void set(int part, int first, int behindLast) {
            from[part] = first;
            to[part] = behindLast;
            present |= 1 << part;
        }

        private boolean has(int part) {
            return (present & 1 << part) != 0;
        }
    }

    /** @param unpackedAnyway what packed packets may unpack to, in bytes, whatever the size of the file */
    PacketReader(FileState file, long unpackedAnyway) {
        this.file = file;
        this.unpackedAnyway = unpackedAnyway;
        this.mostUnpacked = unpackedAnyway;
        this.stages = new RenderStages(file);
        this.counters = new GpuCounters(file);
        this.events = new EventReader(file, stages);
    }

    /**
     * Reads a packet; one that cannot be read is counted.
     *
     * @param position its place in the content, for messages
     */
    void read(byte[] bytes, int from, int to, long position) throws IOException {
        try {
            Parts parts = parts(bytes, from, to);
            apply(parts, bytes, to - from, position);
        } catch (Damaged e) {
            file.loss("damaged_packet", "a packet cannot be read and was passed over", position);
        }
    }

    /** Reads the beginning of a packet that was cut, if it is a packet of packets; returns how many were in it. */
    long readRest(byte[] bytes, int from, int to, long position) throws IOException {
        try {
            in.set(bytes, from, to);
            if (in.tag() == (PACKET_COMPRESSED << 3 | BYTES)) {
                in.varint();
                return unpack(bytes, in.position(), to, false, position);
            }
        } catch (Damaged e) {
            // too little is left to know what it was
        }
        return 0;
    }

    private Parts parts(byte[] bytes, int from, int to) throws Damaged {
        Parts p = inPacked ? partsOfPacked : parts;
        p.clear();
        in.set(bytes, from, to);
        for (int tag = in.tag(); tag != 0; tag = in.tag()) {
            switch (tag) {
                case PACKET_TIMESTAMP << 3 | VARINT -> {
                    p.timestamp = in.varint();
                    p.hasTimestamp = true;
                }
                case PACKET_CLOCK << 3 | VARINT -> p.clock = in.varint();
                case PACKET_SEQUENCE << 3 | VARINT -> p.sequence = in.varint();
                case PACKET_SEQUENCE_FLAGS << 3 | VARINT -> p.cleared |= (in.varint() & SEQUENCE_STATE_CLEARED) != 0;
                case PACKET_STATE_CLEARED << 3 | VARINT -> p.cleared |= in.varint() != 0;
                default -> {
                    if ((tag & 7) == BYTES) {
                        int outer = in.enter();
                        int first = in.position();
                        in.skipRest();
                        part(p, tag >>> 3, first, in.position());
                        in.leave(outer);
                    } else {
                        in.skipField(tag);
                    }
                }
            }
        }
        return p;
    }

    private static void part(Parts p, int field, int from, int to) {
        switch (field) {
            case PACKET_TRACK_EVENT -> p.set(Parts.EVENT, from, to);
            case PACKET_INTERNED -> p.set(Parts.INTERNED, from, to);
            case PACKET_DEFAULTS -> p.set(Parts.DEFAULTS, from, to);
            case PACKET_TRACK_DESCRIPTOR -> p.set(Parts.DESCRIPTOR, from, to);
            case PACKET_CLOCK_SNAPSHOT -> p.set(Parts.SNAPSHOT, from, to);
            case PACKET_CHROME_EVENTS -> p.set(Parts.METADATA, from, to);
            case PACKET_COMPRESSED -> p.set(Parts.PACKED, from, to);
            case PACKET_RENDER_STAGE -> p.set(Parts.STAGE, from, to);
            case PACKET_GPU_COUNTER -> p.set(Parts.GPU_COUNTER, from, to);
            case PACKET_GPU_INFO -> p.set(Parts.GPU_INFO, from, to);
            case PACKET_ZSTD -> {
                p.set(Parts.PACKED, from, to);
                p.zstd = true;
            }
            default -> p.foreign = PacketKinds.isRecording(field) ? field : p.foreign;
        }
    }

    /** The reader's cursor at the beginning of a part. */
    private ProtoCursor at(int part, Parts p, byte[] bytes) {
        in.set(bytes, p.from[part], p.to[part]);
        return in;
    }

    private void apply(Parts p, byte[] bytes, int length, long position) throws IOException, Damaged {
        Sequence sequence = file.sequence(p.sequence);
        if (p.cleared) {
            sequence.clear();
        }
        if (p.has(Parts.DEFAULTS)) {
            defaults(at(Parts.DEFAULTS, p, bytes), sequence);
        }
        if (p.has(Parts.SNAPSHOT)) {
            file.clocks.snapshot(at(Parts.SNAPSHOT, p, bytes), sequence);
        }
        if (p.has(Parts.DESCRIPTOR)) {
            file.tracks.describe(at(Parts.DESCRIPTOR, p, bytes));
        }
        if (p.has(Parts.METADATA)) {
            file.metadata(Metadata.read(at(Parts.METADATA, p, bytes)), sequence);
        }
        if (p.has(Parts.INTERNED)) {
            events.interned(at(Parts.INTERNED, p, bytes), sequence);
        }
        if (p.has(Parts.GPU_INFO)) {
            stages.gpus(at(Parts.GPU_INFO, p, bytes));
        }
        if (p.has(Parts.EVENT) || p.has(Parts.STAGE) || p.has(Parts.GPU_COUNTER)) {
            long clock = p.clock >= 0 ? p.clock : sequence.defaultClock >= 0 ? sequence.defaultClock : CLOCK_BOOTTIME;
            if (p.hasTimestamp && !file.clocks.isKnown(clock, sequence)) {
                file.stateMissing(position);
            } else if (p.hasTimestamp) {
                timed(p, bytes, file.clocks.time(p.timestamp, clock, sequence), sequence, length, position);
            } else {
                file.observe("event_without_time", "an event has no time of its own and was left out", position);
            }
        }
        if (p.has(Parts.PACKED)) {
            unpack(bytes, p.from[Parts.PACKED], p.to[Parts.PACKED], p.zstd, position);
        }
        if (p.foreign != 0) {
            file.foreign(p.foreign);
        }
    }

    /** Reads what has the time of its packet. */
    private void timed(Parts p, byte[] bytes, long ns, Sequence sequence, int length, long position) throws Damaged {
        if (p.has(Parts.EVENT)) {
            events.read(at(Parts.EVENT, p, bytes), ns, sequence, length, position);
        }
        if (p.has(Parts.STAGE)) {
            stages.read(at(Parts.STAGE, p, bytes), ns, sequence, length, position);
        }
        if (p.has(Parts.GPU_COUNTER)) {
            counters.read(at(Parts.GPU_COUNTER, p, bytes), ns, sequence, length);
        }
    }

    private static void defaults(ProtoCursor in, Sequence sequence) throws Damaged {
        for (int tag = in.tag(); tag != 0; tag = in.tag()) {
            if (tag == (DEFAULTS_CLOCK << 3 | VARINT)) {
                sequence.defaultClock = in.varint();
            } else if (tag == (DEFAULTS_TRACK_EVENT << 3 | BYTES)) {
                int outer = in.enter();
                for (int inner = in.tag(); inner != 0; inner = in.tag()) {
                    if (inner == (EVENT_TRACK << 3 | VARINT)) {
                        sequence.defaultTrack = in.varint();
                    } else {
                        in.skipField(inner);
                    }
                }
                in.leave(outer);
            } else {
                in.skipField(tag);
            }
        }
    }

    /** Reads the packets inside a packet; returns how many there were. */
    private long unpack(byte[] bytes, int from, int to, boolean zstd, long position) throws IOException {
        if (inPacked) {
            file.loss("damaged_packet", "packets are packed inside packed packets and were not read", position);
            return 0;
        }
        inPacked = true;
        long count = 0;
        AtomicBoolean damaged = new AtomicBoolean();
        try (ByteSource content = unpacked(bytes, from, to, zstd, damaged)) {
            PacketStream packets = new PacketStream(content);
            while (mayUnpack(unpacked + packets.bytesRead(), position) && packets.next()) {
                read(packets.bytes(), packets.from(), packets.to(), position);
                count++;
            }
            unpacked += packets.bytesRead();
            if (packets.end() != PacketStream.End.WHOLE || damaged.get()) {
                file.loss("damaged_packet", "packets inside a packet cannot be read", position);
            }
        } catch (ZipException | EOFException e) {
            file.loss("damaged_packet", "packets inside a packet cannot be unpacked from some place on", position);
        } finally {
            inPacked = false;
        }
        return count;
    }

    private static ByteSource unpacked(byte[] bytes, int from, int to, boolean zstd, AtomicBoolean damaged) {
        return zstd
                ? new ZstdSource(
                        new StreamSource(new ByteArrayInputStream(bytes, from, to - from)),
                        (loss, code, message, at) -> damaged.set(true))
                : new Inflated(bytes, from, to);
    }

    /** Whether so many bytes in all are no more than a file of this size can mean. */
    private boolean mayUnpack(long bytes, long position) throws IOException {
        if (bytes > mostUnpacked && mostUnpacked == unpackedAnyway) {
            mostUnpacked += UNPACKED_OF_FILE * file.size();
        }
        if (bytes <= mostUnpacked) {
            return true;
        }
        file.loss(
                "unpacked_too_large",
                "packed packets unpack to more than 1 GiB and 1000 times the file; the rest of them was not read",
                position);
        return false;
    }
}
