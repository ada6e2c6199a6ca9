// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Screen;
import dev.lockstep.report.Answer;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section.FactsSection;
import dev.lockstep.words.AnswerWords;
import dev.lockstep.words.Glance;
import dev.lockstep.words.Words;
import dev.lockstep.write.Unicode;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What a terminal shows of the report of one rank: what bounds it, what to change, where its time goes. At most 15 lines. */
final class FirstScreen {
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
        Glance glance = Glance.of(report);
        if (!glance.parts().isEmpty()) {
            TimelineBar.line(glance, out);
        }
        if (!glance.top().isEmpty()) {
            screen.wrapped("Top  ", top(glance)).forEach(out::println);
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
        List<AnswerWords.Line> all = AnswerWords.lines(answer);
        int words = all.stream().mapToInt(line -> line.text().length()).max().orElse(0);
        List<String> lines = new ArrayList<>();
        for (AnswerWords.Line one : all) {
            String line = String.format(
                    Locale.ROOT,
                    "  %1s  %s  %9s %6s   ",
                    one.number(),
                    padded(one.text(), words),
                    one.gain(),
                    one.share());
            int room = screen.width() - line.length();
            lines.add((line + (room < SHORTEST ? "" : Screen.cut(one.snippet(), room))).stripTrailing());
        }
        return lines;
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
    private static String top(Glance glance) {
        return glance.top().stream()
                .map(operator ->
                        Screen.cut(Unicode.line(operator.name()), LONGEST_NAME) + " " + Words.time(operator.ns()))
                .collect(Collectors.joining(" · "));
    }
}
