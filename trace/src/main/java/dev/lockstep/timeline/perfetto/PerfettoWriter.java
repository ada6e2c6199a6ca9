// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.timeline.perfetto;

import dev.lockstep.model.TraceFormat;
import dev.lockstep.timeline.TimelineOutput;
import dev.lockstep.timeline.TraceWriter;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Writes timelines in the protocol buffer format of Perfetto. Every slice is there with its times to the nanosecond,
 * whatever overlaps it; every argument has its type.
 */
public final class PerfettoWriter implements TraceWriter {
    @Override
    public TraceFormat format() {
        return TraceFormat.PERFETTO;
    }

    @Override
    public TimelineOutput open(Path target, Options options) throws IOException {
        return new PerfettoOutput(target, options);
    }
}
