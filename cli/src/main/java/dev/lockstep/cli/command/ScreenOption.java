// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.report.Report;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;

/** How much of a report the terminal shows: its first screen, or with {@code -v} all findings and the first rows of tables. */
final class ScreenOption {
    private boolean verbose;

    void declare(Arguments arguments) {
        arguments.flag("-v,--verbose", "Print all findings and the first rows of tables.", () -> verbose = true);
    }

    /**
     * Prints a report.
     *
     * @param whole whether all is printed in any case, as in another tool's place
     * @param notes further sentences
     */
    void print(Report report, boolean whole, List<String> notes, Collection<Path> written, PrintWriter out) {
        if (verbose || whole || !FirstScreen.print(report, written, out)) {
            Summary.print(report, notes, written, out);
        }
    }

    /** The same without further sentences. */
    void print(Report report, boolean whole, Collection<Path> written, PrintWriter out) {
        print(report, whole, List.of(), written, out);
    }
}
