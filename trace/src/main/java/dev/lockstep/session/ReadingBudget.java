// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.session;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;

/**
 * How many files may be read side by side: as many as there are threads, and as fit into memory together. Files beyond a
 * size are read one after another, each with all threads.
 */
final class ReadingBudget {
    /** Unpacked size up to which a file is read by one thread. */
    private static final long SMALL = 96L << 20;

    private static final int KIB = 10;

    /** What a trace and its analyses take is about its unpacked size; half of the heap is left for results. */
    private final int all =
            (int) Math.max(1, Math.min(Integer.MAX_VALUE, (Runtime.getRuntime().maxMemory() >> 1) >> KIB));

    private final TraceFormats formats = new TraceFormats();
    private final Semaphore free = new Semaphore(all, true);

    /** A part of the memory, until it is closed. */
    final class Share implements AutoCloseable {
        private final long bytes;
        private final int permits;

        private Share(long bytes) {
            this.bytes = bytes;
            this.permits = (int) Math.min(all, 1 + (bytes >> KIB));
        }

        /** The unpacked size of the file. */
        long bytes() {
            return bytes;
        }

        @Override
        public void close() {
            free.release(permits);
        }
    }

    boolean isSmall(Path file) {
        return unpacked(file) <= SMALL;
    }

    /** The same files, those that are read side by side before the others. */
    List<Path> smallFirst(List<Path> files) {
        return Stream.concat(
                        files.stream().filter(this::isSmall), files.stream().filter(file -> !isSmall(file)))
                .toList();
    }

    /** Waits until there is room for the file. */
    Share take(Path file) {
        Share share = new Share(unpacked(file));
        free.acquireUninterruptibly(share.permits);
        return share;
    }

    /** Whether this many of the largest of these files are likely to fit into the heap together, as a merge has them. */
    boolean fit(int files, List<Path> among) {
        long largest = among.stream().mapToLong(this::unpacked).max().orElse(0);
        return largest <= Runtime.getRuntime().maxMemory() / files / 4 * 3;
    }

    /** The size of the content, for packed files a guess; 0 for a file that is not there. */
    long unpacked(Path file) {
        return formats.unpackedSize(file);
    }
}
