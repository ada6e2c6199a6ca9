// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Writes Chrome's JSON format ("Trace Event Format"), which Perfetto, chrome://tracing and other tools read. */
public final class ChromeJsonWriter implements TraceWriter {
    @Override
    public String id() {
        return "chrome-json";
    }

    @Override
    public List<String> extensions() {
        return List.of(".json", ".json.gz");
    }

    @Override
    public TimelineOutput open(Path target, Options options) throws IOException {
        return new ChromeJsonOutput(target, options);
    }
}
