// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.session;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import dev.lockstep.read.TraceReader;
import dev.lockstep.read.execution.ExecutionTraceReader;
import dev.lockstep.write.ReportWriter;
import dev.lockstep.write.StyledWorkbookWriter;
import dev.lockstep.write.TraceWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;

/** Finds readers by content and writers by name, among what is built in and what other modules bring. */
public final class Registry {
    /** The reader for a file that begins like this: a built-in one, else one that another module brings. */
    TraceReader readerFor(String source, byte[] head) throws TraceFormatException {
        if (ExecutionTraceReader.recognises(head)) {
            throw new TraceFormatException(
                    ErrorCode.FORMAT_UNKNOWN,
                    source,
                    firstByte(head),
                    "this is an execution trace (ET) of PyTorch, which holds operators, not what ran when",
                    "'lockstep info', 'lockstep kernels extract' and 'lockstep replay plan' take it. Here, give the"
                            + " trace that the profiler exported.");
        }
        for (TraceReader reader : Builtins.READERS) {
            if (reader.recognises(head)) {
                return reader;
            }
        }
        List<String> formats = new ArrayList<>(
                Builtins.READERS.stream().map(TraceReader::format).toList());
        for (TraceReader reader : ServiceLoader.load(TraceReader.class)) {
            if (reader.recognises(head)) {
                return reader;
            }
            formats.add(reader.format());
        }
        String problem = head.length == 0
                ? "the file is empty, expected a trace"
                : "expected a trace in a known format (" + String.join(", ", formats) + "), found " + describe(head);
        throw new TraceFormatException(
                ErrorCode.FORMAT_UNKNOWN,
                source,
                firstByte(head),
                problem,
                "Give the JSON file that the profiler exported, plain or packed with gzip.");
    }

    /** The writer of reports with this name. */
    public ReportWriter writer(String id) {
        for (ReportWriter writer : Builtins.REPORT_WRITERS) {
            if (writer.id().equals(id)) {
                return writer;
            }
        }
        for (ReportWriter writer : ServiceLoader.load(ReportWriter.class)) {
            if (writer.id().equals(id)) {
                return writer;
            }
        }
        throw new UserException(
                ErrorCode.MODULE_MISSING,
                "nothing here writes " + id + " files",
                "Workbooks come with the artifact lockstep-publish; put it on the class path.");
    }

    /** What writes workbooks whose looks matter. */
    public StyledWorkbookWriter styledWorkbooks() {
        return ServiceLoader.load(StyledWorkbookWriter.class)
                .findFirst()
                .orElseThrow(() -> new UserException(
                        ErrorCode.MODULE_MISSING,
                        "nothing here writes workbooks",
                        "Workbooks come with the artifact lockstep-publish; put it on the class path."));
    }

    /** The writer of traces whose ending the file's name has; the longest ending wins. */
    public TraceWriter traceWriterFor(Path file) {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        List<TraceWriter> writers = new ArrayList<>(Builtins.TRACE_WRITERS);
        ServiceLoader.load(TraceWriter.class).forEach(writers::add);
        TraceWriter best = null;
        int longest = 0;
        List<String> known = new ArrayList<>();
        for (TraceWriter writer : writers) {
            for (String extension : writer.extensions()) {
                known.add(extension);
                if (name.endsWith(extension) && extension.length() > longest) {
                    best = writer;
                    longest = extension.length();
                }
            }
        }
        if (best == null) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    file + ": nothing writes traces with this ending",
                    "Known endings: " + String.join(", ", known));
        }
        return best;
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
