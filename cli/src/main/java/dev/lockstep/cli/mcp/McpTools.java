// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.mcp;

import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.Main;
import dev.lockstep.cli.command.Questions;
import dev.lockstep.codec.Json;
import dev.lockstep.codec.JsonObject;
import dev.lockstep.codec.JsonOut;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.UserException;
import dev.lockstep.runs.ReportFiles;
import dev.lockstep.write.ScratchFolder;
import dev.lockstep.write.Unicode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The tools: command lines of the program that read and write nothing but their answer, which has at most {@value #MOST_BYTES} bytes. */
final class McpTools {
    static final int MOST_BYTES = 24_000;

    static final List<String> NAMES = List.of("report", "ask", "sql", "compare", "timeline");

    private static final int MOST_ROWS = 500;
    private static final int USUAL_ROWS = 50;
    private static final int LONGEST_TEXT = 500;
    private static final int SECONDS = 60;

    /** What is said about a page and about a failure. */
    private static final int MARGIN = 1_000;

    private static final String WHERE =
            "File or folder below the server's folders: the trace of one rank, or all ranks of a run.";

    private final McpRoots roots;
    private final String jobs;

    McpTools(McpRoots roots, int jobs) {
        this.roots = roots;
        this.jobs = Integer.toString(jobs);
    }

    /** What a call came to: JSON, or what is wrong. */
    record Outcome(String text, boolean failed) {}

    static List<JsonObject> descriptions() {
        return List.of(
                tool(
                        "report",
                        "Verdict, actions with their gain, findings and trust of a trace or run, below 8 kB.",
                        Map.of("path", text(WHERE)),
                        List.of("path")),
                tool(
                        "ask",
                        "Answers one question by name with cells of one table. Numbers are those of the table.",
                        paged(Map.of(
                                "path",
                                text(WHERE),
                                "question",
                                text("Which question").with("enum", Questions.names()))),
                        List.of("path", "question")),
                tool(
                        "sql",
                        "Runs one reading query in DuckDB's SQL over the tables of a trace, run, dataset or finished report."
                                + " SHOW TABLES and DESCRIBE tell what there is. Times are in ns.",
                        paged(Map.of("path", text(WHERE), "query", text("One query that reads"))),
                        List.of("path", "query")),
                tool(
                        "compare",
                        "What sets two traces, or two finished reports, apart and what each cause contributes.",
                        Map.of("baseline", text(WHERE), "candidate", text(WHERE)),
                        List.of("baseline", "candidate")),
                tool(
                        "timeline",
                        "What ran in a window of time, by start: slices of threads and streams.",
                        paged(Map.of(
                                "path",
                                text(WHERE),
                                "from_ns",
                                whole("Begin of the window, in ns after the origin of the run"),
                                "to_ns",
                                whole("End of the window"))),
                        List.of("path", "from_ns", "to_ns")));
    }

    private static JsonObject tool(
            String name, String description, Map<String, JsonObject> properties, List<String> required) {
        JsonObject members = new JsonObject();
        properties.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(entry -> members.with(entry.getKey(), entry.getValue()));
        return new JsonObject()
                .with("name", name)
                .with("description", description)
                .with(
                        "inputSchema",
                        new JsonObject()
                                .with("type", "object")
                                .with("properties", members)
                                .with("required", required)
                                .with("additionalProperties", false))
                .with("annotations", new JsonObject().with("readOnlyHint", true).with("openWorldHint", false));
    }

    private static Map<String, JsonObject> paged(Map<String, JsonObject> properties) {
        Map<String, JsonObject> all = new LinkedHashMap<>(properties);
        all.put("limit", whole("Most rows of this page, at most " + MOST_ROWS + " (default " + USUAL_ROWS + ")"));
        all.put("offset", whole("Rows before this page: next_offset of the page before (default 0)"));
        return all;
    }

    private static JsonObject text(String description) {
        return new JsonObject().with("type", "string").with("description", description);
    }

    private static JsonObject whole(String description) {
        return new JsonObject().with("type", "integer").with("description", description);
    }

    /** Runs a tool. What is wrong with its arguments or inputs is said in the outcome. */
    Outcome call(String name, Json.Members arguments) {
        try (ScratchFolder scratch = ScratchFolder.temporary()) {
            return switch (name) {
                case "report" -> summary(scratch.path(), "report", path(arguments, "path"));
                case "ask" ->
                    paged(said("ask", path(arguments, "path"), word(arguments, "question"), "--json"), arguments, 0);
                case "sql" -> asked(path(arguments, "path"), word(arguments, "query"), arguments, scratch.path());
                case "compare" -> compared(scratch.path(), path(arguments, "baseline"), path(arguments, "candidate"));
                default -> asked(path(arguments, "path"), window(arguments), arguments, scratch.path());
            };
        } catch (UserException e) {
            return new Outcome(cut(e.getMessage() + (e.hint() == null ? "" : "\nHint: " + e.hint())), true);
        } catch (IOException e) {
            return new Outcome(cut(e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage()), true);
        }
    }

    // ---- tools ----

    private Outcome summary(Path scratch, String command, String... inputs) throws IOException {
        Path file = scratch.resolve("summary.json");
        List<String> line = new ArrayList<>(List.of(command));
        line.addAll(List.of(inputs));
        line.addAll(List.of("--json-summary", file.toString()));
        Outcome outcome = said(line.toArray(String[]::new));
        return outcome.failed() ? outcome : new Outcome(NamedFiles.text(file).strip(), false);
    }

    private Outcome compared(Path scratch, String baseline, String candidate) throws IOException {
        boolean finished = isReport(Path.of(baseline)) && isReport(Path.of(candidate));
        return summary(scratch, finished ? "compare" : "diff", baseline, candidate);
    }

    private static boolean isReport(Path path) throws IOException {
        return !ReportFiles.files(List.of(path)).isEmpty() && (path.toString().endsWith(".xlsx") || hasSheets(path));
    }

    private static boolean hasSheets(Path folder) throws IOException {
        for (Path place : List.of(folder, folder.resolve("csv"))) {
            if (Files.isDirectory(place)) {
                try (var files = Files.list(place)) {
                    if (files.anyMatch(file -> file.toString().endsWith(".csv"))) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private static String window(Json.Members arguments) {
        long from = arguments.whole("from_ns", Long.MIN_VALUE);
        long to = arguments.whole("to_ns", Long.MIN_VALUE);
        if (from == Long.MIN_VALUE || to == Long.MIN_VALUE) {
            throw invalid("timeline wants whole numbers from_ns and to_ns");
        }
        return "SELECT rank, kind, name, process, thread, device, stream, ts_ns, dur_ns FROM slices WHERE ts_ns < " + to
                + " AND ts_ns + dur_ns >= " + from + " ORDER BY ts_ns, rank, id";
    }

    /** Asks for one row more than the page has, to know whether there is another. */
    private Outcome asked(String path, String query, Json.Members arguments, Path scratch) throws IOException {
        long offset = offset(arguments);
        Path file = scratch.resolve("query.sql");
        String within = "SELECT * FROM (\n" + query.strip().replaceFirst(";$", "") + "\n) LIMIT "
                + (limit(arguments) + 1) + " OFFSET " + offset;
        try (Writer text = NamedFiles.writer(file)) {
            text.write(within);
        }
        return paged(
                said("sql", path, "--file", file.toString(), "--json", "--time-limit", Integer.toString(SECONDS)),
                arguments,
                offset);
    }

    // ---- running ----

    private Outcome said(String... line) {
        List<String> words = new ArrayList<>(List.of(line));
        words.addAll(List.of("--quiet", "--jobs", jobs));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = Main.run(new PrintWriter(out), new PrintWriter(err), words.toArray(String[]::new));
        boolean answered = status == ExitStatus.COMPLETE || status == ExitStatus.PARTIAL;
        return new Outcome(answered ? out.toString().strip() : cut(err.toString()), !answered);
    }

    // ---- pages ----

    /** The rows of a page as far as they fit, and where the next one begins. */
    private static Outcome paged(Outcome all, Json.Members arguments, long before) throws IOException {
        if (all.failed()) {
            return all;
        }
        Json answer = Json.parse(all.text());
        JsonObject page = new JsonObject();
        List<Json> rows = List.of();
        if (answer instanceof Json.Items(List<Json> items)) {
            rows = items;
        } else if (answer instanceof Json.Members object) {
            object.members().forEach((name, value) -> {
                if (!name.equals("rows")) {
                    page.with(name, new JsonOut.Spelt(value.spelt()));
                }
            });
            rows = object.items("rows");
        }
        long skipped = offset(arguments) - before;
        List<JsonOut.Spelt> shown = new ArrayList<>();
        int bytes = page.toString().length() + MARGIN;
        long next = skipped;
        for (; next < rows.size() && shown.size() < limit(arguments); next++) {
            String row = shortened(rows.get((int) next)).spelt();
            bytes += row.getBytes(StandardCharsets.UTF_8).length + 1;
            if (bytes > MOST_BYTES) {
                break;
            }
            shown.add(new JsonOut.Spelt(row));
        }
        if (shown.isEmpty() && next < rows.size()) {
            throw invalid("a row of this answer is too long; ask for fewer columns");
        }
        page.with("rows", shown);
        page.with("next_offset", next < rows.size() ? before + next : null);
        return new Outcome(page.toString(), false);
    }

    /** With long texts cut. */
    private static Json shortened(Json value) {
        return switch (value) {
            case Json.Text(String text)
            when text.length() > LONGEST_TEXT ->
                new Json.Text(Unicode.wellFormed(text.substring(0, LONGEST_TEXT - 1)) + "…");
            case Json.Members(Map<String, Json> members) -> {
                Map<String, Json> all = new LinkedHashMap<>();
                members.forEach((name, member) -> all.put(name, shortened(member)));
                yield new Json.Members(all);
            }
            default -> value;
        };
    }

    private static int limit(Json.Members arguments) {
        return Math.clamp(arguments.whole("limit", USUAL_ROWS), 1, MOST_ROWS);
    }

    private static long offset(Json.Members arguments) {
        return Math.max(0, arguments.whole("offset", 0));
    }

    // ---- arguments ----

    private String path(Json.Members arguments, String name) throws IOException {
        return roots.demand(word(arguments, name)).toString();
    }

    private static String word(Json.Members arguments, String name) {
        String word = arguments.text(name);
        if (word == null || word.isBlank()) {
            throw invalid("this tool wants a text " + name);
        }
        return word;
    }

    private static String cut(String text) {
        return text.length() <= MARGIN
                ? text.strip()
                : text.substring(0, MARGIN).strip() + "…";
    }

    private static UserException invalid(String message) {
        return new UserException(ErrorCode.OPTION_INVALID, message, null);
    }
}
