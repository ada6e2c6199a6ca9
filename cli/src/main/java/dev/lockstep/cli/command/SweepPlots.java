// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.publish.figures.FigureFiles;
import dev.lockstep.publish.figures.VarianceFigures;
import dev.lockstep.publish.figures.VarianceFile;
import dev.lockstep.publish.figures.VarianceLook;
import dev.lockstep.runs.SweepReports;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;

/** The five pictures of a sweep, from its list of matrix multiplications whose time varies. */
final class SweepPlots {
    private SweepPlots() {}

    /** Draws them; returns the files. */
    static List<Path> write(SweepReports places, VarianceLook look, PrintWriter err) throws IOException {
        VarianceFile file = VarianceFile.read(places.variance());
        if (file.skipped() > 0) {
            err.println(places.variance() + ": " + file.skipped() + " rows lack a number and are left out of pictures");
        }
        if (file.rows().isEmpty()) {
            return List.of();
        }
        try (Output output = new Output(places.analysis())) {
            FigureFiles.write(VarianceFigures.of(file, look), output.directory(places.plots()));
            output.commit();
        }
        return VarianceFigures.FILES.stream().map(places.plots()::resolve).toList();
    }
}
