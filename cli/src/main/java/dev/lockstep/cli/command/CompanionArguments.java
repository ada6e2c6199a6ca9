// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.dialect.Dialects;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.model.Trace;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.reporting.CompanionSheets;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.CsvWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The sheets of other tools beside the CSV files of a report, and the options that they have. */
final class CompanionArguments {
    private int queueLimit = CompanionSheets.Options.DEFAULT_LIMIT;
    private @Nullable String sequencesOf;
    private int leastKernels = CompanionSheets.Options.DEFAULT_LEAST;
    private final List<String> said = new ArrayList<>();

    void declare(Arguments arguments) {
        arguments.option(
                "--queue-limit",
                "N",
                Integer.class,
                "Launches that fill the queue of a stream (default 1024).",
                given -> queueLimit = given);
        arguments.option(
                "--kernel-sequences",
                "OP[,MIN]",
                String.class,
                "List the sequences of MIN kernels or more (default 3) of operators whose name contains OP.",
                this::sequences);
    }

    private void sequences(String given) {
        int comma = given.lastIndexOf(',');
        String digits = comma < 0 ? "" : given.substring(comma + 1).strip();
        boolean numbered = digits.matches("\\d{1,9}");
        sequencesOf = numbered ? given.substring(0, comma) : given;
        leastKernels = numbered ? Integer.parseInt(digits) : CompanionSheets.Options.DEFAULT_LEAST;
        if (sequencesOf.isEmpty()) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID, "--kernel-sequences wants a part of an operator's name", null);
        }
    }

    /** @param criticalPath what the critical path is asked of, or null */
    CompanionSheets.Options options(@Nullable String criticalPath) {
        if (queueLimit < 1) {
            throw new UserException(ErrorCode.OPTION_INVALID, "--queue-limit wants a number of at least 1", null);
        }
        return new CompanionSheets.Options(queueLimit, sequencesOf, leastKernels, criticalPath);
    }

    /** Writes the sheets of one rank into the folder of its CSV files. */
    void write(Trace trace, CompanionSheets.Options options, Path folder) throws IOException {
        write(tool -> tool.of(trace, options), folder);
    }

    /** Writes the sheets that compare two traces. */
    void writeDifference(Trace baseline, Trace candidate, Path folder) throws IOException {
        write(tool -> tool.difference(baseline, candidate), folder);
    }

    private void write(Function<CompanionSheets, CompanionSheets.Sheets> sheets, Path folder) throws IOException {
        for (CompanionSheets tool : Dialects.parts(CompanionSheets.class)) {
            CompanionSheets.Sheets written = sheets.apply(tool);
            List<Section> sections = written.tables().stream()
                    .<Section>map(Section.TableSection::new)
                    .toList();
            new CsvWriter().write(new Report("", "", sections), folder, CellStyle.PLAIN);
            said.addAll(written.said());
        }
    }

    /** What is worth saying about the sheets that were written. */
    List<String> said() {
        return said;
    }
}
