// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.engine.Session;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.report.Report;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The options that say where a report goes, and the way there. */
final class ReportTargets {
    private @Nullable Path directory;
    private final Map<String, Path> named = new LinkedHashMap<>();
    private String fallback = "";

    /** @param fallback the folder that is used when nothing is named */
    void declare(Arguments arguments, String fallback) {
        this.fallback = fallback;
        arguments.option(
                "-o,--output",
                "DIR",
                Path.class,
                "Write report.html, report.xlsx and csv/ into DIR (default: " + fallback + ").",
                given -> directory = given);
        option(arguments, "csv", "DIR", "Write one CSV file for each sheet into DIR.");
        option(arguments, "xlsx", "FILE", "Write a workbook.");
        option(arguments, "html", "FILE", "Write one self-contained page.");
        option(arguments, "json", "FILE", "Write everything as one JSON document.");
    }

    private void option(Arguments arguments, String writer, String label, String description) {
        arguments.option("--" + writer, label, Path.class, description, given -> named.put(writer, given));
    }

    /** Writes the report wherever it shall go, and returns the places. */
    Collection<Path> write(Session session, Report report, CellStyle style, List<Path> inputs) throws IOException {
        Map<String, Path> targets = targets();
        try (Output output = new Output()) {
            for (Map.Entry<String, Path> target : targets.entrySet()) {
                boolean many = target.getKey().equals("csv");
                refuseInputs(target.getValue(), inputs);
                Path staged = many ? output.directory(target.getValue()) : output.file(target.getValue());
                session.registry().writer(target.getKey()).write(report, staged, style);
            }
            output.commit();
        } catch (FileSystemException e) {
            throw new UserException(
                    ErrorCode.OUTPUT_FAILED,
                    "cannot write " + e.getFile() + ": " + Objects.requireNonNullElse(e.getReason(), "refused"),
                    "Nothing was written.",
                    e);
        }
        return targets.values();
    }

    private Map<String, Path> targets() {
        Map<String, Path> targets = new LinkedHashMap<>();
        if (directory != null || named.isEmpty()) {
            Path into = directory != null ? directory : Path.of(fallback);
            targets.put("html", into.resolve("report.html"));
            targets.put("xlsx", into.resolve("report.xlsx"));
            targets.put("csv", into.resolve("csv"));
        }
        targets.putAll(named);
        return targets;
    }

    private static void refuseInputs(Path target, List<Path> inputs) throws IOException {
        for (Path input : inputs) {
            for (Path read : Stream.of(input, input.resolve("csv")).filter(Files::exists).toList()) {
                if (Files.exists(target) && Files.isSameFile(target, read)) {
                    throw new UserException(
                            ErrorCode.OPTION_INVALID, target + " is an input; an output never overwrites it", null);
                }
            }
        }
    }
}
