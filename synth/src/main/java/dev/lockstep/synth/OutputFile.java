// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import dev.lockstep.model.Packing;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.GZIPOutputStream;

/**
 * A file that appears under its name only when it is complete: written beside under a temporary name, then moved. Closing
 * it without {@link #publish} removes what was written.
 */
final class OutputFile implements AutoCloseable {
    private final Path target;
    private final Path temporary;
    private final OutputStream stream;

    private OutputFile(Path target, Path temporary, OutputStream stream) {
        this.target = target;
        this.temporary = temporary;
        this.stream = stream;
    }

    /** Begins {@code relative} below {@code directory}; parents are created, one that leads elsewhere is refused. */
    static OutputFile create(Path directory, String relative) throws IOException {
        Files.createDirectories(directory);
        int slash = relative.lastIndexOf('/');
        Path parent = slash < 0 ? directory : directory.resolve(relative.substring(0, slash));
        String name = relative.substring(slash + 1);
        Path target = parent.resolve(name);
        Files.createDirectories(parent);
        if (!parent.toRealPath().startsWith(directory.toRealPath())) {
            throw new IOException(target + ": lies outside " + directory);
        }
        Path temporary = parent.resolve("." + name + ".part");
        OutputStream raw = Files.newOutputStream(temporary);
        return new OutputFile(target, temporary, Packing.GZIP.packs(name) ? new Gzip(raw) : raw);
    }

    /** A fast level, and a header without name and time: equal contents give equal bytes. */
    private static final class Gzip extends GZIPOutputStream {
        Gzip(OutputStream raw) throws IOException {
            super(raw, 1 << 16);
            def.setLevel(3);
        }
    }

    OutputStream stream() {
        return stream;
    }

    void publish() throws IOException {
        stream.close();
        Files.move(temporary, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void close() throws IOException {
        try (stream) {
            Files.deleteIfExists(temporary);
        }
    }
}
