// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import dev.lockstep.codec.PrefixedSource;
import dev.lockstep.dataset.DatasetFolder;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.TraceFormat;
import dev.lockstep.read.OtherFormats;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.execution.ExecutionTraceReader;
import dev.lockstep.session.Builtins;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What something that was named on a command line is, told by its content, and what to do with it. Asked where a command
 * cannot use it.
 *
 * @param title what it is, with its article
 * @param takers commands that take it
 * @param use what else there is to say; a sentence, or empty
 */
public record FileKind(String title, List<String> takers, String use) {
    private record Rule(Pattern head, FileKind kind) {}

    private static final int HEAD = 4096;
    private static final Pattern EVENTS = Pattern.compile("\"traceEvents\"|\"ph\"\\s*:");

    private static final FileKind TRACE = new FileKind("a trace", List.of("report", "info", "view"), "");

    private static final FileKind DATABASE = new FileKind(
            "an SQLite database", List.of("report", "goal generate"), "It must be an export of Nsight Systems.");

    private static final FileKind SCHEDULE =
            new FileKind("a GOAL schedule", List.of("goal verify", "goal simulate", "goal report"), "");

    private static final FileKind EXECUTION_TRACE =
            new FileKind("an execution trace of PyTorch", List.of("info", "kernels extract", "replay plan"), "");

    /** By the first bytes as they lie on the disk. */
    private static final List<Rule> PACKED = List.of(
            rule(
                    "^PK\\x03\\x04(?s:.{26}.{0,200}/data\\.pkl)",
                    "a checkpoint of PyTorch",
                    List.of(),
                    "It is a model, not a trace."),
            rule(
                    "^PK\\x03\\x04(?s:.{26})(\\[Content_Types\\]|xl/|_rels/|docProps/)",
                    "a workbook",
                    List.of("compare", "sql"),
                    "It must be of a finished report."),
            rule("^\\x89PNG|^\\xFF\\xD8\\xFF|^GIF8", "a picture", List.of(), ""));

    /** By the first bytes of the unpacked content; what is there is asked before {@link OtherFormats}. */
    private static final List<Rule> UNPACKED = List.of(
            rule(
                    "^NVIDIA Tegra Profiler Report",
                    "a recording of Nsight Systems (.nsys-rep)",
                    List.of(),
                    "With --export, every command exports it where nsys is installed."),
            rule(
                    "^PAR1",
                    "a Parquet file",
                    List.of("sql", "compare", "stragglers --table"),
                    "It must be of a finished report, or list operations."),
            new Rule(Pattern.compile("^SQLite format 3\\x00"), DATABASE),
            rule("^(\\s*//[^\\n]*\\n)*+\\s*num_ranks\\s+\\d", SCHEDULE.title, SCHEDULE.takers, ""),
            rule("^\\x7F\\x10\\x00\\x00\\x00\\x00\\x00\\x00", SCHEDULE.title, SCHEDULE.takers, ""),
            rule(
                    "^\\s*\\{\\s*\"format\"\\s*:\\s*\"lockstep-replay-plan\"",
                    "a plan of a replay",
                    List.of("replay run", "replay export"),
                    ""),
            rule(
                    "^\\s*\\{\\s*\"format\"\\s*:\\s*\"lockstep-replay-result\"",
                    "a result of a replay",
                    List.of("replay compare", "replay energy"),
                    ""),
            rule(
                    "^\\s*\\{\\s*\"format\"\\s*:\\s*\\{\\s*\"name\"\\s*:\\s*\"lockstep",
                    "a finished report as JSON",
                    List.of(),
                    "It is for other programs. 'lockstep compare' takes the workbook or the CSV files of the "
                            + "report."),
            rule(
                    "^(?i:\\s*<(!doctype html|html))",
                    "a page for a browser",
                    List.of(),
                    "Open it there. 'lockstep compare' takes the workbook or the CSV files of a report."),
            rule("^\\s*<(\\?xml|svg)", "an XML document", List.of(), ""),
            rule("^%PDF-", "a PDF document", List.of(), ""),
            rule("^\\x7FELF|^MZ|^\\xCF\\xFA\\xED\\xFE", "a program", List.of(), ""));

    /** A pickle that is none of {@link OtherFormats}. */
    private static final Rule PICKLE = rule(
            "^\\x80[\\x02-\\x05]", "a pickle", List.of("memory"), "It must be from torch.cuda.memory._dump_snapshot.");

    private static final FileKind CSV = new FileKind(
            "a CSV file", List.of("compare", "sql"), "To compare, it must be a sheet of a finished report.");

    private static final FileKind YAML = new FileKind(
            "a YAML file", List.of("config run", "sweep run"), "It must be the configuration of a training.");

    private static final FileKind TEXT = new FileKind("text", List.of(), "");

    /** By the name, behind which the first bytes stand as they lie on the disk. */
    private static final List<Rule> OTHERWISE = List.of(
            rule(
                    "^.*\\nPK\\x03\\x04",
                    "a ZIP archive",
                    List.of(),
                    "Traces are read from archives whose first file is one."),
            new Rule(Pattern.compile("^.*(?i:\\.csv)\\n"), CSV),
            new Rule(Pattern.compile("^.*(?i:\\.ya?ml)\\n"), YAML),
            new Rule(Pattern.compile("^.*\\n[^\\s{\\[][\\t\\r\\n -~\\x80-\\xFF]+\\z"), TEXT));

    private static Rule rule(String head, String title, List<String> takers, String use) {
        return new Rule(Pattern.compile(head), new FileKind(title, takers, use));
    }

    /** Whether it is a trace, of whatever format. */
    public boolean isTrace() {
        return this.equals(TRACE);
    }

    /** Whether it is what people write as settings. */
    boolean mayBeSettings() {
        return equals(CSV) || equals(YAML) || equals(TEXT);
    }

    /** Whether what takes traces takes it, and says itself what is wrong with it. */
    boolean mayHoldTraces() {
        return isTrace() || equals(DATABASE);
    }

    /**
     * What it is, who takes it, and what else there is to say; sentences.
     *
     * @param said before: what stands there is not said again
     */
    String advice(String said) {
        int last = takers.size() - 1;
        String names = last < 0
                ? ""
                : last == 0
                        ? quoted(takers)
                        : quoted(takers.subList(0, last)) + " and " + quoted(takers.subList(last, last + 1));
        String what = said.contains("this is " + title) ? "" : "This is " + title + ".";
        String taken = last < 0 ? "" : names + (last == 0 ? " takes it." : " take it.");
        return Stream.of(what, taken, use)
                .filter(sentence -> !sentence.isEmpty() && !said.contains(sentence))
                .collect(Collectors.joining(" "));
    }

    private static String quoted(List<String> commands) {
        return commands.stream().map(name -> "'lockstep " + name + "'").collect(Collectors.joining(", "));
    }

    /** Whether a folder has no file in it, however deep; false for all else. */
    static boolean isEmptyFolder(Path path) {
        if (!Files.isDirectory(path)) {
            return false;
        }
        try (Stream<Path> below = Files.walk(path)) {
            return below.noneMatch(file -> !Files.isDirectory(file));
        } catch (IOException | UncheckedIOException e) {
            return false; // what may not be listed may hold something
        }
    }

    /** The kind of a file or folder; empty where it is none of those known here, or cannot be looked at. */
    public static Optional<FileKind> of(Path path) {
        try {
            if (Files.isDirectory(path)) {
                return ofFolder(path);
            }
            if (!Files.isRegularFile(path)) {
                return Optional.empty();
            }
            String head = packedHead(path);
            Optional<FileKind> packed = first(PACKED, head);
            return packed.isPresent() ? packed : ofContent(path).or(() -> first(OTHERWISE, name(path) + "\n" + head));
        } catch (IOException | UncheckedIOException e) {
            return Optional.empty(); // the message of the command stands
        }
    }

    private static Optional<FileKind> ofContent(Path path) throws IOException {
        try (PrefixedSource content = TraceInput.of(path).open(new Diagnostics())) {
            byte[] head = content.head();
            String text = new String(head, 0, Math.min(head.length, HEAD), StandardCharsets.ISO_8859_1);
            return ExecutionTraceReader.recognises(head)
                    ? Optional.of(EXECUTION_TRACE)
                    : first(UNPACKED, text)
                            .or(() -> OtherFormats.of(head).map(other -> ofOther(other, path)))
                            .or(() -> first(List.of(PICKLE), text))
                            .or(() -> isTrace(head) ? Optional.of(TRACE) : Optional.empty());
        }
    }

    /** Any table can be asked in SQL. */
    private static FileKind ofOther(OtherFormats.Other other, Path path) {
        boolean table = name(path).toLowerCase(Locale.ROOT).endsWith(".csv");
        return new FileKind(other.title(), table ? List.of("sql") : List.of(), other.hint());
    }

    /** Whether it is a trace beyond doubt: any JSON is tried as one of Kineto's. */
    private static boolean isTrace(byte[] head) {
        return Builtins.READERS.stream()
                .filter(reader -> reader.recognises(head))
                .anyMatch(reader -> !reader.format().equals(TraceFormat.KINETO)
                        || EVENTS.matcher(new String(head, StandardCharsets.ISO_8859_1))
                                .find());
    }

    private static String packedHead(Path path) throws IOException {
        try (InputStream in = NamedFiles.in(path.toString(), path)) {
            return new String(in.readNBytes(HEAD), StandardCharsets.ISO_8859_1);
        }
    }

    private static Optional<FileKind> first(List<Rule> rules, String head) {
        return rules.stream()
                .filter(rule -> rule.head.matcher(head).find())
                .map(Rule::kind)
                .findFirst();
    }

    private static Optional<FileKind> ofFolder(Path folder) throws IOException {
        if (Files.exists(folder.resolve(DatasetFolder.MARK))) {
            return Optional.of(new FileKind("a dataset", List.of("sql", "fleet"), ""));
        }
        if (holds(folder, name -> name.equals("report.html") || name.equals("report.xlsx"))
                || holds(folder.resolve("csv"), name -> name.endsWith(".csv"))) {
            return Optional.of(new FileKind(
                    "the folder of a finished report", List.of("compare", "sql"), "The traces lie elsewhere."));
        }
        if (holds(folder, name -> name.matches("\\d+thread"))) {
            return Optional.of(new FileKind(
                    "the folder of a sweep", List.of("sweep all"), "'lockstep report' takes one of its runs."));
        }
        return Optional.empty();
    }

    private static boolean holds(Path folder, Predicate<String> name) throws IOException {
        if (!Files.isDirectory(folder)) {
            return false;
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(FileKind::name).anyMatch(name);
        }
    }

    private static String name(Path path) {
        return String.valueOf(path.getFileName());
    }
}
