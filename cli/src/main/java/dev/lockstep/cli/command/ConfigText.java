// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.runs.Coverage;
import dev.lockstep.runs.Coverage.Part;
import java.io.PrintWriter;

/** What comparisons of configurations say on the console. */
final class ConfigText {
    private ConfigText() {}

    /** Names what is missing or damaged, a line each. */
    static void gaps(Coverage coverage, PrintWriter err) {
        for (Part part : coverage.gaps()) {
            err.println(part.state() + ": " + part.configuration()
                    + (part.rank() < 0 ? "" : ", rank " + part.rank())
                    + (part.source().isEmpty() ? "" : ", " + part.source())
                    + (part.note().isEmpty() ? "" : ": " + part.note()));
        }
    }
}
