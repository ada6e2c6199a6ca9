// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.Lockstep;
import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.cli.NearestName;
import dev.lockstep.cli.Screen;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.report.Report;
import dev.lockstep.words.Words;
import dev.lockstep.write.Unicode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** {@code lockstep ask TRACE|RANKS QUESTION}: one answer, in the cells of one table. */
public final class AskCommand implements Command {
    /** Longer names are cut on the screen; JSON holds them whole. */
    private static final int LONGEST = 60;

    private List<String> words = List.of();
    private boolean json;
    private boolean listing;

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @Override
    public void declare(Arguments arguments) {
        arguments.examples("lockstep ask trace.json.gz idle-causes", "lockstep ask run/ slow-rank --json");
        global = arguments.global();
        arguments.words(
                "TRACE|RANKS QUESTION",
                "The trace of one rank, or all ranks of a run; then the name of the question.",
                given -> words = given);
        arguments.flag("--list", "List all questions and the tables that answer them.", () -> listing = true);
        arguments.flag("--json", "Print one JSON document instead of text.", () -> json = true);
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        if (listing) {
            for (Question one : Questions.all()) {
                List<String> tables =
                        one.places().stream().map(place -> place.rows().table()).toList();
                out.println(one.name() + ": " + one.asks() + " (" + String.join(", ", tables) + ")");
            }
            return ExitStatus.COMPLETE;
        }
        if (words.size() < 2) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    "ask wants a trace and a question",
                    "lockstep ask --list shows them all.");
        }
        Question question = named(words.getLast());
        try (Lockstep lockstep = Inputs.open(global)) {
            ExplainedInputs explained = ExplainedInputs.of(lockstep, words.subList(0, words.size() - 1), global, err);
            print(question, explained.report(), out);
            return explained.status();
        }
    }

    private static Question named(String name) {
        return Questions.all().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow(() -> {
                    return new UserException(
                            ErrorCode.OPTION_INVALID,
                            "unknown question '" + name + "'",
                            NearestName.nearest(name, Questions.names())
                                            .map(near -> "Did you mean '" + near + "'? ")
                                            .orElse("")
                                    + "lockstep ask --list shows them all.");
                });
    }

    private void print(Question question, Report report, PrintWriter out) {
        Question.Answer answer = question.of(report);
        if (answer == null) {
            throw new UserException(
                    ErrorCode.DATA_MISSING, "nothing answers '" + question.name() + "' here", question.reason(report));
        }
        if (json) {
            out.println(answer.json());
            return;
        }
        if (!global.quiet()) {
            out.println(question.asks());
        }
        List<List<String>> lines = new ArrayList<>(List.of(answer.heads()));
        for (int line : answer.lines()) {
            lines.add(answer.columns().stream()
                    .map(column -> Screen.cut(Unicode.line(answer.text(column, line)), LONGEST))
                    .toList());
        }
        int[] widths = IntStream.range(0, answer.heads().size())
                .map(place -> lines.stream()
                        .mapToInt(cells -> cells.get(place).length())
                        .max()
                        .orElse(0))
                .toArray();
        for (List<String> line : lines) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < line.size(); i++) {
                String room = " ".repeat(widths[i] - line.get(i).length());
                text.append("  ")
                        .append(answer.isNumber(answer.columns().get(i)) ? room + line.get(i) : line.get(i) + room);
            }
            out.println(text.toString().stripTrailing());
        }
        if (!global.quiet()) {
            out.println("From table " + answer.table().name() + ", "
                    + Words.count(answer.lines().size(), "row", "rows") + " of "
                    + answer.table().rows() + ".");
        }
    }
}
