// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.inference.Additions;
import dev.lockstep.inference.CaptureMerge;
import dev.lockstep.inference.PseudoOps;
import dev.lockstep.model.Trace;
import dev.lockstep.options.ReportOptions.Serving;
import dev.lockstep.session.Session;
import java.io.IOException;
import java.nio.file.Path;

/** Prepares the trace of a serving engine for a report: with what its graphs hold, and with operators taken apart. */
public final class ServingTrace {
    private ServingTrace() {}

    /**
     * The trace as the report shall see it; the same trace where nothing was asked for.
     *
     * @param rules definitions of the report
     * @param additions where added operators stand
     * @throws IOException if a capture cannot be read
     */
    public static Trace prepare(Session session, Trace trace, Serving serving, AnalysisRules rules, Additions additions)
            throws IOException {
        Trace prepared = trace;
        Path captures = serving.captures();
        if (captures != null) {
            CaptureFolder folder = new CaptureFolder(
                    session,
                    captures,
                    rules.nesting(),
                    additions == Additions.BESIDE,
                    trace.info().rank().index());
            prepared = CaptureMerge.merge(prepared, rules.links(), folder, additions);
        }
        if (serving.pseudoOps()) {
            prepared = PseudoOps.apply(prepared, rules.tree(), rules.links(), additions);
        }
        return prepared;
    }
}
