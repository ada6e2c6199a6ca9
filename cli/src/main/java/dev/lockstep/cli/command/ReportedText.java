// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.sweep.RunReports;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;

/** What was reported, in a few lines, and the status that follows from what was there. */
final class ReportedText {
    private ReportedText() {}

    /** Says what could not be read of a folder, and fails if that is all there was. */
    static void coverage(RunReports done, Path folder, GlobalOptions global, PrintWriter out, PrintWriter err)
            throws TraceFormatException {
        CoverageText.say(done.coverage(), global, out, err);
        CoverageText.demandSomething(done.coverage(), folder.toString());
    }

    static int status(RunReports done, Path analysis, GlobalOptions global, PrintWriter out, PrintWriter err) {
        done.remarks().forEach(err::println);
        if (!global.quiet()) {
            out.println(String.format(
                    Locale.ROOT, "wrote %,d files below %s", done.written().size(), analysis));
        }
        return global.status(done.coverage().isComplete());
    }
}
