// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.report.Report;
import dev.lockstep.session.Registry;
import dev.lockstep.session.Session;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.HtmlWriter;
import dev.lockstep.write.Output;
import dev.lockstep.write.ReportWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The options that say where a report goes, and the writing of it: all files appear together, none over an input. */
final class ReportTargets {
    /** The writer beside whose sheets companions stand. */
    private static final String CSV = "csv";

    /** Writes further files beside the sheets, or a file of its own. */
    interface Companions {
        void write(Path place) throws IOException;
    }

    private static final int MOST_MEGABYTES = 1_000;

    private @Nullable Path directory;
    private int pageSize = -1;
    private List<ReportWriter> writers = List.of();
    private final Map<String, Path> named = new HashMap<>();
    private final Map<String, Companions> instead = new HashMap<>();

    /** @param defaultDirectory what the help says about the directory that is written without options */
    void declare(Arguments arguments, String defaultDirectory) {
        writers = arguments.reportWriters();
        arguments.option(
                "-o,--output",
                "DIR",
                Path.class,
                "Write " + files(writers) + " into DIR (default: " + defaultDirectory + ").",
                given -> directory = given);
        arguments.writes("-o");
        for (ReportWriter writer : writers) {
            arguments.option(
                    "--" + writer.id(),
                    writer.isFolder() ? "DIR" : "FILE",
                    Path.class,
                    writer.help(),
                    given -> named.put(writer.id(), given));
            arguments.writes("--" + writer.id());
        }
        arguments.option(
                "--page-size",
                "MB",
                Integer.class,
                "About how large the page may become (default 8). Beyond that, its timeline is summed in " + "buckets.",
                given -> pageSize = megabytes(given));
    }

    private static int megabytes(int given) {
        if (given < 1 || given > MOST_MEGABYTES) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID, "--page-size wants megabytes, from 1 to " + MOST_MEGABYTES, null);
        }
        return given;
    }

    private ReportWriter sized(ReportWriter writer) {
        return pageSize > 0 && writer instanceof HtmlWriter ? new HtmlWriter(pageSize) : writer;
    }

    /** Writes something else where a writer of reports is named: what the option means differs for this command. */
    void instead(String writer, Companions content) {
        instead.put(writer, content);
    }

    /** Whether an option names anything to write. */
    boolean isAsked() {
        return directory != null || !named.isEmpty();
    }

    /** The directory that {@code -o} names, else another. */
    Path directoryOr(Path fallback) {
        return directory != null ? directory : fallback;
    }

    /**
     * Writes the report where the options say.
     *
     * @param inputs what must not be overwritten
     * @param fallback the directory that is written when no option names anything
     * @return what was written
     */
    List<Path> write(Session session, Report report, List<Path> inputs, Path fallback, CellStyle style)
            throws IOException {
        return write(session, report, inputs, fallback, style, sheets -> {});
    }

    /** As above, with further files in the directory of the CSV files, if these are written. */
    List<Path> write(
            Session session, Report report, List<Path> inputs, Path fallback, CellStyle style, Companions companions)
            throws IOException {
        try (Output output = new Output()) {
            List<Path> written = write(session, report, inputs, fallback, style, companions, output);
            output.commit();
            return written;
        }
    }

    /** As above, among other files; the caller commits them. */
    List<Path> write(
            Session session,
            Report report,
            List<Path> inputs,
            Path fallback,
            CellStyle style,
            Companions companions,
            Output output)
            throws IOException {
        output.sparing(inputs);
        Map<ReportWriter, Path> targets = targets(session.registry(), fallback);
        for (Map.Entry<ReportWriter, Path> target : targets.entrySet()) {
            ReportWriter writer = target.getKey();
            Path path = target.getValue();
            Output.demandNoInput(path, inputs);
            Output.demandNoInput(
                    path, inputs.stream().map(input -> input.resolve(CSV)).toList());
            Path staged = writer.isFolder() ? output.directory(path) : output.file(path);
            Companions own = instead.get(writer.id());
            if (own == null) {
                writer.write(report, staged, style);
            } else {
                own.write(staged);
            }
            if (writer.id().equals(CSV)) {
                companions.write(staged);
            }
        }
        return List.copyOf(targets.values());
    }

    /**
     * The folders of CSV files, where nothing else is written.
     *
     * @throws UserException when an option names something else
     */
    List<Path> sheets(Path fallback) {
        Path csv = named.get(CSV);
        if (named.size() > (csv == null ? 0 : 1)) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    "--compat writes nothing but CSV files of several ranks",
                    "Name a folder for them: --csv DIR.");
        }
        Path folder = directoryOr(fallback).resolve(CSV);
        return csv == null ? List.of(folder) : directory == null ? List.of(csv) : List.of(folder, csv);
    }

    /** Where the options say, or the folder that is written when they name nothing, by writer. */
    Map<ReportWriter, Path> targets(Registry registry, Path fallback) {
        Map<ReportWriter, Path> targets = new LinkedHashMap<>();
        if (directory != null || named.isEmpty()) {
            writers = registry.reportWriters();
            for (ReportWriter writer : standard(writers)) {
                targets.put(sized(writer), directoryOr(fallback).resolve(writer.fileName()));
            }
        }
        for (ReportWriter writer : writers) {
            Path path = named.get(writer.id());
            if (path != null) {
                targets.put(sized(writer), path);
            }
        }
        return targets;
    }

    /** Those of the default folder: files first. */
    private static List<ReportWriter> standard(List<ReportWriter> writers) {
        return writers.stream().filter(ReportWriter::isStandard).toList().reversed();
    }

    /** {@code report.html, report.xlsx and csv/}. */
    private static String files(List<ReportWriter> writers) {
        List<String> names = standard(writers).stream()
                .map(writer -> writer.fileName() + (writer.isFolder() ? "/" : ""))
                .toList();
        int last = names.size() - 1;
        return String.join(", ", names.subList(0, last)) + " and " + names.get(last);
    }
}
