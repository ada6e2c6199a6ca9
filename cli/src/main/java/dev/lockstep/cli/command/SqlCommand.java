// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.Lockstep;
import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.dataset.RunRows.Kept;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.FileNames;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.UserException;
import dev.lockstep.session.RankSet;
import dev.lockstep.sql.QueryAnswer;
import dev.lockstep.sql.QueryDatabase;
import dev.lockstep.sql.QuerySources;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code lockstep sql DIR|TRACE|REPORT... "QUERY"}: own questions, in SQL. */
public final class SqlCommand implements Command {
    private List<String> words = List.of();
    private @Nullable Path script;
    private boolean listing;
    private final AnswerTargets targets = new AnswerTargets();
    private int seconds;

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @Override
    public void declare(Arguments arguments) {
        global = arguments.global();
        arguments.argumentsAndText(
                "DIR|TRACE|REPORT... [QUERY]",
                "Datasets, traces of one run, or finished reports; then the query. Without one, a prompt on a terminal,"
                        + " else standard input is the query.",
                given -> words = given);
        arguments.option("-f,--file", "FILE", Path.class, "Take the query from FILE.", given -> script = given);
        arguments.flag("--list", "Show the tables, their columns, and the definitions of views.", () -> listing = true);
        arguments.number(
                "--time-limit",
                "SECONDS",
                1,
                "End a query that takes longer (default: none is ended).",
                given -> seconds = given);
        targets.declare(arguments);
        arguments.examples(
                "lockstep sql run/ \"SELECT * FROM slow_ranks\"",
                "lockstep sql data/ \"SELECT * FROM outlier_kernels LIMIT 10\" --json");
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        if (listing && (script != null || targets.areGiven())) {
            throw invalid("--list takes neither a query nor an output", null);
        }
        demandJoined();
        String query = query();
        List<String> inputs = query != null && script == null ? words.subList(0, words.size() - 1) : words;
        if (words.size() == 1 && isQuery(words.getFirst())) {
            throw invalid("nothing to ask", "Name a dataset, traces or a report before the query.");
        }
        if (inputs.contains("")) {
            throw invalid("an empty word names no file and no folder", "Name a dataset, traces or a report.");
        }
        List<Path> files = targets.files(inputs);
        try (Lockstep lockstep = Inputs.open(global);
                Output output = new Output()) {
            Path columns = targets.columns(output);
            try (QuerySources sources = QuerySources.of(lockstep, inputs, columns)) {
                sources.database().limit(seconds);
                if (listing) {
                    SqlCatalogue.print(sources, out);
                } else if (targets.areGiven()) {
                    targets.write(sources.database(), given(query), columns, output, out);
                    output.commit();
                } else if (query == null && Progress.isTerminal()) {
                    SqlPrompt.run(sources, out);
                } else {
                    show(sources.database(), given(query), out);
                }
                if (!targets.arePrinted() && !global.quiet()) {
                    files.forEach(file -> out.println("wrote " + file));
                }
                RankSet<Kept> ranks = sources.ranks();
                if (ranks != null) {
                    RankArguments.report(ranks, err);
                }
                return global.status(ranks == null || ranks.isComplete());
            } catch (UserException e) {
                throw script == null ? e : new UserException(e.code(), script + ": " + e.getMessage(), e.hint(), e);
            }
        }
    }

    /** A file that stands behind an option as a word of its own is no file of that option. */
    private void demandJoined() {
        String option = targets.withoutFile();
        if (option == null) {
            return;
        }
        String last = words.getLast();
        boolean queryBefore = words.subList(0, words.size() - 1).stream().anyMatch(SqlCommand::isQuery);
        if (queryBefore && !last.strip().contains(" ")) {
            throw invalid(
                    last + " is taken for a query or an input, not for the file of " + option,
                    "Join them: " + option + "=" + last + ".");
        }
    }

    private void show(QueryDatabase database, String query, PrintWriter out) throws IOException {
        try (QueryAnswer rows = database.query(query)) {
            new TextRows(Progress.width(), !global.quiet()).write(rows, out);
        }
    }

    private static String given(@Nullable String query) throws IOException {
        return query != null ? query : new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
    }

    /** The query, null where none is given. */
    private @Nullable String query() throws IOException {
        if (script != null) {
            return NamedFiles.settings(script);
        }
        String last = words.getLast();
        return listing || words.size() == 1 || !last.isBlank() && exists(last) ? null : last;
    }

    /** Whether a word has several words, and is no file. */
    private static boolean isQuery(String word) {
        return word.strip().contains(" ") && !exists(word);
    }

    private static boolean exists(String word) {
        try {
            return Files.exists(FileNames.path(word));
        } catch (InvalidPathException e) {
            return false;
        }
    }

    private static UserException invalid(String message, @Nullable String hint) {
        return new UserException(ErrorCode.OPTION_INVALID, message, hint);
    }
}
