// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.report.Report;
import dev.lockstep.session.Session;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The options that say where a report goes, and the writing of it: all files appear together, none over an input. */
final class ReportTargets {
    /** Writes further files beside the sheets. */
    interface Companions {
        void write(Path directory) throws IOException;
    }

    private @Nullable Path directory;
    private @Nullable Path csv;
    private @Nullable Path xlsx;
    private @Nullable Path html;
    private @Nullable Path json;

    /** @param defaultDirectory what the help says about the directory that is written without options */
    void declare(Arguments arguments, String defaultDirectory) {
        arguments.option(
                "-o,--output",
                "DIR",
                Path.class,
                "Write report.html, report.xlsx and csv/ into DIR (default: " + defaultDirectory + ").",
                given -> directory = given);
        arguments.option(
                "--csv", "DIR", Path.class, "Write one CSV file for each sheet into DIR.", given -> csv = given);
        arguments.option("--xlsx", "FILE", Path.class, "Write a workbook.", given -> xlsx = given);
        arguments.option("--html", "FILE", Path.class, "Write one self-contained page.", given -> html = given);
        arguments.option("--json", "FILE", Path.class, "Write everything as one JSON document.", given -> json = given);
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
        Map<String, Path> targets = targets(fallback);
        try (Output output = new Output()) {
            for (Map.Entry<String, Path> target : targets.entrySet()) {
                Path path = target.getValue();
                Output.demandNoInput(path, inputs);
                Output.demandNoInput(
                        path, inputs.stream().map(input -> input.resolve("csv")).toList());
                boolean many = target.getKey().equals("csv");
                Path staged = many ? output.directory(path) : output.file(path);
                session.registry().writer(target.getKey()).write(report, staged, style);
                if (many) {
                    companions.write(staged);
                }
            }
            output.commit();
        }
        return List.copyOf(targets.values());
    }

    private Map<String, Path> targets(Path fallback) {
        Map<String, Path> targets = new LinkedHashMap<>();
        boolean named = csv != null || xlsx != null || html != null || json != null;
        if (directory != null || !named) {
            Path into = directory != null ? directory : fallback;
            targets.put("html", into.resolve("report.html"));
            targets.put("xlsx", into.resolve("report.xlsx"));
            targets.put("csv", into.resolve("csv"));
        }
        put(targets, "csv", csv);
        put(targets, "xlsx", xlsx);
        put(targets, "html", html);
        put(targets, "json", json);
        return targets;
    }

    private static void put(Map<String, Path> targets, String writer, @Nullable Path path) {
        if (path != null) {
            targets.put(writer, path);
        }
    }
}
