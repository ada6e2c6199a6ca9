// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.Lockstep;
import dev.lockstep.Run;
import dev.lockstep.RunReport;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.dialect.Dialects;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.FileNames;
import dev.lockstep.error.UserException;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.reporting.CompanionSheets;
import dev.lockstep.reporting.RunSheetsStyle;
import dev.lockstep.session.RankSelection;
import dev.lockstep.session.RankSet;
import dev.lockstep.session.TraceFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The reports of all ranks of a run.
 *
 * @param inputs what the user named
 * @param selection which traces are meant where there are several of a rank
 * @param options what the reports of ranks hold
 * @param filter which part of each rank is explained
 */
record RunReporting(
        GlobalOptions global,
        List<String> inputs,
        RankSelection selection,
        ReportOptions options,
        FilterArguments filter) {
    /** The one trace that is meant; null when they are several. */
    @Nullable
    Path onlyTrace() throws IOException {
        String first = inputs.getFirst();
        Path named = FileNames.path(first);
        if (inputs.size() == 1 && !Files.isDirectory(named) && (Files.exists(named) || !TraceFiles.isPattern(first))) {
            return named;
        }
        List<Path> files = TraceFiles.of(inputs);
        return files.size() == 1 ? files.getFirst() : null;
    }

    /** Refuses an option that has no meaning for several ranks. */
    void refuse(String option, boolean given) {
        if (given) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    option + " is about one rank, and these are several: " + String.join(" ", inputs),
                    "Name the trace of one rank, or say with --rank N which rank of a file is meant.");
        }
    }

    /** Writes them where the options say, or the sheets of the tool that is stood in for; returns the exit status. */
    int write(CompatOption compat, ReportTargets targets, ScreenOption screen, PrintWriter out, PrintWriter err)
            throws IOException {
        refuse("--compat", compat.isGiven() && !compat.has(RunSheetsStyle.class));
        RunSheetsStyle style = compat.part(RunSheetsStyle.class);
        return style == null ? write(targets, screen, out, err) : writeAs(style.sheetsOfRanks(), targets, out, err);
    }

    /** Writes them and says what was found. */
    private int write(ReportTargets targets, ScreenOption screen, PrintWriter out, PrintWriter err) throws IOException {
        try (Lockstep lockstep = Inputs.open(global);
                Progress progress = Progress.of(global)) {
            Run run = lockstep.read(inputs, selection).with(options);
            run = run.withProgress(progress.reading(run.files()));
            RunReport.Written done = lockstep.report(run)
                    .of(filter.filter())
                    .beside(new CompanionArguments.OfRanks(options, Dialects.parts(CompanionSheets.class)))
                    .writeTo(targets.targets(lockstep.session().registry(), Path.of(nameOf(run) + "_report")));
            progress.close();
            if (!global.quiet()) {
                screen.print(done.report(), false, done.files(), out);
                if (!done.rankFiles().isEmpty()) {
                    out.println("and the same of each rank, such as "
                            + done.rankFiles().getFirst());
                }
            }
            RankArguments.report(done.ranks(), err);
            return global.status(
                    done.ranks().isComplete() && done.report().trust().isSound());
        }
    }

    /** Writes the sheets of another tool and nothing else where the options say, and returns the exit status. */
    private int writeAs(CompanionSheets tool, ReportTargets targets, PrintWriter out, PrintWriter err)
            throws IOException {
        try (Lockstep lockstep = Inputs.open(global);
                Progress progress = Progress.of(global)) {
            Run run = lockstep.read(inputs, selection).with(options);
            run = run.withProgress(progress.reading(run.files()));
            List<Path> folders = targets.sheets(Path.of(nameOf(run) + "_report"));
            RankSet<?> ranks = lockstep.report(run)
                    .of(filter.filter())
                    .beside(new CompanionArguments.OfRanks(options, List.of(tool)))
                    .writeSheetsTo(folders);
            progress.close();
            if (!global.quiet()) {
                folders.forEach(folder -> out.println("Wrote " + folder));
            }
            RankArguments.report(ranks, err);
            return global.status(ranks.isComplete());
        }
    }

    private String nameOf(Run run) {
        Path only = FileNames.path(inputs.getFirst()).toAbsolutePath().normalize();
        if (inputs.size() == 1 && Files.isRegularFile(only)) {
            return Inputs.stem(only);
        }
        Path name = inputs.size() == 1 && Files.isDirectory(only) ? only.getFileName() : null;
        return name == null ? RankArguments.nameOf(run.files()) : FileNames.text(name.toString());
    }
}
