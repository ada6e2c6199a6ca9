// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.session;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import dev.lockstep.model.TraceFormat;
import dev.lockstep.read.OtherFormats;
import dev.lockstep.read.TraceReader;
import dev.lockstep.read.execution.ExecutionTraceReader;
import dev.lockstep.timeline.TraceWriter;
import dev.lockstep.write.ReportWriter;
import dev.lockstep.write.StyledWorkbookWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * Finds readers by content and writers by name, among what is built in and what other modules bring.
 *
 * @hidden for the program's own modules
 */
@SuppressWarnings("exports")
public final class Registry {
    /** Knows what is built in; other modules are asked when they are needed. */
    public Registry() {}

    /**
     * The reader for a file that begins like this: a built-in one, else one that another module brings.
     *
     * @param isCut whether the file lacks an end, as far as it was unpacked
     */
    TraceReader readerFor(String source, byte[] head, boolean isCut) throws TraceFormatException {
        if (ExecutionTraceReader.recognises(head)) {
            throw new TraceFormatException(
                    ErrorCode.FORMAT_UNKNOWN,
                    source,
                    firstByte(head),
                    "this is an execution trace of PyTorch, which holds operators, not what ran when",
                    "'lockstep info', 'lockstep kernels extract' and 'lockstep replay plan' take it. Here, give the"
                            + " trace that the profiler exported.");
        }
        OtherFormats.Other other = OtherFormats.of(head).orElse(null);
        if (other != null) {
            throw new TraceFormatException(
                    ErrorCode.FORMAT_UNKNOWN, source, firstByte(head), "this is " + other.title(), other.hint());
        }
        Optional<TraceReader> found = recognising(head);
        if (found.isPresent()) {
            return found.get();
        }
        List<String> formats = new ArrayList<>(
                Builtins.READERS.stream().map(reader -> reader.format().id()).toList());
        ServiceLoader.load(TraceReader.class)
                .forEach(reader -> formats.add(reader.format().id()));
        String problem = head.length == 0
                ? isCut
                        ? "the packed file was cut before its first byte of content, expected a trace"
                        : "the file is empty, expected a trace"
                : "expected a trace in a known format (" + String.join(", ", formats) + "), found " + describe(head);
        throw new TraceFormatException(
                ErrorCode.FORMAT_UNKNOWN,
                source,
                firstByte(head),
                problem,
                new TraceFormats().named(source).orElse(TraceFormat.KINETO).hint());
    }

    /** The first reader that takes content that begins like this for its own; others than built-in ones are asked last. */
    static Optional<TraceReader> recognising(byte[] head) {
        for (TraceReader reader : Builtins.READERS) {
            if (reader.recognises(head)) {
                return Optional.of(reader);
            }
        }
        for (TraceReader reader : ServiceLoader.load(TraceReader.class)) {
            if (reader.recognises(head)) {
                return Optional.of(reader);
            }
        }
        return Optional.empty();
    }

    /**
     * {@return all writers of reports, in the order in which options name them: those of folders, then those that are
     * written where nothing is asked for; what other modules bring before what is built in} To find other modules takes
     * a while.
     */
    public List<ReportWriter> reportWriters() {
        List<ReportWriter> writers = new ArrayList<>();
        ServiceLoader.load(ReportWriter.class).forEach(writers::add);
        writers.addAll(Builtins.REPORT_WRITERS);
        writers.sort(Comparator.comparing((ReportWriter writer) -> !writer.isFolder())
                .thenComparing(writer -> !writer.isStandard()));
        return List.copyOf(writers);
    }

    /**
     * {@return the writer of reports with this name}
     *
     * @param id name of the format, as in {@code csv}
     * @throws UserException when nothing here writes it
     */
    public ReportWriter writer(String id) {
        return named(id, Builtins.REPORT_WRITERS)
                .or(() -> named(id, reportWriters()))
                .orElseThrow(() -> new UserException(
                        ErrorCode.MODULE_MISSING,
                        "nothing here writes " + id + " files",
                        "Workbooks need the artifact lockstep-publish. Put it on the class path."));
    }

    private static Optional<ReportWriter> named(String id, List<ReportWriter> writers) {
        return writers.stream().filter(writer -> writer.id().equals(id)).findFirst();
    }

    /**
     * {@return what writes workbooks whose looks matter}
     *
     * @throws UserException when nothing here writes them
     */
    public StyledWorkbookWriter styledWorkbooks() {
        return ServiceLoader.load(StyledWorkbookWriter.class)
                .findFirst()
                .orElseThrow(() -> new UserException(
                        ErrorCode.MODULE_MISSING,
                        "nothing here writes workbooks",
                        "Workbooks need the artifact lockstep-publish. Put it on the class path."));
    }

    /**
     * {@return the writer of traces whose ending the file's name has; the longest ending wins}
     *
     * @param file the file to write
     * @throws UserException when no writer has its ending
     */
    public TraceWriter traceWriterFor(Path file) {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        TraceWriter best = null;
        int longest = 0;
        for (TraceWriter writer : traceWriters()) {
            for (String ending : writer.endings()) {
                if (name.endsWith(ending) && ending.length() > longest) {
                    best = writer;
                    longest = ending.length();
                }
            }
        }
        if (best == null) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    file + ": nothing writes traces with this ending",
                    "Known endings: " + String.join(", ", traceEndings()));
        }
        return best;
    }

    /** {@return endings of files of traces that are written, with their dots} */
    public List<String> traceEndings() {
        return traceWriters().stream()
                .flatMap(writer -> writer.endings().stream())
                .toList();
    }

    private static List<TraceWriter> traceWriters() {
        List<TraceWriter> writers = new ArrayList<>(Builtins.TRACE_WRITERS);
        ServiceLoader.load(TraceWriter.class).forEach(writers::add);
        return writers;
    }

    private static int firstByte(byte[] head) {
        int p = 0;
        while (p < head.length && (head[p] == ' ' || head[p] == '\n' || head[p] == '\r' || head[p] == '\t')) {
            p++;
        }
        return p;
    }

    private static String describe(byte[] head) {
        int p = firstByte(head);
        if (p == head.length) {
            return "only white space";
        }
        int first = head[p] & 0xFF;
        int second = p + 1 < head.length ? head[p + 1] & 0xFF : 0;
        if (first == 0xFF && second == 0xFE || first == 0xFE && second == 0xFF) {
            return "UTF-16 text, which must be turned into UTF-8 first";
        }
        return first > ' ' && first < 0x7F ? "'" + (char) first + "'" : "byte 0x" + Integer.toHexString(first);
    }
}
