// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import dev.lockstep.codec.QuickDeflater;
import dev.lockstep.error.NamedFiles;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.zip.CRC32;

/**
 * A file made of blocks of text, plain or as one gzip member (RFC 1952). Each block is packed by itself, at any time and on
 * any thread, and ends at a whole byte; one behind the other they are one deflate stream.
 */
public final class BlockFile implements Closeable {
    private static final byte[] HEADER = {0x1F, (byte) 0x8B, 8, 0, 0, 0, 0, 0, 4, (byte) 0xFF};
    /** An empty last block of stored bytes. */
    private static final byte[] END = {1, 0, 0, (byte) 0xFF, (byte) 0xFF};

    private final OutputStream out;
    private final boolean packed;
    private final CRC32 crc = new CRC32();
    private final ConcurrentLinkedQueue<QuickDeflater> deflaters = new ConcurrentLinkedQueue<>();
    private long length;

    /** @param packed whether the file is one of gzip */
    public BlockFile(Path target, boolean packed) throws IOException {
        this.packed = packed;
        this.out = NamedFiles.out(target);
        if (packed) {
            out.write(HEADER);
        }
    }

    /** Packs a block. Safe for any number of threads. */
    void pack(OrderedBlocks.Block block) {
        if (!packed) {
            return;
        }
        QuickDeflater spare = deflaters.poll();
        QuickDeflater deflater = spare == null ? new QuickDeflater() : spare;
        deflater.deflate(block.text.array(), 0, block.text.size(), false);
        block.packed = Arrays.copyOf(deflater.bytes(), deflater.size());
        deflaters.add(deflater);
    }

    /** Writes a block that was packed. */
    void write(OrderedBlocks.Block block) throws IOException {
        if (packed) {
            crc.update(block.text.array(), 0, block.text.size());
            length += block.text.size();
            out.write(block.packed);
        } else {
            out.write(block.text.array(), 0, block.text.size());
        }
    }

    /** Ends the file. */
    public void finish() throws IOException {
        if (packed) {
            out.write(END);
            number(crc.getValue());
            number(length);
        }
        out.flush();
    }

    private void number(long value) throws IOException {
        for (int shift = 0; shift < 32; shift += 8) {
            out.write((int) (value >>> shift));
        }
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
