// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.runs.Sweep;
import dev.lockstep.sweep.merge.RankMerge.Merged;
import dev.lockstep.sweep.summary.WholeSweep;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A whole sweep in a screenful of text. */
final class SweepAllText {
    private SweepAllText() {}

    static void print(WholeSweep.Result done, List<Path> written, Sweep sweep, @Nullable Path page, PrintWriter out) {
        if (done.summary() != null) {
            done.summary().findings().forEach(finding -> Summary.say(finding, out));
        }
        if (done.gemms() != null) {
            done.gemms().findings().forEach(finding -> Summary.say(finding, out));
        }
        if (done.summary() != null || done.gemms() != null) {
            out.println();
        }
        if (!done.merged().isEmpty()) {
            Merged first = done.merged().getFirst();
            out.println(String.format(
                    Locale.ROOT,
                    "merged %,d %s into %s",
                    done.merged().size(),
                    done.merged().size() == 1 ? "timeline" : "timelines",
                    first.file().getParent()));
        }
        out.println(String.format(
                Locale.ROOT, "wrote %,d files below %s", written.size() + (page == null ? 0 : 1), sweep.folder()));
        if (page != null) {
            out.println("wrote " + page);
        }
    }
}
