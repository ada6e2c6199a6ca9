// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.perfetto;

import dev.lockstep.testkit.Message;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/** Packets of a Perfetto trace, written down in a test with the numbers of the format's definition. */
final class PacketText {
    private final Message trace = new Message();
    private final List<Integer> eventEnds = new ArrayList<>();

    /** A packet. */
    PacketText packet(Message packet) {
        trace.message(1, packet);
        return this;
    }

    /** A packet with which an event is whole. */
    PacketText event(Message packet) {
        packet(packet);
        eventEnds.add(trace.toBytes().length);
        return this;
    }

    /** A packet of a sequence with an event. */
    static Message event(long timestamp, int sequence, Message event) {
        return new Message().number(8, timestamp).message(11, event).number(10, sequence);
    }

    static Message begin(long track, String category, String name) {
        return new Message().number(9, 1).number(11, track).text(22, category).text(23, name);
    }

    static Message end(long track) {
        return new Message().number(9, 2).number(11, track);
    }

    static Message process(long uuid, int pid, String name) {
        return descriptor(new Message()
                .number(1, uuid)
                .message(3, new Message().number(1, pid).text(6, name)));
    }

    static Message thread(long uuid, long parent, int pid, int tid, String name) {
        return descriptor(new Message()
                .number(1, uuid)
                .number(5, parent)
                .message(4, new Message().number(1, pid).number(2, tid).text(5, name)));
    }

    static Message named(long uuid, long parent, String name) {
        return descriptor(new Message().number(1, uuid).number(5, parent).text(2, name));
    }

    static Message descriptor(Message descriptor) {
        return new Message().message(60, descriptor);
    }

    /** A snapshot of clocks: number and time of each, in turns. */
    static Message clocks(long... numbersAndTimes) {
        Message snapshot = new Message();
        for (int i = 0; i < numbersAndTimes.length; i += 2) {
            snapshot.message(1, new Message().number(1, numbersAndTimes[i]).number(2, numbersAndTimes[i + 1]));
        }
        return new Message().number(10, 1).message(6, snapshot);
    }

    /** Metadata of this program about a rank, which the events of a sequence are of. */
    static Message facts(int sequence, String json) {
        Message fact = new Message().text(1, "rank " + sequence + "/lockstep").text(5, json);
        return new Message().number(10, sequence).message(5, new Message().message(2, fact));
    }

    static Message number(String name, long value) {
        return new Message().text(10, name).number(4, value);
    }

    static Message string(String name, String value) {
        return new Message().text(10, name).text(6, value);
    }

    byte[] toBytes() {
        return trace.toBytes();
    }

    int[] eventEnds() {
        return eventEnds.stream().mapToInt(i -> i).toArray();
    }

    /** The same packets, packed into one. */
    byte[] packed() {
        return new PacketText().packet(packed(new Deflater())).toBytes();
    }

    /** The packet that holds these, packed by this packer. */
    Message packed(Deflater packer) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DeflaterOutputStream deflater = new DeflaterOutputStream(bytes, packer)) {
            deflater.write(toBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Message().bytes(50, bytes.toByteArray());
    }
}
