// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Repacks a zip on its way to a stream: every entry gets the same time, and some get other content.
 *
 * <p>The workbook library puts the time of day into the document's properties and offers no way around it; equal reports
 * would give different files. It writes entries one after another, each as a local header of 30 bytes and a name, deflated
 * data, and a descriptor of 24 bytes, then the directory. This reads just that, as it comes, and is told to expect data
 * that was merely stored (level 0), so that only one side compresses.
 */
final class TimelessZip extends OutputStream {
    private static final int HEADER = 30;
    private static final int DESCRIPTOR = 24;
    private static final int LOCAL_HEADER = 0x04034b50;
    /** Later than the earliest time of the format: that one would be written a second time, in the machine's time zone. */
    static final LocalDateTime TIME = LocalDateTime.of(1980, 1, 2, 0, 0);

    private enum Part {
        HEADER,
        NAME,
        DATA,
        DESCRIPTOR,
        DIRECTORY
    }

    private final ZipOutputStream zip;
    private final Map<String, byte[]> replaced;
    private final Inflater inflater = new Inflater(true);
    private final byte[] chunk = new byte[1 << 16];
    private byte[] gathered = new byte[HEADER];
    private int have;
    private Part part = Part.HEADER;
    private boolean keep;

    /** @param replaced entries whose content is not that of the original */
    TimelessZip(OutputStream out, int level, Map<String, byte[]> replaced) {
        this.zip = new ZipOutputStream(out);
        this.zip.setLevel(level);
        this.replaced = replaced;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        int at = offset;
        int end = offset + length;
        while (at < end && part != Part.DIRECTORY) {
            at = part == Part.DATA ? data(bytes, at, end) : fixed(bytes, at, end);
        }
    }

    @Override
    public void close() throws IOException {
        inflater.end();
        if (part != Part.DIRECTORY) {
            throw new IOException("the workbook ended early");
        }
        zip.close();
    }

    /** Gathers a part of known length. */
    private int fixed(byte[] bytes, int at, int end) throws IOException {
        int taken = Math.min(end - at, gathered.length - have);
        System.arraycopy(bytes, at, gathered, have, taken);
        have += taken;
        if (have == gathered.length) {
            switch (part) {
                case HEADER -> header();
                case NAME -> name(new String(gathered, StandardCharsets.UTF_8));
                case DESCRIPTOR -> expect(Part.HEADER, HEADER);
                case DATA, DIRECTORY -> throw new IllegalStateException();
            }
        }
        return at + taken;
    }

    private void header() {
        ByteBuffer fields = ByteBuffer.wrap(gathered).order(ByteOrder.LITTLE_ENDIAN);
        if (fields.getInt(0) == LOCAL_HEADER) {
            expect(Part.NAME, fields.getShort(26));
        } else {
            part = Part.DIRECTORY;
        }
    }

    private void name(String name) throws IOException {
        ZipEntry entry = new ZipEntry(name);
        entry.setTimeLocal(TIME);
        zip.putNextEntry(entry);
        byte[] content = replaced.get(name);
        keep = content == null;
        if (content != null) {
            zip.write(content);
        }
        inflater.reset();
        part = Part.DATA;
    }

    private int data(byte[] bytes, int at, int end) throws IOException {
        try {
            inflater.setInput(bytes, at, end - at);
            while (!inflater.finished() && !inflater.needsInput()) {
                int size = inflater.inflate(chunk);
                if (keep) {
                    zip.write(chunk, 0, size);
                }
            }
        } catch (DataFormatException e) {
            throw new IOException("the workbook is damaged", e);
        }
        if (!inflater.finished()) {
            return end;
        }
        zip.closeEntry();
        int rest = inflater.getRemaining();
        expect(Part.DESCRIPTOR, DESCRIPTOR);
        return end - rest;
    }

    private void expect(Part next, int length) {
        part = next;
        gathered = Arrays.copyOf(gathered, length);
        have = 0;
    }
}
