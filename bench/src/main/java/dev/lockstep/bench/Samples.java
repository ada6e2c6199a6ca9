// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.bench;

import dev.lockstep.codec.SourceStream;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Trace;
import dev.lockstep.read.TraceInput;
import dev.lockstep.session.Session;
import dev.lockstep.synth.Layout;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.TraceRecipe;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/**
 * What benchmarks work on: the trace that {@code -Dlockstep.trace=FILE} names, or else a synthetic one, whose size is the
 * benchmark's parameter {@code megabytes} and which holds a rank of a training run with operators, launches, kernels and
 * collectives in about the proportions of real ones.
 */
public final class Samples {
    /** Names the system property that holds the path of a trace to use in place of a synthetic one. */
    private static final String PROPERTY = "lockstep.trace";

    private static final int RANK = 0;
    private static final long BYTES_PER_MEGABYTE = 1_000_000;
    private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;

    private Samples() {}

    /**
     * The path of the trace.
     *
     * @param scratch takes the synthetic trace; nothing is written when the user named one
     */
    public static Path file(Path scratch, int megabytes) throws IOException {
        String named = System.getProperty(PROPERTY);
        if (named != null) {
            return Path.of(named);
        }
        TraceRecipe recipe = TraceRecipe.standard().withBytesPerRank(megabytes * BYTES_PER_MEGABYTE);
        SyntheticRun.write(scratch, recipe, Layout.flat().only(RANK));
        return scratch.resolve("rank" + RANK + "_trace.json");
    }

    /** The trace as unpacked text. */
    public static byte[] text(Path trace) throws IOException {
        try (InputStream in = stream(trace)) {
            byte[] text = in.readNBytes(LARGEST_ARRAY);
            if (in.read() >= 0) {
                throw new IOException(trace + " has more than 2 GB of text, too much for a benchmark in memory");
            }
            return text;
        }
    }

    /** The trace packed by gzip, in {@code scratch} unless it is packed already. */
    public static Path packed(Path scratch, Path trace) throws IOException {
        if (trace.toString().endsWith(".gz")) {
            return trace;
        }
        Path packed = scratch.resolve("packed.json.gz");
        try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(packed), 1 << 16)) {
            Files.copy(trace, out);
        }
        return packed;
    }

    /** The trace unpacked, in {@code scratch} unless it is unpacked already. */
    public static Path plain(Path scratch, Path trace) throws IOException {
        if (!trace.toString().endsWith(".gz")) {
            return trace;
        }
        Path plain = scratch.resolve("plain.json");
        try (InputStream in = stream(trace)) {
            Files.copy(in, plain);
        }
        return plain;
    }

    /** The trace as the program sees it after reading. */
    public static Trace trace(int megabytes) throws IOException {
        Path scratch = scratch();
        try {
            return read(file(scratch, megabytes));
        } finally {
            delete(scratch);
        }
    }

    /** The first trace of a file. */
    static Trace read(Path file) throws IOException {
        try (Session session = new Session(Runtime.getRuntime().availableProcessors())) {
            List<Trace> ranks = session.read(TraceInput.of(file), bytes -> {});
            return ranks.getFirst();
        }
    }

    /** A directory for one trial; {@link #delete} removes it. */
    public static Path scratch() throws IOException {
        return Files.createTempDirectory("lockstep-bench-");
    }

    /** Removes a directory of {@link #scratch} and the files in it. */
    public static void delete(Path scratch) throws IOException {
        List<Path> files;
        try (var listed = Files.list(scratch)) {
            files = listed.toList();
        }
        for (Path file : files) {
            Files.delete(file);
        }
        Files.delete(scratch);
    }

    private static InputStream stream(Path trace) throws IOException {
        return new SourceStream(TraceInput.of(trace).open(new Diagnostics()));
    }
}
