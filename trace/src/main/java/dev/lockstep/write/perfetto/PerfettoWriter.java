// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write.perfetto;

import dev.lockstep.write.TimelineOutput;
import dev.lockstep.write.TraceWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Writes timelines in the protocol buffer format of Perfetto. Every slice is there with its times to the nanosecond,
 * whatever overlaps it; every argument has its type.
 */
public final class PerfettoWriter implements TraceWriter {
    @Override
    public String id() {
        return "perfetto";
    }

    @Override
    public List<String> extensions() {
        return List.of(".pftrace", ".pftrace.gz", ".perfetto-trace", ".perfetto-trace.gz");
    }

    @Override
    public TimelineOutput open(Path target, Options options) throws IOException {
        return new PerfettoOutput(target, options);
    }
}
