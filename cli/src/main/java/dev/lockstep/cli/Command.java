// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;

/**
 * A command of the program. It is made anew for each command line: first it declares what arguments it takes, then it
 * runs with what was given.
 */
public interface Command {
    /** States the arguments, and where their values go. */
    void declare(Arguments arguments);

    /** Names of today of options that had others, by the former ones. */
    default Map<String, String> formerOptions() {
        return Map.of();
    }

    /**
     * Does the work.
     *
     * @param out takes results and summaries
     * @param err takes what is wrong
     * @return the exit status
     */
    int run(PrintWriter out, PrintWriter err) throws IOException;
}
