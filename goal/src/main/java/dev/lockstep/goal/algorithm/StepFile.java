// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.algorithm;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.goal.algorithm.StepStatement.Assignment;
import dev.lockstep.goal.algorithm.StepStatement.Block;
import dev.lockstep.goal.algorithm.StepStatement.Choice;
import dev.lockstep.goal.algorithm.StepStatement.Loop;
import dev.lockstep.goal.algorithm.StepStatement.Move;
import dev.lockstep.goal.algorithm.StepStatement.Verb;
import dev.lockstep.goal.algorithm.StepStatement.Warps;
import dev.lockstep.goal.algorithm.WholeFormula.Malformed;
import dev.lockstep.goal.algorithm.WholeFormula.Vocabulary;
import dev.lockstep.goal.model.NcclAlgorithm;
import dev.lockstep.goal.recording.NcclFunction;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads files of collective algorithms. They are statements and arithmetic, a line each; what follows # is a comment. */
final class StepFile {
    private static final int MOST_LINES = 2000;
    private static final int LONGEST_LINE = 600;
    private static final int DEEPEST = 16;
    private static final int MOST_WORKERS = 8;
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,39}");
    private static final Pattern VARIABLE = Pattern.compile("[a-z][a-z0-9_]{0,39}");
    private static final Set<NcclFunction> KINDS = EnumSet.of(
            NcclFunction.ALL_REDUCE,
            NcclFunction.ALL_GATHER,
            NcclFunction.REDUCE_SCATTER,
            NcclFunction.BROADCAST,
            NcclFunction.REDUCE);
    private static final Set<String> ABOUT_NODES = Set.of("node", "nodes", "local", "locals", "member");
    private static final Set<String> RESERVED =
            Set.of("min", "max", "xor", "log2", "pow2", "and", "or", "not", "part", "count", "from", "to", "by");
    private static final Map<String, Verb> VERBS =
            Stream.of(Verb.values()).collect(Collectors.toMap(Verb::words, verb -> verb));

    private record Line(int number, String text) {}

    private final String file;
    private final List<Line> lines = new ArrayList<>();
    private int at;
    private int slots = StatedAlgorithm.OWN;
    private boolean needsNodes;
    private boolean needsRound;
    private int workers = 1;

    private StepFile(String file) {
        this.file = file;
    }

    /**
     * Reads a file.
     *
     * @throws TraceFormatException when a line is wrong; the message says which
     */
    static StatedAlgorithm read(Path file) throws IOException {
        return parse(file.toString(), NamedFiles.settings(file));
    }

    /** Reads a text. */
    static StatedAlgorithm parse(String file, String text) throws TraceFormatException {
        StepFile reader = new StepFile(file);
        String[] all = text.split("\\R", MOST_LINES + 2);
        if (all.length > MOST_LINES) {
            throw reader.wrong(MOST_LINES + 1, "a file of at most " + MOST_LINES + " lines was expected", null);
        }
        for (int i = 0; i < all.length; i++) {
            String line = all[i].replaceFirst("#.*", "").strip().replaceAll("\\s+", " ");
            if (line.length() > LONGEST_LINE) {
                throw reader.wrong(i + 1, "a line of at most " + LONGEST_LINE + " characters was expected", null);
            }
            if (!line.isEmpty()) {
                reader.lines.add(new Line(i + 1, line));
            }
        }
        return reader.program();
    }

    private StatedAlgorithm program() throws TraceFormatException {
        Map<String, Line> head = head();
        Line named = needed(head, "algorithm");
        if (!NAME.matcher(rest(named)).matches()) {
            throw expected(named, "a name of small letters, digits and -");
        }
        Line collective = needed(head, "collective");
        NcclFunction kind = NcclFunction.named(rest(collective));
        if (kind == null || !KINDS.contains(kind)) {
            throw expected(
                    collective,
                    "one of " + KINDS.stream().map(NcclFunction::word).sorted().collect(Collectors.joining(", ")));
        }
        Map<String, Integer> names = new HashMap<>(StatedAlgorithm.NAMES);
        names.remove("parts");
        Line groups = head.get("workers");
        if (groups != null) {
            if (!rest(groups).matches("[1-" + MOST_WORKERS + "]")) {
                throw expected(groups, "a number from 1 to " + MOST_WORKERS);
            }
            workers = Integer.parseInt(rest(groups));
        }
        Line parts = head.get("parts");
        if (parts != null && (kind == NcclFunction.ALL_GATHER || kind == NcclFunction.REDUCE_SCATTER)) {
            throw wrong(
                    parts.number, kind.word() + " has a part for each rank", "Leave the line out: parts are ranks.");
        }
        Line onlyIf = head.get("only if");
        WholeFormula condition = onlyIf == null ? null : formula(onlyIf, rest(onlyIf, "only if"), names);
        WholeFormula count = parts == null ? null : formula(parts, rest(parts), names);
        Set<NcclAlgorithm> others = others(head.get("instead of"));
        List<StepStatement> statements = body(new HashMap<>(StatedAlgorithm.NAMES), 0, Set.of());
        return new StatedAlgorithm(
                file, rest(named), kind, others, workers, count, condition, slots, needsNodes, needsRound, statements);
    }

    private Map<String, Line> head() throws TraceFormatException {
        Map<String, Line> head = new HashMap<>();
        List<String> known = List.of("algorithm", "collective", "instead of", "parts", "workers", "only if");
        while (at < lines.size()) {
            Line line = lines.get(at++);
            if (line.text.equals("steps")) {
                return head;
            }
            String key = known.stream()
                    .filter(k -> line.text.startsWith(k + " "))
                    .findFirst()
                    .orElseThrow(() -> expected(line, String.join(", ", known) + " or steps"));
            if (head.put(key, line) != null) {
                throw wrong(line.number, "a second line " + key, null);
            }
        }
        throw wrong(
                lines.isEmpty() ? 1 : lines.getLast().number,
                "there is no line steps",
                "An algorithm begins with the lines algorithm NAME and collective KIND; what a rank does follows the"
                        + " line steps.");
    }

    private Line needed(Map<String, Line> head, String key) throws TraceFormatException {
        Line line = head.get(key);
        if (line == null) {
            throw wrong(1, "there is no line " + key + " before steps", null);
        }
        return line;
    }

    private Set<NcclAlgorithm> others(@Nullable Line line) throws TraceFormatException {
        Set<NcclAlgorithm> others = EnumSet.noneOf(NcclAlgorithm.class);
        if (line == null) {
            return others;
        }
        for (String name : rest(line, "instead of").split(" ?, ?", -1)) {
            others.add(Arrays.stream(NcclAlgorithm.values())
                    .filter(a -> a.name().toLowerCase(Locale.ROOT).equals(name))
                    .findFirst()
                    .orElseThrow(() -> expected(
                            line,
                            "algorithms of NCCL ("
                                    + Stream.of(NcclAlgorithm.values())
                                            .map(a -> a.name().toLowerCase(Locale.ROOT))
                                            .collect(Collectors.joining(", "))
                                    + ")")));
        }
        return others;
    }

    /** Statements up to the line that ends them, which is not taken. */
    private List<StepStatement> body(Map<String, Integer> names, int depth, Set<String> ends)
            throws TraceFormatException {
        List<StepStatement> body = new ArrayList<>();
        while (at < lines.size()) {
            Line line = lines.get(at);
            if (ends.contains(line.text) || (ends.contains("else") && line.text.startsWith("else if "))) {
                return body;
            }
            if (depth > DEEPEST) {
                throw wrong(line.number, "blocks lie more than " + DEEPEST + " deep in each other", null);
            }
            at++;
            body.add(statement(line, names, depth));
        }
        if (!ends.isEmpty()) {
            throw wrong(
                    lines.getLast().number,
                    "the file ends within a block",
                    "for, if, parallel and sequence go on to a line end.");
        }
        return body;
    }

    private StepStatement statement(Line line, Map<String, Integer> names, int depth) throws TraceFormatException {
        String text = line.text;
        if (text.equals("end") || text.equals("else") || text.startsWith("else if ")) {
            throw wrong(line.number, "\"" + text + "\" where no block is open that it could belong to", null);
        }
        if (text.startsWith("let ")) {
            return assignment(line, names);
        } else if (text.startsWith("for ")) {
            return loop(line, names, depth);
        } else if (text.startsWith("if ")) {
            return choice(line, rest(line), names, depth);
        } else if (text.equals("sequence") || text.equals("parallel")) {
            List<StepStatement> body = body(new HashMap<>(names), depth + 1, Set.of("end"));
            at++;
            return new Block(line.number, text.equals("sequence"), body);
        } else if (text.startsWith("worker ")) {
            return new Warps(line.number, formula(line, rest(line), names));
        }
        return move(line, names);
    }

    private StepStatement assignment(Line line, Map<String, Integer> names) throws TraceFormatException {
        Map<String, String> clauses = clauses(line, Set.of("let", "="));
        String name = clauses.get("let");
        String value = clauses.get("=");
        if (name == null || value == null || clauses.size() != 2) {
            throw expected(line, "let NAME = FORMULA");
        }
        WholeFormula formula = formula(line, value, names);
        return new Assignment(line.number, variable(line, name, names), formula);
    }

    private StepStatement loop(Line line, Map<String, Integer> names, int depth) throws TraceFormatException {
        Map<String, String> clauses = clauses(line, Set.of("for", "from", "to", "by"));
        String name = clauses.get("for");
        String first = clauses.get("from");
        String last = clauses.get("to");
        String step = clauses.get("by");
        if (name == null || first == null || last == null || clauses.size() != (step == null ? 3 : 4)) {
            throw expected(line, "for NAME from FORMULA to FORMULA, with by FORMULA if need be");
        }
        WholeFormula from = formula(line, first, names);
        WholeFormula to = formula(line, last, names);
        WholeFormula by = step == null ? values -> 1 : formula(line, step, names);
        Map<String, Integer> inner = new HashMap<>(names);
        int slot = variable(line, name, inner);
        List<StepStatement> body = body(inner, depth + 1, Set.of("end"));
        at++;
        return new Loop(line.number, slot, from, to, by, body);
    }

    private StepStatement choice(Line line, String condition, Map<String, Integer> names, int depth)
            throws TraceFormatException {
        WholeFormula holds = formula(line, condition, names);
        List<StepStatement> then = body(new HashMap<>(names), depth + 1, Set.of("end", "else"));
        Line next = lines.get(at++);
        if (next.text.equals("end")) {
            return new Choice(line.number, holds, then, List.of());
        }
        if (next.text.startsWith("else if ")) {
            if (depth > DEEPEST) {
                throw wrong(next.number, "more than " + DEEPEST + " choices in each other", null);
            }
            return new Choice(line.number, holds, then, List.of(choice(next, rest(next, "else if"), names, depth + 1)));
        }
        List<StepStatement> otherwise = body(new HashMap<>(names), depth + 1, Set.of("end"));
        at++;
        return new Choice(line.number, holds, then, otherwise);
    }

    private StepStatement move(Line line, Map<String, Integer> names) throws TraceFormatException {
        Map<String, String> clauses = clauses(line, Set.of("part", "count", "from", "to"));
        String part = clauses.get("part");
        if (part == null) {
            throw expected(
                    line, "let, for, if, parallel, sequence, worker, or data that moves, as in send part 0 to next");
        }
        Verb verb = VERBS.get(clauses.getOrDefault("", ""));
        if (verb == null) {
            throw expected(
                    line,
                    "one of "
                            + Stream.of(Verb.values()).map(Verb::words).collect(Collectors.joining(", "))
                            + " before part");
        }
        String count = clauses.get("count");
        String from = clauses.get("from");
        String to = clauses.get("to");
        if (verb.receives() != (from != null) || verb.sends() != (to != null)) {
            throw expected(
                    line,
                    verb.words() + " part FORMULA" + (verb.receives() ? " from RANK" : "")
                            + (verb.sends() ? " to RANK" : ""));
        }
        return new Move(
                line.number,
                verb,
                formula(line, part, names),
                count == null ? null : formula(line, count, names),
                from == null ? null : formula(line, from, names),
                to == null ? null : formula(line, to, names));
    }

    /** What stands behind each of the words that divide a line; behind the empty one what stands before the first. */
    private Map<String, String> clauses(Line line, Set<String> words) throws TraceFormatException {
        Map<String, String> clauses = new HashMap<>();
        String word = "";
        List<String> behind = new ArrayList<>();
        for (String next : (line.text + " ").split(" ", -1)) {
            String key = next.equals("parts") && word.isEmpty() ? "part" : next;
            if (!words.contains(key) && !next.isEmpty()) {
                behind.add(next);
                continue;
            }
            if (clauses.put(word, String.join(" ", behind)) != null) {
                throw wrong(line.number, "a second " + word, null);
            }
            word = key;
            behind.clear();
            if (next.isEmpty()) {
                break;
            }
        }
        if (clauses.getOrDefault("", "").isEmpty()) {
            clauses.remove("");
        }
        return clauses;
    }

    private int variable(Line line, String name, Map<String, Integer> names) throws TraceFormatException {
        if (!VARIABLE.matcher(name).matches()
                || RESERVED.contains(name)
                || StatedAlgorithm.NAMES.containsKey(name)
                || StatedAlgorithm.FUNCTIONS.containsKey(name)) {
            throw wrong(
                    line.number,
                    "\"" + name + "\" cannot be a name of yours",
                    "Names are small letters, digits and _, and none that already mean something.");
        }
        return names.computeIfAbsent(name, n -> slots++);
    }

    private WholeFormula formula(Line line, String text, Map<String, Integer> names) throws TraceFormatException {
        try {
            WholeFormula formula =
                    WholeFormula.parse(text, new Vocabulary(names, StatedAlgorithm.FUNCTIONS, StatedAlgorithm.PAIRS));
            List<String> words = List.of(text.split("\\W+"));
            needsNodes |= words.stream().anyMatch(ABOUT_NODES::contains);
            needsRound |= words.contains("chunk");
            return formula;
        } catch (Malformed e) {
            throw new TraceFormatException(
                    ErrorCode.FORMAT_CORRUPT,
                    file,
                    -1,
                    "line " + line.number + ": " + text + ": expected " + e.getMessage(),
                    null);
        }
    }

    private static String rest(Line line) {
        return line.text.substring(line.text.indexOf(' ') + 1);
    }

    private static String rest(Line line, String key) {
        return line.text.substring(key.length() + 1);
    }

    private TraceFormatException expected(Line line, String what) {
        return wrong(line.number, "expected " + what + ", found \"" + line.text + "\"", null);
    }

    private TraceFormatException wrong(int line, String problem, @Nullable String hint) {
        return new TraceFormatException(ErrorCode.FORMAT_CORRUPT, file, -1, "line " + line + ": " + problem, hint);
    }
}
