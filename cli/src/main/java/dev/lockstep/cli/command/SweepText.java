// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.runs.Coverage;
import dev.lockstep.runs.Coverage.Part;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What commands on sweeps say and return alike. */
final class SweepText {
    private SweepText() {}

    /** Whether another tool shall be reproduced; there is one. */
    static boolean isAorta(@Nullable String compat) {
        if (compat != null && !compat.equals("aorta")) {
            throw new UserException(ErrorCode.OPTION_INVALID, "unknown tool for --compat: " + compat, "known: aorta");
        }
        return compat != null;
    }

    /** The part of the coverage table that is not whole, nothing when all is. */
    static void gaps(Coverage coverage, PrintWriter err) {
        List<Part> gaps = coverage.gaps();
        if (gaps.isEmpty()) {
            return;
        }
        int width = gaps.stream().mapToInt(p -> p.configuration().length()).max().orElse(0);
        err.println("Coverage: " + gaps.size() + " of " + coverage.parts().size() + " parts are not whole");
        for (Part part : gaps) {
            err.println(String.format(
                            Locale.ROOT,
                            "  %-" + Math.max(1, width) + "s  %-9s  %-10s  %s",
                            part.configuration(),
                            part.rank() < 0 ? "all ranks" : "rank " + part.rank(),
                            part.state(),
                            part.note())
                    .stripTrailing());
        }
    }

    static int status(Coverage coverage, GlobalOptions global) {
        return coverage.isEmpty() ? ExitStatus.UNREADABLE : global.status(coverage.isComplete());
    }
}
