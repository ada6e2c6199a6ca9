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
import static dev.lockstep.codec.PerfettoFormat.PACKET_INTERNED;
import static dev.lockstep.codec.PerfettoFormat.PACKET_SEQUENCE;
import static dev.lockstep.codec.PerfettoFormat.PACKET_SEQUENCE_FLAGS;
import static dev.lockstep.codec.PerfettoFormat.PACKET_STATE_CLEARED;
import static dev.lockstep.codec.PerfettoFormat.PACKET_TIMESTAMP;
import static dev.lockstep.codec.PerfettoFormat.PACKET_TRACK_DESCRIPTOR;
import static dev.lockstep.codec.PerfettoFormat.PACKET_TRACK_EVENT;
import static dev.lockstep.codec.PerfettoFormat.PACKET_ZSTD;
import static dev.lockstep.codec.PerfettoFormat.SEQUENCE_STATE_CLEARED;
import static dev.lockstep.codec.PerfettoFormat.VARINT;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import dev.lockstep.codec.StreamSource;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/** Reads packets: what each says goes to the state of its file and sequence, events go on to {@link EventReader}. */
final class PacketReader {
    private static final int DEEPEST_PACKING = 2;

    private final FileState file;
    private final EventReader events;
    private int packing;

    /** The parts of a packet, which may come in any order. */
    private static final class Parts {
        private @Nullable CodedInputStream event;
        private @Nullable CodedInputStream interned;
        private @Nullable CodedInputStream defaults;
        private @Nullable CodedInputStream descriptor;
        private @Nullable CodedInputStream snapshot;
        private @Nullable CodedInputStream metadata;
        private int packed = -1;
        private int packedLength;
        private long timestamp;
        private boolean hasTimestamp;
        private long clock = -1;
        private long sequence;
        private boolean cleared;
        private int foreign;
        private boolean zstd;
    }

    PacketReader(FileState file) {
        this.file = file;
        this.events = new EventReader(file);
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
        } catch (InvalidProtocolBufferException e) {
            file.loss("damaged_packet", "a packet cannot be read and was passed over", position);
        }
    }

    /** Reads the beginning of a packet that was cut, if it is a packet of packets; returns how many were in it. */
    long readRest(byte[] bytes, int from, int to, long position) throws IOException {
        try {
            CodedInputStream in = CodedInputStream.newInstance(bytes, from, to - from);
            if (in.readTag() == (PACKET_COMPRESSED << 3 | BYTES)) {
                in.readRawVarint32();
                int at = from + in.getTotalBytesRead();
                return unpack(bytes, at, to - at, position);
            }
        } catch (InvalidProtocolBufferException e) {
            // too little is left to know what it was
        }
        return 0;
    }

    private static Parts parts(byte[] bytes, int from, int to) throws IOException {
        Parts p = new Parts();
        CodedInputStream in = CodedInputStream.newInstance(bytes, from, to - from);
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (tag) {
                case PACKET_TIMESTAMP << 3 | VARINT -> {
                    p.timestamp = in.readRawVarint64();
                    p.hasTimestamp = true;
                }
                case PACKET_CLOCK << 3 | VARINT -> p.clock = in.readRawVarint64();
                case PACKET_SEQUENCE << 3 | VARINT -> p.sequence = in.readRawVarint64();
                case PACKET_SEQUENCE_FLAGS << 3 | VARINT ->
                    p.cleared |= (in.readRawVarint64() & SEQUENCE_STATE_CLEARED) != 0;
                case PACKET_STATE_CLEARED << 3 | VARINT -> p.cleared |= in.readRawVarint64() != 0;
                default -> {
                    if (WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED) {
                        int length = in.readRawVarint32();
                        int at = from + in.getTotalBytesRead();
                        in.skipRawBytes(length);
                        part(p, WireFormat.getTagFieldNumber(tag), bytes, at, length);
                    } else {
                        in.skipField(tag);
                    }
                }
            }
        }
        return p;
    }

    private static void part(Parts p, int field, byte[] bytes, int at, int length) {
        switch (field) {
            case PACKET_TRACK_EVENT -> p.event = CodedInputStream.newInstance(bytes, at, length);
            case PACKET_INTERNED -> p.interned = CodedInputStream.newInstance(bytes, at, length);
            case PACKET_DEFAULTS -> p.defaults = CodedInputStream.newInstance(bytes, at, length);
            case PACKET_TRACK_DESCRIPTOR -> p.descriptor = CodedInputStream.newInstance(bytes, at, length);
            case PACKET_CLOCK_SNAPSHOT -> p.snapshot = CodedInputStream.newInstance(bytes, at, length);
            case PACKET_CHROME_EVENTS -> p.metadata = CodedInputStream.newInstance(bytes, at, length);
            case PACKET_COMPRESSED -> {
                p.packed = at;
                p.packedLength = length;
            }
            case PACKET_ZSTD -> p.zstd = true;
            default -> p.foreign = PacketKinds.isRecording(field) ? field : p.foreign;
        }
    }

    private void apply(Parts p, byte[] bytes, int length, long position) throws IOException {
        Sequence sequence = file.sequence(p.sequence);
        if (p.cleared) {
            sequence.clear();
        }
        if (p.defaults != null) {
            defaults(p.defaults, sequence);
        }
        if (p.snapshot != null) {
            file.clocks.snapshot(p.snapshot, sequence);
        }
        if (p.descriptor != null) {
            file.tracks.describe(p.descriptor);
        }
        if (p.metadata != null) {
            file.metadata(Metadata.read(p.metadata), sequence);
        }
        if (p.interned != null) {
            events.interned(p.interned, sequence);
        }
        if (p.event != null) {
            long clock = p.clock >= 0 ? p.clock : sequence.defaultClock >= 0 ? sequence.defaultClock : CLOCK_BOOTTIME;
            if (p.hasTimestamp) {
                long ns = file.clocks.time(p.timestamp, clock, sequence);
                events.read(p.event, ns, sequence, length, position);
            } else {
                file.observe("event_without_time", "an event has no time of its own and was left out", position);
            }
        }
        if (p.packed >= 0) {
            unpack(bytes, p.packed, p.packedLength, position);
        }
        if (p.zstd) {
            file.loss(
                    "zstd_packets",
                    "packets that are packed with zstd were not read: 'traceconv decompress_packets IN OUT' unpacks them,"
                            + " and compression_type: COMPRESSION_TYPE_DEFLATE in the recording's configuration packs them"
                            + " readably",
                    position);
        }
        if (p.foreign != 0) {
            file.foreign(p.foreign);
        }
    }

    private static void defaults(CodedInputStream in, Sequence sequence) throws IOException {
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            if (tag == (DEFAULTS_CLOCK << 3 | VARINT)) {
                sequence.defaultClock = in.readRawVarint64();
            } else if (tag == (DEFAULTS_TRACK_EVENT << 3 | BYTES)) {
                int outer = in.pushLimit(in.readRawVarint32());
                for (int inner = in.readTag(); inner != 0; inner = in.readTag()) {
                    if (inner == (EVENT_TRACK << 3 | VARINT)) {
                        sequence.defaultTrack = in.readRawVarint64();
                    } else {
                        in.skipField(inner);
                    }
                }
                in.popLimit(outer);
            } else {
                in.skipField(tag);
            }
        }
    }

    /** Reads the packets inside a packet; returns how many there were. */
    private long unpack(byte[] bytes, int from, int length, long position) throws IOException {
        if (packing == DEEPEST_PACKING) {
            return 0;
        }
        packing++;
        long count = 0;
        byte[] own = Arrays.copyOfRange(bytes, from, from + length);
        try (InflaterInputStream unpacked = new InflaterInputStream(new ByteArrayInputStream(own))) {
            PacketStream packets = new PacketStream(new StreamSource(unpacked));
            while (packets.next()) {
                read(packets.bytes(), packets.from(), packets.to(), position);
                count++;
            }
            if (packets.end() != PacketStream.End.WHOLE) {
                file.loss("damaged_packet", "packets inside a packet cannot be read", position);
            }
        } catch (ZipException | EOFException e) {
            file.loss("damaged_packet", "packets inside a packet cannot be unpacked from some place on", position);
        } finally {
            packing--;
        }
        return count;
    }
}
