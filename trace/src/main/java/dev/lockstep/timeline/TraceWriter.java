// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.timeline;

import dev.lockstep.model.Packing;
import dev.lockstep.model.TraceFormat;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

/** Turns timelines into files of one format. Stateless; one instance serves all files. */
public interface TraceWriter {
    /** The format that is written. */
    TraceFormat format();

    /** Endings of file names that ask for this format, with their dots: {@code .json}, {@code .json.gz}. */
    default List<String> endings() {
        return format().endings().stream()
                .flatMap(ending -> Stream.of(ending, ending + Packing.GZIP.ending()))
                .toList();
    }

    /**
     * How to write.
     *
     * @param packed whether the file shall be packed with gzip
     * @param executor runs parts of the work; may run them at once on the calling thread. Neither it nor
     *     {@code parallelism} changes a byte of the output
     * @param parallelism how many parts may be in work at a time, at least 1
     */
    record Options(boolean packed, Executor executor, int parallelism) {}

    /**
     * Begins a file. The caller adds the ranks in ascending order, finishes, and closes; a file that was not finished is
     * not whole.
     *
     * @param target a file that may be written, a place inside an {@link Output}
     * @throws IOException when the file system refuses
     */
    TimelineOutput open(Path target, Options options) throws IOException;
}
