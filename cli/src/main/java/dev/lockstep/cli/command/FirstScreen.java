// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.TableNames;
import dev.lockstep.cli.Screen;
import dev.lockstep.report.Answer;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section.FactsSection;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import dev.lockstep.words.Words;
import dev.lockstep.write.Unicode;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** What a terminal shows of the report of one rank: what bounds it, what to change, where its time goes. At most 15 lines. */
final class FirstScreen {
    /** Actions and operators that are shown. */
    private static final int SHOWN = 3;

    /** A snippet of less says nothing. */
    private static final int SHORTEST = 20;

    private static final int LONGEST_NAME = 50;

    private FirstScreen() {}

    /**
     * Prints a report.
     *
     * @return whether the report has an answer, or says why it has none; else nothing is printed
     */
    static boolean print(Report report, Collection<Path> written, PrintWriter out) {
        Answer answer = report.answer();
        if (answer == null && report.trust().isSound()) {
            return false;
        }
        Screen screen = Screen.of(out);
        if (answer != null) {
            List<String> lines =
                    screen.wrapped("", Unicode.line(answer.verdict().text()));
            for (String line : lines) {
                out.print(screen.paint(Screen.Paint.BOLD, line));
                out.println();
            }
        }
        report.trust()
                .lines()
                .forEach(line -> screen.wrapped("", Unicode.line(line)).forEach(out::println));
        if (answer != null) {
            actions(answer, screen).forEach(out::println);
        }
        for (Table table : report.tables()) {
            if (table.name().equals(TableNames.GPU_TIMELINE) && table.schema().indexOf(ColumnNames.IS_RECOMPUTE) < 0) {
                TimelineBar.line(table, out);
            }
        }
        String top = top(report);
        if (!top.isEmpty()) {
            screen.wrapped("Top  ", top).forEach(out::println);
        }
        List<String> asked = new ArrayList<>(PathAnswer.results(report));
        asked.addAll(PathAnswer.limits(report));
        asked.forEach(line -> screen.wrapped("", Unicode.line(line)).forEach(out::println));
        filters(report).forEach(line -> screen.wrapped("", line).forEach(out::println));
        written.forEach(path -> out.println("wrote " + path));
        return true;
    }

    /** One line for each action: what to do, what it gains of a step, and how. */
    private static List<String> actions(Answer answer, Screen screen) {
        List<Answer.Action> shown = answer.actions().stream().limit(SHOWN).toList();
        int steps = Math.max(1, answer.steps());
        int words =
                shown.stream().mapToInt(action -> action.text().length()).max().orElse(0);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < shown.size(); i++) {
            Answer.Action action = shown.get(i);
            String line = "  " + (i + 1) + "  " + padded(action.text(), words) + "  "
                    + gain(action.gainNs(), action.ofNs(), steps) + "   ";
            int room = screen.width() - line.length();
            lines.add((line + (room < SHORTEST ? "" : Screen.cut(action.snippet(), room))).stripTrailing());
        }
        if (answer.actions().size() > 1) {
            String all =
                    answer.actions().size() > SHOWN ? "All " + answer.actions().size() + " together" : "Together";
            lines.add("     " + padded(all, words) + "  "
                    + gain(answer.togetherNs(), answer.verdict().ofNs(), steps));
        }
        return lines;
    }

    private static String gain(long gain, long of, int steps) {
        return String.format(Locale.ROOT, "%9s %6s", "-" + Words.time(gain / steps), "-" + Words.percent(gain, of));
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }

    /** Which part of the trace was looked at; nothing where it is the whole. */
    private static List<String> filters(Report report) {
        return report.sections().stream()
                .filter(FactsSection.class::isInstance)
                .flatMap(section -> ((FactsSection) section).facts().stream())
                .filter(fact -> fact.label().equals("Filter"))
                .map(fact -> fact.label() + " " + Unicode.line(fact.value()))
                .toList();
    }

    /** The operators that take most time of the device. */
    private static String top(Report report) {
        for (Table table : report.tables()) {
            int name = table.schema().indexOf("name");
            int time = table.schema().indexOf(ColumnNames.TOTAL_DIRECT_KERNEL_TIME_MS);
            if (table.name().equals(TableNames.OPS_SUMMARY) && name >= 0 && time >= 0) {
                List<String> operators = new ArrayList<>();
                double scale = (double) table.schema().get(time).shown().scale() / Unit.NANOSECONDS.scale();
                for (int row = 0; row < Math.min(SHOWN, table.rows()); row++) {
                    String operator = Unicode.line(
                            Objects.requireNonNullElse(table.strings(name).get(row), ""));
                    operators.add(Screen.cut(operator, LONGEST_NAME) + " "
                            + Words.time(Math.round(table.shown(time, row) * scale)));
                }
                return String.join(" · ", operators);
            }
        }
        return "";
    }
}
