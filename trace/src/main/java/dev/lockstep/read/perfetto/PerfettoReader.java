// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.perfetto;

import dev.lockstep.codec.PerfettoFormat;
import dev.lockstep.codec.PrefixedSource;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceFormat;
import dev.lockstep.read.ReadOptions;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.TraceReader;
import java.io.IOException;
import java.util.List;

/**
 * Reads track events from files of Perfetto: of this program, of its SDK, of profilers that write with it. Other
 * packets, such as those of the Linux kernel's ftrace, are counted by kind and passed over.
 */
public final class PerfettoReader implements TraceReader {
    private static final int PROGRESS_EVERY = 1 << 20;

    @Override
    public TraceFormat format() {
        return TraceFormat.PERFETTO;
    }

    @Override
    public boolean recognises(byte[] head) {
        return Sniff.isTrace(head);
    }

    @Override
    public List<Trace> read(TraceInput input, PrefixedSource content, Diagnostics packing, ReadOptions options)
            throws IOException {
        FileState file = new FileState(input, options);
        PacketReader reader = new PacketReader(file, PacketReader.UNPACKED_ANYWAY);
        PacketStream packets = new PacketStream(content);
        long told = 0;
        long read = 0;
        while (packets.next()) {
            read++;
            reader.read(packets.bytes(), packets.from(), packets.to(), packets.position());
            if (packets.bytesRead() - told >= PROGRESS_EVERY) {
                told = packets.bytesRead();
                options.progress().accept(told);
            }
        }
        boolean cut = packets.end() == PacketStream.End.CUT;
        if (cut) {
            read += reader.readRest(packets.bytes(), packets.from(), packets.to(), packets.position());
        }
        if (read == 0) {
            throw new TraceFormatException(
                    ErrorCode.FORMAT_CORRUPT,
                    input.name(),
                    packets.position(),
                    packets.bytesRead() == 0
                            ? "the file is empty, expected packets of a Perfetto trace"
                            : "expected a packet of a Perfetto trace",
                    TraceFormat.PERFETTO.hint());
        }
        if (cut) {
            file.loss(
                    "truncated",
                    "the file ends inside a packet, which begins here; the file was cut",
                    packets.position());
        } else if (packets.end() == PacketStream.End.DAMAGED) {
            file.loss(
                    "damaged_packet",
                    "what stands here is no packet; the rest of the file was not read",
                    packets.position());
        }
        options.progress().accept(packets.bytesRead());
        return file.traces(format().id(), packing);
    }

    /** Tells a Perfetto trace by the shape of its first packets. */
    private static final class Sniff {
        private static final int FIRST_BYTE = PerfettoFormat.tag(PerfettoFormat.TRACE_PACKET, PerfettoFormat.BYTES);
        private static final int ENOUGH = 4;
        private static final int LARGEST_FIELD = 1000;

        private final byte[] head;
        private int at;

        private Sniff(byte[] head) {
            this.head = head;
        }

        static boolean isTrace(byte[] head) {
            Sniff sniff = new Sniff(head);
            int packets = 0;
            while (packets < ENOUGH && sniff.at < head.length) {
                if (head[sniff.at++] != FIRST_BYTE) {
                    return false;
                }
                long length = sniff.varint();
                if (length < 0 || length == 0 && packets == 0 || !sniff.packet(length)) {
                    return false;
                }
                packets++;
            }
            return packets > 0;
        }

        /** Whether fields fill the packet, as far as it can be seen. */
        private boolean packet(long length) {
            long end = at + length;
            while (at < end) {
                if (at >= head.length) {
                    return true;
                }
                long tag = varint();
                long field = tag >>> 3;
                if (tag <= 0 || field == 0 || field >= LARGEST_FIELD) {
                    return false;
                }
                long size = switch ((int) tag & 7) {
                    case PerfettoFormat.VARINT -> varint() == -1 ? -1 : 0;
                    case PerfettoFormat.FIXED64 -> Long.BYTES;
                    case PerfettoFormat.FIXED32 -> Integer.BYTES;
                    case PerfettoFormat.BYTES -> varint();
                    default -> -1;
                };
                if (size < 0 || at + size > end) {
                    return false;
                }
                at = (int) Math.min(Integer.MAX_VALUE, at + size);
            }
            return at == end;
        }

        /** A number; -1 when it is too long or cut. Numbers beyond 63 bits come out as 0. */
        private long varint() {
            long value = 0;
            for (int shift = 0; shift < 70 && at < head.length; shift += 7) {
                byte b = head[at++];
                value |= (long) (b & 0x7F) << shift;
                if (b >= 0) {
                    return Math.max(0, value);
                }
            }
            return -1;
        }
    }
}
