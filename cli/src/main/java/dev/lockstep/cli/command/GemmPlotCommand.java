// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.publish.figures.FigureFiles;
import dev.lockstep.publish.figures.SweepPictures;
import dev.lockstep.publish.figures.VarianceFigures;
import dev.lockstep.publish.figures.VarianceFile;
import dev.lockstep.publish.figures.VarianceLook;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code lockstep gemm plot}: five pictures of a list of GEMMs whose time varies. */
public final class GemmPlotCommand implements Command {
    private final CompatOption compat = new CompatOption();

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @SuppressWarnings("NullAway.Init") // required
    private Path csv;

    private @Nullable Path folder;

    @Override
    public void declare(Arguments arguments) {
        arguments.examples(
                "lockstep gemm plot --csv-path gemm_variance.csv",
                "lockstep gemm plot --csv-path gemm.csv --output-dir plots");
        global = arguments.global();
        arguments.required("--csv-path", "FILE", Path.class, "The file of gemm variance.", given -> csv = given);
        arguments.option(
                "-o,--output-dir",
                "DIR",
                Path.class,
                "Folder of the pictures (default: plots beside the file).",
                given -> folder = given);
        arguments.writes("-o");
        compat.declare(arguments, "aorta");
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        VarianceLook look = compat.or(SweepPictures.OWN, SweepPictures.class).look();
        VarianceFile file = VarianceFile.read(csv);
        if (file.rows().isEmpty()) {
            throw new UserException(
                    ErrorCode.NOTHING_TO_DO,
                    csv + " holds no rows to draw",
                    file.skipped() == 0 ? null : file.skipped() + " rows lack a number.");
        }
        Path target = folder != null ? folder : csv.resolveSibling("plots");
        write(file, look, target, csv);
        if (!global.quiet()) {
            VarianceFigures.lines(file).forEach(out::println);
            VarianceFigures.FILES.forEach(name -> out.println("wrote " + target.resolve(name)));
        }
        if (file.skipped() > 0) {
            err.println(csv + ": " + file.skipped() + (file.skipped() == 1 ? " row lacks" : " rows lack")
                    + " a number and will not be seen");
        }
        return file.skipped() == 0 ? ExitStatus.COMPLETE : global.status(false);
    }

    private static void write(VarianceFile file, VarianceLook look, Path target, Path csv) throws IOException {
        try (Output output = new Output().sparing(List.of(csv))) {
            FigureFiles.write(VarianceFigures.of(file, look), output.directory(target));
            output.commit();
        }
    }
}
