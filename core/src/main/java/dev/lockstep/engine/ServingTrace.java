// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.engine;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.ReportOptions.Serving;
import dev.lockstep.model.Trace;
import dev.lockstep.serving.CaptureMerge;
import java.io.IOException;
import java.nio.file.Path;

/** Prepares the trace of a serving engine for a report: with what its graphs hold, and with operators taken apart. */
public final class ServingTrace {
    private ServingTrace() {}

    /**
     * The trace as the report shall see it; the same trace where nothing was asked for.
     *
     * @param rules definitions of the report
     * @param ownTracks whether what is taken from captures stands on the tracks of the processes that captured
     * @throws IOException if a capture cannot be read
     */
    public static Trace prepare(Session session, Trace trace, Serving serving, AnalysisRules rules, boolean ownTracks)
            throws IOException {
        Trace prepared = trace;
        Path captures = serving.captures();
        if (captures != null) {
            CaptureFolder folder = new CaptureFolder(session, captures, rules.nesting());
            prepared = CaptureMerge.merge(prepared, rules.links(), folder, ownTracks);
        }
        return prepared;
    }
}
