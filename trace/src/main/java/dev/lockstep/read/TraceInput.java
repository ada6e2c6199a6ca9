// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read;

import dev.lockstep.codec.ByteSource;
import dev.lockstep.codec.Damage;
import dev.lockstep.codec.GzipSource;
import dev.lockstep.codec.PrefixedSource;
import dev.lockstep.codec.SourceStream;
import dev.lockstep.codec.StreamSource;
import dev.lockstep.codec.ZipEntrySource;
import dev.lockstep.codec.ZstdSource;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Diagnostics.Weight;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * A file to read: the only thing that knows about paths and compression. What a file is packed with is told by its
 * content, never by its name.
 *
 * @param name the file as the user named it; stands in every message
 * @param path where it is
 */
public record TraceInput(String name, Path path) {
    /** How much of a file formats may look at to recognise it. */
    public static final int HEAD = 1 << 16;

    private static final int DEEPEST_PACKING = 3;

    /** The input at a path, named as given. */
    public static TraceInput of(Path path) {
        return new TraceInput(path.toString(), path);
    }

    /** Size of the file in bytes, as it lies on the disk. */
    public long size() throws IOException {
        return Files.size(path);
    }

    /**
     * The unpacked content from its beginning, of which the first {@link #HEAD} bytes can be looked at. The caller
     * closes it.
     *
     * @param diagnostics takes what is wrong with the packing
     * @throws IOException when the file cannot be read
     */
    public PrefixedSource open(Diagnostics diagnostics) throws IOException {
        NamedFiles.demandFile(name, path, "Traces are read more than once: put what comes out of it into a file.");
        InputStream file = NamedFiles.in(name, path);
        Damage damage = (loss, code, message, position) ->
                diagnostics.add(loss ? Weight.LOSS : Weight.REPAIRED, code, message, position);
        PrefixedSource source = withHead(new StreamSource(file));
        try {
            for (int depth = 0; depth < DEEPEST_PACKING; depth++) {
                byte[] head = source.head();
                if (GzipSource.matches(head, head.length)) {
                    source = withHead(new GzipSource(source, damage));
                } else if (ZstdSource.matches(head, head.length)) {
                    source = withHead(new ZstdSource(source, damage));
                } else if (isZip(head)) {
                    source = withHead(entry(source, diagnostics, damage));
                } else {
                    break;
                }
            }
            return source;
        } catch (IOException | RuntimeException e) {
            source.close();
            throw e;
        }
    }

    private ByteSource entry(ByteSource packed, Diagnostics diagnostics, Damage damage) throws IOException {
        ZipInputStream zip = new ZipInputStream(new SourceStream(packed));
        ZipEntry entry;
        try {
            entry = ZipEntrySource.first(zip);
        } catch (IOException | IllegalArgumentException e) {
            throw new TraceFormatException(
                    ErrorCode.FORMAT_CORRUPT, name, 0, "the zip archive is damaged: " + e.getMessage(), null);
        }
        if (entry == null) {
            throw new TraceFormatException(
                    ErrorCode.FORMAT_UNKNOWN, name, 0, "expected a file inside the zip archive", null);
        }
        diagnostics.add(
                Weight.OBSERVATION, "zip_entry", "the first file of the archive was read: " + entry.getName(), -1);
        return new ZipEntrySource(zip, damage);
    }

    private static boolean isZip(byte[] head) {
        return head.length >= 4 && head[0] == 'P' && head[1] == 'K' && head[2] == 3 && head[3] == 4;
    }

    private static PrefixedSource withHead(ByteSource source) throws IOException {
        byte[] head = new byte[HEAD];
        int n = source.fill(head, 0, HEAD);
        return new PrefixedSource(n == HEAD ? head : Arrays.copyOf(head, n), source);
    }
}
