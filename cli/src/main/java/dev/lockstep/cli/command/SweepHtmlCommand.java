// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.UserException;
import dev.lockstep.publish.figures.SweepPictures;
import dev.lockstep.publish.figures.SweepSide;
import dev.lockstep.publish.figures.VarianceFigures;
import dev.lockstep.publish.figures.VarianceLook;
import dev.lockstep.publish.page.Page;
import dev.lockstep.publish.page.PageWriter;
import dev.lockstep.runs.ReportNames;
import dev.lockstep.runs.SweepReports;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code lockstep sweep html}: two sweeps side by side on one page. */
public final class SweepHtmlCommand implements Command {
    private final CompatOption compat = new CompatOption();

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @SuppressWarnings("NullAway.Init") // required
    private Path first;

    @SuppressWarnings("NullAway.Init") // required
    private Path second;

    private @Nullable String firstLabel;
    private @Nullable String secondLabel;
    private Path target = Path.of("sweep_comparison_report.html");

    @Override
    public void declare(Arguments arguments) {
        arguments.examples(
                "lockstep sweep html --sweep1 a/ --sweep2 b/ --output sweeps.html",
                "lockstep sweep html --sweep1 a/ --sweep2 b/ --label1 old --output b.html");
        global = arguments.global();
        arguments.required("--sweep1", "DIR", Path.class, "Folder of the first sweep.", given -> first = given);
        arguments.required("--sweep2", "DIR", Path.class, "Folder of the second sweep.", given -> second = given);
        arguments.option(
                "--label1",
                "TEXT",
                String.class,
                "What to call the first sweep (default: name of its folder).",
                given -> firstLabel = given);
        arguments.option(
                "--label2",
                "TEXT",
                String.class,
                "What to call the second sweep (default: name of its folder).",
                given -> secondLabel = given);
        arguments.option(
                "-o,--output",
                "FILE",
                Path.class,
                "The page (default: sweep_comparison_report.html in the working directory).",
                given -> target = given);
        arguments.writes("-o");
        compat.declare(arguments, "aorta");
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        SweepPictures pictures = compat.or(SweepPictures.OWN, SweepPictures.class);
        ReportNames names = compat.or(ReportNames.OWN, ReportNames.class);
        SweepSide left = read(first, firstLabel, names, pictures.look());
        SweepSide right = read(second, secondLabel, names, pictures.look());
        if (left.pictures().isEmpty() && right.pictures().isEmpty()) {
            throw new UserException(
                    ErrorCode.NOTHING_TO_DO,
                    "neither " + first + " nor " + second + " has pictures or a list of GEMMs whose time varies",
                    "Run lockstep sweep all on both first.");
        }
        write(pictures.page(left, right));
        List.of(left, right).forEach(side -> report(side, err));
        if (!global.quiet()) {
            out.println("wrote " + target);
        }
        return global.status(left.isComplete() && right.isComplete());
    }

    private static SweepSide read(Path sweep, @Nullable String label, ReportNames names, VarianceLook look)
            throws IOException {
        if (!Files.isDirectory(sweep)) {
            String problem = Files.exists(sweep) ? ": expected a folder, found a file" : ": there is no such folder";
            throw new UserException(ErrorCode.INPUT_NOT_FOUND, sweep + problem, null);
        }
        String name = String.valueOf(sweep.toAbsolutePath().normalize().getFileName());
        Path analysis = ReportNames.areOf(sweep) ? sweep : names.existingIn(sweep);
        return SweepSide.read(label != null ? label : name, sweep, SweepReports.existing(analysis, names), look);
    }

    private static void report(SweepSide side, PrintWriter err) {
        side.problems().forEach(problem -> err.println(side.label() + ": " + problem));
        for (String name : VarianceFigures.FILES) {
            if (!side.pictures().containsKey(name)) {
                err.println(side.label() + ": " + name + " is missing, and nothing to draw it from");
            }
        }
    }

    private void write(Page page) throws IOException {
        try (Output output = new Output()) {
            NamedFiles.write(output.file(target), PageWriter.html(page));
            output.commit();
        }
    }
}
