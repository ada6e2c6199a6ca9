// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Screen;
import dev.lockstep.report.Answer;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section.FactsSection;
import dev.lockstep.words.AnswerWords;
import dev.lockstep.words.Glance;
import dev.lockstep.write.Unicode;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What a terminal shows of a report: what bounds the trace or run, whether that can be believed, what to change, where the time of a rank
 * goes; of several ranks or traces what else stands out. At most 15 lines, where none is wrapped.
 */
final class FirstScreen {
    /** A snippet of less says nothing. */
    private static final int SHORTEST = 20;

    private static final int LONGEST_NAME = 50;

    private static final int MOST_LINES = 15;

    /** Findings of one code: one stands for many. */
    private static final int MOST_ALIKE = 2;

    private FirstScreen() {}

    /**
     * Prints a report.
     *
     * @return whether the report says anything first: an answer, why there is none, or a finding; else nothing is printed
     */
    static boolean print(Report report, Collection<Path> written, PrintWriter out) {
        Answer answer = report.answer();
        List<Finding> findings = others(report);
        if (answer == null && report.trust().isSound() && findings.isEmpty()) {
            return false;
        }
        Screen screen = Screen.of(out);
        String first = answer != null
                ? answer.verdict().text()
                : report.trust().isSound() ? findings.removeFirst().text() : "";
        int lines = 0;
        for (String line : first.isEmpty() ? List.<String>of() : screen.wrapped("", Unicode.line(first))) {
            out.print(screen.paint(Screen.Paint.BOLD, line));
            out.println();
            lines++;
        }
        List<String> more = new ArrayList<>();
        report.trust().lines().forEach(line -> more.addAll(screen.wrapped("", Unicode.line(line))));
        if (answer != null) {
            more.addAll(actions(answer, screen));
        }
        more.forEach(out::println);
        lines += more.size() + written.size();
        Glance glance = Glance.of(report);
        if (!glance.parts().isEmpty()) {
            TimelineBar.line(glance, glance.words(answer), out);
        } else {
            for (Finding finding : findings) {
                List<String> words = screen.wrapped("", Unicode.line(finding.text()));
                lines += words.size();
                if (lines <= MOST_LINES) {
                    words.forEach(out::println);
                }
            }
            String made = report.title() + (report.subtitle().isEmpty() ? "" : "  (" + report.subtitle() + ")");
            screen.wrapped("", Unicode.line(made)).forEach(out::println);
        }
        if (!glance.kernels().isEmpty()) {
            screen.wrapped("Kernels  ", top(glance)).forEach(out::println);
        }
        report.findings().stream()
                .filter(finding -> finding.code().equals("phases"))
                .forEach(finding ->
                        screen.wrapped("", Unicode.line(finding.text())).forEach(out::println));
        List<String> asked = new ArrayList<>(PathAnswer.results(report));
        asked.addAll(PathAnswer.limits(report));
        asked.forEach(line -> screen.wrapped("", Unicode.line(line)).forEach(out::println));
        filters(report).forEach(line -> screen.wrapped("", line).forEach(out::println));
        written.forEach(path -> out.println("wrote " + path));
        return true;
    }

    /**
     * The findings that say more than the answer does, the first as the report orders them, then the gravest; context only where there is
     * nothing else.
     */
    private static List<Finding> others(Report report) {
        Answer answer = report.answer();
        boolean told = answer != null
                && answer.verdict().boundBy().equals("straggler-bound")
                && answer.actions().stream().anyMatch(action -> action.id().equals("straggler"));
        List<Finding> all = report.findings().stream()
                .filter(finding -> !told || !finding.code().startsWith("slow_rank"))
                .toList();
        List<Finding> sorted = new ArrayList<>();
        if (answer == null && !all.isEmpty()) {
            sorted.add(all.getFirst());
        }
        for (Finding.Severity severity : Finding.Severity.values()) {
            for (Finding finding : all) {
                boolean context = severity == Finding.Severity.INFO && sorted.size() > (answer == null ? 1 : 0);
                long alike = sorted.stream()
                        .filter(one -> one.code().equals(finding.code()))
                        .count();
                if (finding.severity() == severity && !context && alike < MOST_ALIKE && !sorted.contains(finding)) {
                    sorted.add(finding);
                }
            }
        }
        return sorted;
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

    /** The kernels that take most time, by their labels. */
    private static String top(Glance glance) {
        return glance.kernels().stream()
                .map(kernel -> Screen.cut(Unicode.line(kernel.words()), LONGEST_NAME))
                .collect(Collectors.joining(" · "));
    }
}
