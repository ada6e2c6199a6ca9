// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.pipeline.sweep.PlainSummary;
import dev.lockstep.report.Finding;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A whole sweep in a screenful of text. */
final class SweepAllText {
    private SweepAllText() {}

    static void print(@Nullable PlainSummary summary, List<Path> written, Path analysis, PrintWriter out) {
        if (summary != null) {
            for (Finding finding : summary.findings()) {
                Summary.say(finding, out);
            }
            out.println();
        }
        out.println(String.format(Locale.ROOT, "wrote %,d files below %s", written.size(), analysis));
        if (summary != null) {
            out.println("look at " + written.getLast());
        }
    }
}
