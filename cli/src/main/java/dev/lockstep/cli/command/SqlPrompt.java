// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.ExitStatus;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.UserException;
import dev.lockstep.sql.QueryAnswer;
import dev.lockstep.sql.QueryDatabase;
import dev.lockstep.sql.QuerySources;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jline.reader.EOFError;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser.ParseContext;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.DefaultParser;
import org.jline.reader.impl.completer.StringsCompleter;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/**
 * A prompt for queries, which end in a semicolon. It completes words of SQL and names of tables and columns, and remembers what
 * was asked. Ctrl-C ends a query or forgets a line; Ctrl-D, {@code exit} and {@code quit} end the prompt; {@code help}, and
 * whatever begins with a point or a backslash, as commands of other prompts do, says what there is.
 */
final class SqlPrompt {
    private static final List<String> WORDS = List.of(
            "SELECT",
            "FROM",
            "WHERE",
            "GROUP BY",
            "ORDER BY",
            "LIMIT",
            "HAVING",
            "JOIN",
            "LEFT JOIN",
            "USING",
            "WITH",
            "AS",
            "AND",
            "OR",
            "NOT",
            "IN",
            "LIKE",
            "IS NULL",
            "CASE WHEN",
            "DESC",
            "DISTINCT",
            "UNION ALL",
            "count(*)",
            "sum(",
            "avg(",
            "min(",
            "max(",
            "median(",
            "quantile_cont(",
            "DESCRIBE",
            "SUMMARIZE",
            "SHOW TABLES",
            "EXPLAIN",
            "help",
            "exit");

    private static final Pattern ENTRY = Pattern.compile("\\d{1,18}:");

    private static final FileAttribute<?> OWNERS_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private SqlPrompt() {}

    /** Asks what the user types until there is no more. */
    static int run(QuerySources sources, PrintWriter out) throws IOException {
        try (Terminal terminal = TerminalBuilder.builder().name("lockstep sql").build()) {
            out.flush();
            return run(sources.database(), terminal, history());
        }
    }

    static int run(QueryDatabase database, Terminal terminal, Path history) throws IOException {
        LineReaderBuilder builder = LineReaderBuilder.builder()
                .terminal(terminal)
                .appName("lockstep")
                .parser(new WholeQueries())
                .completer(new StringsCompleter(words(database)))
                .variable(LineReader.SECONDARY_PROMPT_PATTERN, "   > ")
                .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
                .option(LineReader.Option.CASE_INSENSITIVE, true);
        if (isKept(history)) {
            if (isWhole(history)) {
                builder.variable(LineReader.HISTORY_FILE, history);
            } else {
                terminal.writer().println(history + " is damaged: it is not used, nor changed.");
            }
        }
        LineReader reader = builder.build();
        help(database, terminal.writer());
        terminal.handle(Terminal.Signal.INT, signal -> database.cancel());
        while (true) {
            String query;
            try {
                query = reader.readLine("sql> ").strip();
            } catch (UserInterruptException e) {
                continue;
            } catch (EndOfFileException e) {
                return ExitStatus.COMPLETE;
            }
            if (isEnd(query)) {
                return ExitStatus.COMPLETE;
            }
            if (isHelp(query)) {
                help(database, terminal.writer());
            } else if (!query.isEmpty()) {
                answer(database, query, terminal);
            }
        }
    }

    private static void help(QueryDatabase database, PrintWriter out) throws IOException {
        out.println("Tables: " + String.join(", ", database.tables()));
        out.println("Queries end in a semicolon. Tab completes; DESCRIBE TABLE; names columns; Ctrl-D ends.");
    }

    private static void answer(QueryDatabase database, String query, Terminal terminal) throws IOException {
        PrintWriter out = terminal.writer();
        try (QueryAnswer rows = database.query(query)) {
            new TextRows(terminal.getWidth(), true).write(rows, out);
        } catch (UserException e) {
            out.println(e.getMessage());
            if (e.hint() != null) {
                out.println("Hint: " + e.hint());
            }
        }
        out.flush();
    }

    private static boolean isEnd(String line) {
        String word = word(line);
        return word.equals("exit") || word.equals("quit") || word.equals(".exit") || word.equals(".quit");
    }

    private static boolean isHelp(String line) {
        return line.startsWith(".")
                || line.startsWith("\\")
                || word(line).equals("help")
                || word(line).equals("?");
    }

    private static String word(String line) {
        return line.replace(";", "").strip().toLowerCase(Locale.ROOT);
    }

    private static List<String> words(QueryDatabase database) throws IOException {
        TreeSet<String> words = new TreeSet<>(WORDS);
        for (String table : database.tables()) {
            words.add(named(table));
            database.columns(table).keySet().forEach(column -> words.add(named(column)));
        }
        return new ArrayList<>(words);
    }

    private static String named(String name) {
        return name.matches("[A-Za-z_][A-Za-z0-9_]*") ? name : '"' + name.replace("\"", "\"\"") + '"';
    }

    /** Where other programs keep such things, too: {@code $XDG_STATE_HOME}, else {@code ~/.local/state}. */
    private static Path history() {
        String state = System.getenv("XDG_STATE_HOME");
        return (state == null || state.isEmpty()
                        ? Path.of(System.getProperty("user.home"), ".local", "state")
                        : Path.of(state))
                .resolve("lockstep")
                .resolve("sql-history");
    }

    /** Makes a history that nobody else can read, where there is none; false where none can be. */
    private static boolean isKept(Path history) {
        try {
            boolean posix =
                    history.getFileSystem().supportedFileAttributeViews().contains("posix");
            Files.createDirectories(history.toAbsolutePath().getParent());
            Files.createFile(history, posix ? new FileAttribute<?>[] {OWNERS_ONLY} : new FileAttribute<?>[0]);
            return true;
        } catch (FileAlreadyExistsException e) {
            return Files.isRegularFile(history) && Files.isWritable(history);
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether all lines are what the library writes: a time and what was typed. It reads nothing else. */
    private static boolean isWhole(Path history) {
        try {
            return NamedFiles.lines(history).stream()
                    .allMatch(line -> ENTRY.matcher(line).lookingAt());
        } catch (IOException e) {
            return false;
        }
    }

    /** A line is read on until a semicolon ends it. */
    private static final class WholeQueries extends DefaultParser {
        private WholeQueries() {
            setEscapeChars(new char[0]);
            setQuoteChars(new char[0]);
        }

        @Override
        public ParsedLine parse(String line, int cursor, ParseContext context) {
            String text = line.strip();
            boolean whole = text.isEmpty() || text.endsWith(";") || isEnd(text) || isHelp(text);
            if (context == ParseContext.ACCEPT_LINE && !whole) {
                throw new EOFError(-1, cursor, "a semicolon ends a query");
            }
            return super.parse(line, cursor, context);
        }
    }
}
