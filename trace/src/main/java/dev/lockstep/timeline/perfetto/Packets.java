// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.timeline.perfetto;

import static dev.lockstep.codec.PerfettoFormat.CLOCK_BOOTTIME;
import static dev.lockstep.codec.PerfettoFormat.CLOCK_ID;
import static dev.lockstep.codec.PerfettoFormat.CLOCK_INCREMENTAL;
import static dev.lockstep.codec.PerfettoFormat.CLOCK_OF_SEQUENCE;
import static dev.lockstep.codec.PerfettoFormat.CLOCK_TIMESTAMP;
import static dev.lockstep.codec.PerfettoFormat.DEFAULTS_CLOCK;
import static dev.lockstep.codec.PerfettoFormat.PACKET_CLOCK_SNAPSHOT;
import static dev.lockstep.codec.PerfettoFormat.PACKET_DEFAULTS;
import static dev.lockstep.codec.PerfettoFormat.PACKET_INTERNED;
import static dev.lockstep.codec.PerfettoFormat.PACKET_SEQUENCE;
import static dev.lockstep.codec.PerfettoFormat.PACKET_SEQUENCE_FLAGS;
import static dev.lockstep.codec.PerfettoFormat.PACKET_TIMESTAMP;
import static dev.lockstep.codec.PerfettoFormat.PACKET_TRACK_EVENT;
import static dev.lockstep.codec.PerfettoFormat.SEQUENCE_NEEDS_STATE;
import static dev.lockstep.codec.PerfettoFormat.SEQUENCE_STATE_CLEARED;
import static dev.lockstep.codec.PerfettoFormat.SNAPSHOT_CLOCK;
import static dev.lockstep.codec.PerfettoFormat.TRACE_PACKET;

import dev.lockstep.codec.ProtoBuffer;
import java.io.IOException;

/**
 * The packets of one sequence. Times are differences to the packet before, on a clock that belongs to the sequence and
 * runs with the clock of the trace; so packets come in the order of their times.
 */
final class Packets {
    /** Viewers want less than 512 KiB in one packet. */
    private static final int FLUSH_AT = 1 << 18;

    private final PackedPackets out;
    private final long sequence;
    private ProtoBuffer bytes;
    private final ProtoBuffer packet = new ProtoBuffer();
    /** What all events have. */
    private final byte[] head;

    private long time;

    /** @param sequence its number, from 1 */
    Packets(PackedPackets out, long sequence) {
        this.out = out;
        this.sequence = sequence;
        bytes = out.buffer();
        packet.field(PACKET_SEQUENCE, sequence);
        packet.field(PACKET_SEQUENCE_FLAGS, SEQUENCE_NEEDS_STATE);
        head = packet.toArray();
    }

    /** The packet that begins the sequence: nothing was said before, and this is the clock. */
    void begin() throws IOException {
        ProtoBuffer clock = new ProtoBuffer();
        ProtoBuffer snapshot = new ProtoBuffer();
        // Clocks must not go back from one snapshot to the next, though each says only that they agree.
        time = sequence;
        clock.field(CLOCK_ID, CLOCK_BOOTTIME);
        clock.field(CLOCK_TIMESTAMP, time);
        snapshot.message(SNAPSHOT_CLOCK, clock);
        clock.clear();
        clock.field(CLOCK_ID, CLOCK_OF_SEQUENCE);
        clock.field(CLOCK_TIMESTAMP, time);
        clock.field(CLOCK_INCREMENTAL, 1);
        snapshot.message(SNAPSHOT_CLOCK, clock);
        ProtoBuffer defaults = new ProtoBuffer();
        defaults.field(DEFAULTS_CLOCK, CLOCK_OF_SEQUENCE);
        packet.clear();
        packet.field(PACKET_SEQUENCE, sequence);
        packet.field(PACKET_SEQUENCE_FLAGS, SEQUENCE_STATE_CLEARED);
        packet.message(PACKET_DEFAULTS, defaults);
        packet.message(PACKET_CLOCK_SNAPSHOT, snapshot);
        write();
    }

    /** A packet without a time. */
    void message(int field, ProtoBuffer content) throws IOException {
        packet.clear();
        packet.field(PACKET_SEQUENCE, sequence);
        packet.message(field, content);
        write();
    }

    /**
     * A packet with an event.
     *
     * @param ns its time, not before that of the packet before
     * @param news texts that it names for the first time; cleared
     */
    void event(long ns, ProtoBuffer event, ProtoBuffer news) throws IOException {
        long delta = ns - time;
        time = ns;
        int length = 2 + ProtoBuffer.length(delta) + head.length + ProtoBuffer.length(event.size()) + event.size();
        if (news.size() > 0) {
            length += 1 + ProtoBuffer.length(news.size()) + news.size();
        }
        bytes.begin(TRACE_PACKET, length);
        bytes.field(PACKET_TIMESTAMP, delta);
        bytes.put(head, head.length);
        if (news.size() > 0) {
            bytes.message(PACKET_INTERNED, news);
            news.clear();
        }
        bytes.message(PACKET_TRACK_EVENT, event);
        if (bytes.size() >= FLUSH_AT) {
            flush();
        }
    }

    /** What packets with this event have behind their time, for those that come often. */
    byte[] often(ProtoBuffer event) {
        packet.clear();
        packet.put(head, head.length);
        packet.message(PACKET_TRACK_EVENT, event);
        return packet.toArray();
    }

    /**
     * A packet with an event that comes often.
     *
     * @param ns its time, not before that of the packet before
     * @param rest what {@link #often} gave
     */
    void event(long ns, byte[] rest) throws IOException {
        long delta = ns - time;
        time = ns;
        bytes.begin(TRACE_PACKET, 1 + ProtoBuffer.length(delta) + rest.length);
        bytes.field(PACKET_TIMESTAMP, delta);
        bytes.put(rest, rest.length);
        if (bytes.size() >= FLUSH_AT) {
            flush();
        }
    }

    /** Hands on what is left. */
    void end() throws IOException {
        if (bytes.size() > 0) {
            flush();
        }
    }

    private void flush() throws IOException {
        out.add(bytes);
        bytes = out.buffer();
    }

    private void write() throws IOException {
        bytes.message(TRACE_PACKET, packet);
        if (bytes.size() >= FLUSH_AT) {
            flush();
        }
    }
}
