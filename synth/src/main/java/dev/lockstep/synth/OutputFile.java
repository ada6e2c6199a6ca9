// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.UserException;
import dev.lockstep.model.Packing;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;

/** Files below one directory that appear together, when their {@link Output} is committed. */
final class OutputFile {
    private OutputFile() {}

    /** As {@link #create}, for very many files: each is open only while it is written to. Packed ones have several members. */
    static OutputStream createClosed(Output output, Path directory, String relative) throws IOException {
        Path staged = place(output, directory, relative);
        boolean packed = Packing.GZIP.packs(relative);
        return new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                write(new byte[] {(byte) one}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int from, int count) throws IOException {
                if (count > 0) {
                    OutputStream raw = NamedFiles.more(staged);
                    try (OutputStream out = packed ? new Gzip(raw) : raw) {
                        out.write(bytes, from, count);
                    }
                }
            }
        };
    }

    /** Begins {@code relative} below {@code directory}; parents are created, links that lead elsewhere are refused. */
    static OutputStream create(Output output, Path directory, String relative) throws IOException {
        OutputStream raw = NamedFiles.out(place(output, directory, relative));
        return Packing.GZIP.packs(relative) ? new Gzip(raw) : raw;
    }

    private static Path place(Output output, Path directory, String relative) throws IOException {
        Path target = directory.resolve(relative);
        Path staged = output.file(target);
        if (Files.isSymbolicLink(target) || !staged.toRealPath().startsWith(directory.toRealPath())) {
            throw new UserException(ErrorCode.OUTPUT_FAILED, target + ": lies outside " + directory, null);
        }
        return staged;
    }

    /** A fast level, and a header without name and time: equal contents give equal bytes. */
    private static final class Gzip extends GZIPOutputStream {
        Gzip(OutputStream raw) throws IOException {
            super(raw, 1 << 16);
            def.setLevel(3);
        }
    }
}
