// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.UserException;
import dev.lockstep.kernels.GanttChart;
import dev.lockstep.publish.figures.GanttFigure;
import dev.lockstep.publish.plot.PictureWriter;
import dev.lockstep.session.Session;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Where a chart of kernels goes.
 *
 * @param target a picture or a page, by its ending
 * @param csv folder for lists of kernels; null for none
 */
record GanttOutput(Path target, @Nullable Path csv) {
    private static final double NS_PER_MS = 1e6;

    /** @throws UserException when the ending says of no known kind */
    static GanttOutput of(Path target, @Nullable Path csv) {
        GanttOutput output = new GanttOutput(target, csv);
        if (!List.of(".png", ".svg", ".html").contains(output.ending())) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID, target + ": of what kind shall it be?", "Endings: .png, .svg, .html");
        }
        return output;
    }

    private String ending() {
        String name = String.valueOf(target.getFileName()).toLowerCase(Locale.ROOT);
        return name.substring(Math.max(0, name.lastIndexOf('.')));
    }

    /**
     * Writes the chart, and the lists where they are wanted, all or nothing.
     *
     * @return what was written
     */
    List<Path> write(GanttChart chart, RankArguments ranks, Session session) throws IOException {
        List<Path> written = new ArrayList<>(List.of(target));
        try (Output output = new Output().sparing(ranks.files())) {
            Path staged = output.file(target);
            String source = String.join(", ", ranks.inputs());
            switch (ending()) {
                case ".png" -> NamedFiles.write(staged, PictureWriter.png(GanttFigure.of(chart)));
                case ".svg" -> NamedFiles.write(staged, PictureWriter.svg(GanttFigure.of(chart)));
                default -> session.registry().writer("html").write(chart.report(source), staged, CellStyle.PLAIN);
            }
            if (csv != null) {
                chart.writeLists(output.directory(csv));
                written.add(csv);
            }
            output.commit();
        }
        return written;
    }

    /** Says what was drawn and written. */
    static void say(GanttChart chart, List<Path> written, PrintWriter out) {
        int ranks = chart.ranks().size();
        out.println(String.format(
                Locale.ROOT,
                "%,d kernels, copies and fills of %d %s in %d lanes, %,.3f ms",
                chart.kernels(),
                ranks,
                ranks == 1 ? "rank" : "ranks",
                chart.rows().size(),
                (chart.to() - chart.from()) / NS_PER_MS));
        written.forEach(path -> out.println("wrote " + path));
    }
}
