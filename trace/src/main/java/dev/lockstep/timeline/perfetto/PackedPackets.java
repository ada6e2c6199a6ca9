// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.timeline.perfetto;

import static dev.lockstep.codec.PerfettoFormat.PACKET_COMPRESSED;
import static dev.lockstep.codec.PerfettoFormat.TRACE_PACKET;

import dev.lockstep.codec.ProtoBuffer;
import dev.lockstep.codec.QuickDeflater;
import dev.lockstep.timeline.TraceWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.zip.Adler32;

/**
 * Packs blocks of packets, each into one packet, at the same time, and writes them in order. Confined to one thread, which
 * does the writing.
 */
final class PackedPackets implements Closeable {
    private static final byte[] ZLIB_HEADER = {0x78, 0x01};
    private final OutputStream out;
    private final TraceWriter.Options options;
    private final Deque<CompletableFuture<ProtoBuffer>> pending = new ArrayDeque<>();
    private final ConcurrentLinkedQueue<QuickDeflater> deflaters = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<ProtoBuffer> buffers = new ConcurrentLinkedQueue<>();

    PackedPackets(OutputStream out, TraceWriter.Options options) {
        this.out = out;
        this.options = options;
    }

    /** An empty buffer. */
    ProtoBuffer buffer() {
        ProtoBuffer spare = buffers.poll();
        return spare == null ? new ProtoBuffer() : spare;
    }

    /** Adds packets behind those before. The buffer must not be used afterwards. */
    void add(ProtoBuffer packets) throws IOException {
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
        out.close();
    }

    private void writeFirst() throws IOException {
        try {
            ProtoBuffer first = pending.remove().join();
            out.write(first.bytes(), 0, first.size());
            recycle(first);
        } catch (CompletionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new IOException(e.getCause());
        }
    }

    /** A packet of the file that holds these packed ones, in zlib's format (RFC 1950). */
    private ProtoBuffer packed(ProtoBuffer packets) {
        QuickDeflater spare = deflaters.poll();
        QuickDeflater deflater = spare == null ? new QuickDeflater() : spare;
        deflater.deflate(packets.bytes(), 0, packets.size(), true);
        int size = ZLIB_HEADER.length + deflater.size() + Integer.BYTES;
        ProtoBuffer block = buffer();
        block.begin(TRACE_PACKET, 2 + ProtoBuffer.length(size) + size);
        block.begin(PACKET_COMPRESSED, size);
        block.put(ZLIB_HEADER, ZLIB_HEADER.length);
        block.put(deflater.bytes(), deflater.size());
        block.bigEndian(checksum(packets));
        deflaters.add(deflater);
        recycle(packets);
        return block;
    }

    private void recycle(ProtoBuffer buffer) {
        buffer.clear();
        buffers.add(buffer);
    }

    private static int checksum(ProtoBuffer packets) {
        Adler32 checksum = new Adler32();
        checksum.update(packets.bytes(), 0, packets.size());
        return (int) checksum.getValue();
    }
}
