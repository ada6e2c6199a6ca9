// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.TableNames;
import dev.lockstep.cli.Screen;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.FactsSection;
import dev.lockstep.report.Section.FindingsSection;
import dev.lockstep.report.Section.NotApplicable;
import dev.lockstep.table.LongColumn;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import dev.lockstep.words.Glance;
import dev.lockstep.write.Unicode;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A report in a screenful of text. */
final class Summary {
    private static final int TOP = 5;
    private static final int LONGEST_NAME = 60;
    private static final int TIME = 20;

    private Summary() {}

    static void print(Report report, Collection<Path> written, PrintWriter out) {
        print(report, List.of(), written, out);
    }

    /** @param notes further sentences */
    static void print(Report report, List<String> notes, Collection<Path> written, PrintWriter out) {
        Screen screen = Screen.of(out);
        out.print(screen.paint(Screen.Paint.BOLD, Unicode.line(report.title())));
        out.println("  (" + Unicode.line(report.subtitle()) + ")");
        report.trust().lines().forEach(line -> wrap("! ", line, out));
        for (Section section : report.sections()) {
            if (section instanceof FactsSection facts) {
                String line = String.join(
                        " · ",
                        facts.facts().stream()
                                .map(f -> f.label() + " " + Unicode.line(f.value()))
                                .toList());
                if (screen.isTerminal()) {
                    screen.wrapped("", line).forEach(out::println);
                } else {
                    out.println(line);
                }
            }
        }
        for (Section section : report.sections()) {
            if (section instanceof FindingsSection findings
                    && !findings.findings().isEmpty()) {
                out.println();
                findings.findings().forEach(f -> say(f, out));
            }
        }
        for (Table table : report.tables()) {
            if (Glance.isCompared(table)) {
                continue;
            }
            switch (table.name()) {
                case TableNames.GPU_TIMELINE -> timeline(table, out);
                case TableNames.OPS_SUMMARY ->
                    top("Operators by device time", "name", ColumnNames.TOTAL_DIRECT_KERNEL_TIME_MS, table, out);
                case "host_ops_unique_args" -> {
                    Table host = report.table("host_summary");
                    top(
                            "Operators by their own time",
                            "name",
                            ColumnNames.SELF_TIME_MS,
                            host == null ? table : host,
                            out);
                }
                case TableNames.STRAGGLER_SUMMARY -> {
                    if (table.schema().indexOf("caused_wait_us") >= 0) {
                        stragglers(table, out);
                    }
                }
                case TableNames.KERNEL_SUMMARY ->
                    top("Kernels", ColumnNames.KERNEL_NAME, ColumnNames.KERNEL_DURATION_US_SUM, table, out);
                default -> {
                    // a screen has room for these
                }
            }
        }
        List<String> further = new ArrayList<>(notes);
        further.addAll(PathAnswer.results(report));
        if (!further.isEmpty()) {
            out.println();
            further.forEach(note -> wrap("", note, out));
        }
        notes(report, out);
        out.println();
        written.forEach(path -> out.println("wrote " + path));
        Finding first = first(report);
        for (Path path : written) {
            if (first != null && path.toString().endsWith(".html") && Files.isRegularFile(path)) {
                out.println("Page: " + path.toAbsolutePath().normalize().toUri() + "#finding/" + first.code());
            }
        }
    }

    /** The finding that stands first on a page. */
    private static @Nullable Finding first(Report report) {
        List<Finding> findings = report.findings();
        if (findings.isEmpty()) {
            return null;
        }
        Finding headline = findings.getFirst();
        return headline.severity() != Severity.INFO
                ? headline
                : Collections.min(findings, Comparator.comparing(Finding::severity));
    }

    /** A finding in lines of a screen's width. */
    static void say(Finding finding, PrintWriter out) {
        wrap(mark(finding.severity()), finding.text(), out);
    }

    private static void notes(Report report, PrintWriter out) {
        boolean first = true;
        for (Section section : report.sections()) {
            if (section instanceof NotApplicable absent) {
                if (first) {
                    out.println();
                    first = false;
                }
                wrap("", "no " + absent.name() + ": " + absent.reason(), out);
            }
        }
    }

    private static void timeline(Table table, PrintWriter out) {
        int recompute = table.schema().indexOf(ColumnNames.IS_RECOMPUTE);
        out.println();
        if (recompute >= 0) {
            out.println("Outside of recomputation");
        }
        if (Screen.of(out).isTerminal() && recompute < 0) {
            TimelineBar.print(table, out);
        }
        for (int row = 0; row < Math.min(table.rows(), 10); row++) {
            if (recompute >= 0 && table.bools(recompute).get(row)) {
                break;
            }
            out.println(String.format(
                    Locale.ROOT,
                    "  %-22s %12.3f ms %6.1f %%",
                    table.strings(0).get(row),
                    table.shown(1, row),
                    table.shown(2, row)));
        }
    }

    private static void stragglers(Table table, PrintWriter out) {
        int caused = table.schema().indexOf("caused_wait_us");
        int last = table.schema().indexOf("times_arrived_last");
        int all = table.schema().indexOf("num_collectives");
        boolean begun = false;
        for (int row = 0; row < Math.min(TOP, table.rows()); row++) {
            if (table.longs(caused).get(row) == LongColumn.ABSENT) {
                continue;
            }
            if (!begun) {
                out.println();
                out.println("Ranks by the time that others waited for them");
                begun = true;
            }
            out.println(String.format(
                    Locale.ROOT,
                    "  rank %-6d %12.3f ms, last in %d of %d",
                    table.longs(0).get(row),
                    milliseconds(table, caused, row),
                    table.longs(last).get(row),
                    table.longs(all).get(row)));
        }
    }

    /** Comparisons have sheets of the same names with other columns. */
    private static void top(String title, String nameHeader, String timeHeader, Table table, PrintWriter out) {
        int name = table.schema().indexOf(nameHeader);
        int time = table.schema().indexOf(timeHeader);
        if (name < 0 || time < 0) {
            return;
        }
        out.println();
        out.println(title);
        for (int row = 0; row < Math.min(TOP, table.rows()); row++) {
            out.println(String.format(
                    Locale.ROOT,
                    "  %12.3f ms  %s",
                    milliseconds(table, time, row),
                    cut(Objects.requireNonNullElse(table.strings(name).get(row), ""), Screen.of(out))));
        }
    }

    private static double milliseconds(Table table, int column, int row) {
        double scale = table.schema().get(column).shown().scale();
        return table.shown(column, row) * scale / Unit.MILLISECONDS.scale();
    }

    /** A name in what a time leaves of the line. */
    private static String cut(String text, Screen screen) {
        return Screen.cut(Unicode.line(text), screen.isTerminal() ? screen.width() - TIME : LONGEST_NAME);
    }

    private static String mark(Finding.Severity severity) {
        return switch (severity) {
            case PROBLEM -> "! ";
            case NOTICE -> "* ";
            case INFO -> "- ";
        };
    }

    /** Pipes get lines of a fixed width; what a program finds in them does not depend on where it ran. */
    private static void wrap(String mark, String text, PrintWriter out) {
        List<String> lines = Screen.of(out).wrapped(mark, Unicode.line(text));
        out.print(painted(mark, lines.getFirst(), Screen.of(out)));
        out.println();
        lines.subList(1, lines.size()).forEach(out::println);
    }

    private static String painted(String mark, String line, Screen screen) {
        return switch (mark) {
            case "! " -> screen.paint(Screen.Paint.WORSE, "!") + line.substring(1);
            case "* " -> screen.paint(Screen.Paint.NOTICE, "*") + line.substring(1);
            default -> line;
        };
    }
}
