// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish;

import dev.lockstep.error.NamedFiles;
import dev.lockstep.report.Answer;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Report;
import dev.lockstep.words.AnswerWords;
import dev.lockstep.words.Glance;
import dev.lockstep.words.Words;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.ReportWriter;
import dev.lockstep.write.Unicode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a report says first, as text for tickets and pull requests: verdict, trust, actions, where the time goes, the first findings. About
 * 20 lines. Names of a trace stay text: everything that Markdown would obey is escaped.
 */
public final class MarkdownWriter implements ReportWriter {
    private static final int FINDINGS = 5;

    /** What Markdown or HTML may obey within a line. */
    private static final String OBEYED = "\\`*_{}[]()#+-!|~$:@";

    @Override
    public String id() {
        return "markdown";
    }

    @Override
    public String help() {
        return "Write the verdict, the actions and the first findings as Markdown.";
    }

    @Override
    public String ending() {
        return ".md";
    }

    @Override
    public void write(Report report, Path target, CellStyle style) throws IOException {
        List<String> lines = new ArrayList<>();
        Answer answer = report.answer();
        lines.add("# " + text(report.title()));
        lines.add("");
        if (answer != null) {
            lines.add("**" + text(answer.verdict().text()) + "**");
            lines.add("");
        }
        for (String line : report.trust().lines()) {
            lines.add(text(line));
            lines.add("");
        }
        if (answer != null && !answer.actions().isEmpty()) {
            actions(answer, lines);
        }
        Glance glance = Glance.of(report);
        if (!glance.parts().isEmpty()) {
            lines.add("Time: " + String.join(", ", glance.words(answer)));
            lines.add("");
        }
        if (!glance.kernels().isEmpty()) {
            lines.add("Top kernels: "
                    + glance.kernels().stream()
                            .map(one -> text(Words.name(one.label())) + " " + Words.share(one.ns(), one.allNs()))
                            .collect(Collectors.joining(", "))
                    + " of kernel time");
            lines.add("");
        }
        List<Finding> findings = findings(report);
        findings.forEach(finding -> lines.add("- " + text(finding.text())));
        if (!findings.isEmpty()) {
            lines.add("");
        }
        if (!report.subtitle().isEmpty()) {
            lines.add("Source: " + text(report.subtitle()));
        }
        try (OutputStream out = NamedFiles.out(target)) {
            out.write((String.join("\n", lines).stripTrailing() + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }

    private static void actions(Answer answer, List<String> lines) {
        lines.add("| | Action | " + (answer.steps() > 0 ? "Gain per step" : "Gain") + " | Share | How |");
        lines.add("|---|---|---:|---:|---|");
        for (AnswerWords.Line line : AnswerWords.lines(answer)) {
            lines.add(String.join(
                    " | ",
                    "| " + line.number(),
                    text(line.text()),
                    line.gain(),
                    line.share(),
                    code(line.snippet()) + " |"));
        }
        lines.add("");
        for (AnswerWords.Line line : AnswerWords.lines(answer)) {
            if (!line.number().isEmpty()) {
                lines.add("- " + text(line.text()) + ": " + text(line.assumption())
                        + (line.range().isEmpty() ? "" : " Range: " + line.range() + "."));
            }
        }
        lines.add("");
        lines.add("Check: "
                + answer.actions().stream()
                        .map(Answer.Action::check)
                        .distinct()
                        .map(MarkdownWriter::text)
                        .collect(Collectors.joining(", ")));
        lines.add("");
    }

    /** The first findings that are more than information. */
    private static List<Finding> findings(Report report) {
        return report.findings().stream()
                .filter(finding -> finding.severity() != Finding.Severity.INFO)
                .sorted(Comparator.comparing(Finding::severity))
                .limit(FINDINGS)
                .toList();
    }

    /** Code of the program's own; what could end it early is shown as text. */
    private static String code(String snippet) {
        boolean plain = snippet.chars().allMatch(c -> c >= ' ' && c < 127 && "`|<[".indexOf(c) < 0);
        return snippet.isEmpty() || !plain ? text(snippet) : "`" + snippet + "`";
    }

    /** Any text as one line that is shown as it is. */
    static String text(String text) {
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        String line = Unicode.line(Unicode.wellFormed(text));
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            switch (c) {
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '&' -> escaped.append("&amp;");
                default -> {
                    if (OBEYED.indexOf(c) >= 0 && isObeyed(line, i)) {
                        escaped.append('\\');
                    }
                    escaped.append(c);
                }
            }
        }
        return escaped.toString();
    }

    /** A mark between blanks or digits and within a sentence steers nothing. */
    private static boolean isObeyed(String line, int at) {
        return switch (line.charAt(at)) {
            case '-', '+', '#' -> at == 0;
            case ':' -> line.startsWith("://", at);
            case '(', ')', '!' -> false;
            default -> true;
        };
    }
}
