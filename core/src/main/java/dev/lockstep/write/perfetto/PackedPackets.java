// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write.perfetto;

import static dev.lockstep.codec.PerfettoFormat.PACKET_COMPRESSED;
import static dev.lockstep.codec.PerfettoFormat.TRACE_PACKET;

import dev.lockstep.write.TraceWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.zip.Deflater;

/**
 * Packs blocks of packets, each into one packet, at the same time, and writes them in order. Confined to one thread, which
 * does the writing.
 */
final class PackedPackets implements Closeable {
    private final OutputStream out;
    private final TraceWriter.Options options;
    private final Deque<CompletableFuture<byte[]>> pending = new ArrayDeque<>();
    private final ConcurrentLinkedQueue<Deflater> deflaters = new ConcurrentLinkedQueue<>();

    PackedPackets(OutputStream out, TraceWriter.Options options) {
        this.out = out;
        this.options = options;
    }

    /** Adds packets behind those before. */
    void add(byte[] packets) throws IOException {
        while (pending.size() > options.parallelism()) {
            writeFirst();
        }
        pending.add(CompletableFuture.supplyAsync(() -> packed(packets), options.executor()));
    }

    /** Writes all that is left. */
    void finish() throws IOException {
        while (!pending.isEmpty()) {
            writeFirst();
        }
        out.flush();
    }

    @Override
    public void close() throws IOException {
        pending.forEach(block -> block.handle((made, failure) -> true).join());
        pending.clear();
        deflaters.forEach(Deflater::end);
        out.close();
    }

    private void writeFirst() throws IOException {
        try {
            out.write(pending.remove().join());
        } catch (CompletionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new IOException(e.getCause());
        }
    }

    private byte[] packed(byte[] packets) {
        Deflater spare = deflaters.poll();
        Deflater deflater = spare == null ? new Deflater(Deflater.BEST_SPEED) : spare;
        byte[] content = new byte[packets.length / 2 + 64];
        int size = 0;
        deflater.setInput(packets);
        deflater.finish();
        while (!deflater.finished()) {
            if (size == content.length) {
                content = Arrays.copyOf(content, size * 2);
            }
            size += deflater.deflate(content, size, content.length - size);
        }
        deflater.reset();
        deflaters.add(deflater);
        return message(content, size);
    }

    /** A packet of the file that holds these packed ones. */
    private static byte[] message(byte[] content, int size) {
        int packetLength = 2 + ProtoBuffer.length(size) + size;
        ProtoBuffer head = new ProtoBuffer();
        head.begin(TRACE_PACKET, packetLength);
        head.begin(PACKET_COMPRESSED, size);
        byte[] block = Arrays.copyOf(head.bytes(), head.size() + size);
        System.arraycopy(content, 0, block, head.size(), size);
        return block;
    }
}
