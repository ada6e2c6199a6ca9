// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.timeline;

import dev.lockstep.model.TraceFormat;
import java.io.IOException;
import java.nio.file.Path;

/** Writes Chrome's JSON format ("Trace Event Format"), which Perfetto, chrome://tracing and other tools read. */
public final class ChromeJsonWriter implements TraceWriter {
    @Override
    public TraceFormat format() {
        return TraceFormat.CHROME;
    }

    @Override
    public TimelineOutput open(Path target, Options options) throws IOException {
        return new ChromeJsonOutput(target, options);
    }
}
