// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.runs.Sweep;
import dev.lockstep.sweep.merge.RankMerge.Merged;
import dev.lockstep.sweep.summary.WholeSweep;
import java.io.PrintWriter;
import java.util.Locale;

/** What was written of a whole sweep. */
final class SweepAllText {
    private SweepAllText() {}

    static void print(WholeSweep.Result done, int written, Sweep sweep, PrintWriter out) {
        if (!done.merged().isEmpty()) {
            Merged first = done.merged().getFirst();
            out.println(String.format(
                    Locale.ROOT,
                    "merged %,d %s into %s",
                    done.merged().size(),
                    done.merged().size() == 1 ? "timeline" : "timelines",
                    first.file().getParent()));
        }
        out.println(String.format(Locale.ROOT, "wrote %,d files below %s", written, sweep.folder()));
    }
}
