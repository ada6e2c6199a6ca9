// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Repacks a workbook on its way to a stream: every entry gets the same time, some get other content, and sheets say how far
 * they reach.
 *
 * <p>The workbook library writes that every sheet is one cell large, which readers that go row by row believe, and puts the time of day into the document's properties and offers no way around it; equal reports
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

    private static final byte[] ONE_CELL = "<dimension ref=\"A1\"/>".getBytes(StandardCharsets.UTF_8);

    /** So far into a sheet its extent is sought. */
    private static final int SOUGHT = 4096;

    private enum Part {
        HEADER,
        NAME,
        DATA,
        DESCRIPTOR,
        DIRECTORY
    }

    private final Map<String, UnaryOperator<byte[]>> changed = new HashMap<>();
    private final Map<String, byte[]> added = new TreeMap<>();
    private final ByteArrayOutputStream whole = new ByteArrayOutputStream();

    /** What becomes of the entry that is being written; null where it stays as it is. */
    private @Nullable UnaryOperator<byte[]> change;

    private final ZipOutputStream zip;
    private final Map<String, byte[]> replaced;
    private final Inflater inflater = new Inflater(true);
    private final byte[] chunk = new byte[1 << 16];
    private byte[] gathered = new byte[HEADER];
    private int have;
    private Part part = Part.HEADER;
    private boolean keep;
    private final Map<String, String> extents = new HashMap<>();
    private final ByteArrayOutputStream beginning = new ByteArrayOutputStream();

    /** How far the sheet reaches that is being written, until that was said; null elsewhere. */
    private @Nullable String extent;

    /** @param replaced entries whose content is not that of the original */
    TimelessZip(OutputStream out, int level, Map<String, byte[]> replaced) {
        this.zip = new ZipOutputStream(out);
        this.zip.setLevel(level);
        this.replaced = replaced;
    }

    /**
     * Says how far a sheet reaches; to be called before any of it is written.
     *
     * @param sheet counted from 1 in the order in which sheets were made
     * @param rows with the head
     */
    void extent(int sheet, int rows, int columns) {
        String last = columns * rows <= 1 ? "" : ":" + letters(columns) + rows;
        extents.put("xl/worksheets/sheet" + sheet + ".xml", "<dimension ref=\"A1" + last + "\"/>");
    }

    /** Says what becomes of an entry; to be called before any of it is written. Several changes follow each other. */
    void change(String name, UnaryOperator<byte[]> how) {
        changed.merge(name, how, (first, next) -> content -> next.apply(first.apply(content)));
    }

    /** An entry that the library knows nothing of. */
    void add(String name, byte[] content) {
        added.put(name, content);
    }

    /** What spreadsheets call a column, counted from 1. */
    private static String letters(int column) {
        StringBuilder letters = new StringBuilder();
        for (int rest = column; rest > 0; rest = (rest - 1) / 26) {
            letters.append((char) ('A' + (rest - 1) % 26));
        }
        return letters.reverse().toString();
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
        for (Map.Entry<String, byte[]> one : added.entrySet()) {
            ZipEntry entry = new ZipEntry(one.getKey());
            entry.setTimeLocal(TIME);
            zip.putNextEntry(entry);
            zip.write(one.getValue());
            zip.closeEntry();
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
        extent = extents.get(name);
        change = changed.get(name);
        whole.reset();
        beginning.reset();
        inflater.reset();
        part = Part.DATA;
    }

    private int data(byte[] bytes, int at, int end) throws IOException {
        try {
            inflater.setInput(bytes, at, end - at);
            while (!inflater.finished() && !inflater.needsInput()) {
                int size = inflater.inflate(chunk);
                if (keep) {
                    content(size);
                }
            }
        } catch (DataFormatException e) {
            throw new IOException("the workbook is damaged", e);
        }
        if (!inflater.finished()) {
            return end;
        }
        begin(true);
        if (change != null) {
            zip.write(change.apply(whole.toByteArray()));
        }
        zip.closeEntry();
        int rest = inflater.getRemaining();
        expect(Part.DESCRIPTOR, DESCRIPTOR);
        return end - rest;
    }

    private void content(int size) throws IOException {
        if (change != null) {
            whole.write(chunk, 0, size);
        } else if (extent == null) {
            zip.write(chunk, 0, size);
        } else {
            beginning.write(chunk, 0, size);
            begin(false);
        }
    }

    /** Writes the beginning of a sheet with its extent once that is found, or as it is where it is not there. */
    private void begin(boolean whole) throws IOException {
        String said = extent;
        if (said == null) {
            return;
        }
        byte[] bytes = beginning.toByteArray();
        int at = place(bytes);
        if (at < 0 && !whole && bytes.length < SOUGHT) {
            return;
        }
        extent = null;
        if (at >= 0) {
            zip.write(bytes, 0, at);
            zip.write(said.getBytes(StandardCharsets.UTF_8));
            zip.write(bytes, at + ONE_CELL.length, bytes.length - at - ONE_CELL.length);
        } else {
            zip.write(bytes);
        }
    }

    private static int place(byte[] bytes) {
        for (int at = 0; at + ONE_CELL.length <= bytes.length; at++) {
            if (Arrays.equals(bytes, at, at + ONE_CELL.length, ONE_CELL, 0, ONE_CELL.length)) {
                return at;
            }
        }
        return -1;
    }

    private void expect(Part next, int length) {
        part = next;
        gathered = Arrays.copyOf(gathered, length);
        have = 0;
    }
}
