// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.model.Trace;
import dev.lockstep.read.TraceInput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lays what an analysis found over the trace that it was found in, for viewers of timelines. */
public interface TraceOverlay {
    /**
     * What is asked for.
     *
     * @param criticalPath what the critical path is asked of, or null for none
     * @param onlyCritical whether complete events off the path are left out, but for annotations and Python frames
     */
    record Options(@Nullable String criticalPath, boolean onlyCritical) {}

    /**
     * Writes the trace again as JSON, with everything in it unchanged and what was found added.
     *
     * @param trace what was read
     * @param input where it was read
     * @param options what to add
     * @param target where it goes
     * @return what could not be added, in sentences
     * @throws dev.lockstep.error.UserException when the input is no JSON of PyTorch's profiler
     * @throws IOException when reading or writing fails
     */
    List<String> write(Trace trace, TraceInput input, Options options, Target target) throws IOException;

    /**
     * A file to write.
     *
     * @param file its place
     * @param packed whether it is packed by gzip
     */
    record Target(Path file, boolean packed) {}
}
