// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.report.Report;
import dev.lockstep.report.Section.FactsSection;
import dev.lockstep.table.Table;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;

/** What is said of the parts of a trace on a terminal. */
final class SplitText {
    private static final int MOST_LINES = 20;

    private SplitText() {}

    static void print(Report report, Path into, PrintWriter out) {
        out.println(report.title() + "  (" + report.subtitle() + ")");
        report.sections().stream()
                .filter(FactsSection.class::isInstance)
                .map(FactsSection.class::cast)
                .forEach(facts -> out.println(String.join(
                        " · ",
                        facts.facts().stream()
                                .map(f -> f.label() + " " + f.value())
                                .toList())));
        out.println();
        Table files = report.tables().getLast();
        out.println(String.format(Locale.ROOT, "  %12s %12s %12s  %s", "iterations", "events", "activities", "file"));
        int events = files.schema().indexOf("events");
        for (int row = 0; row < Math.min(MOST_LINES, files.rows()); row++) {
            out.println(String.format(
                    Locale.ROOT,
                    "  %12s %,12d %,12d  %s",
                    files.longs(2).get(row) == files.longs(3).get(row)
                            ? Long.toString(files.longs(2).get(row))
                            : files.longs(2).get(row) + "-" + files.longs(3).get(row),
                    files.longs(events).get(row),
                    files.longs(events + 1).get(row),
                    files.strings(0).get(row)));
        }
        if (files.rows() > MOST_LINES) {
            out.println("  and " + (files.rows() - MOST_LINES) + " more; see files.csv");
        }
        out.println();
        out.println("wrote " + files.rows() + " traces, index.json, iterations.csv and files.csv into " + into);
    }
}
