// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.piep;

import dev.lockstep.publish.plot.Colour;
import dev.lockstep.publish.plot.Mark;
import dev.lockstep.publish.plot.Panel;
import dev.lockstep.publish.plot.Picture;
import dev.lockstep.publish.plot.Series;
import java.util.ArrayList;
import java.util.List;

/** The chart of piep: three rows, in which kernels of one class lie over each other. */
final class PiepGanttFigure {
    private static final int DPI = 160;
    private static final List<String> ROWS = List.of("compute", "communication", "unknown");
    private static final int[] COLOURS = {0x2b6cb0, 0xc53030, 0x718096};

    private PiepGanttFigure() {}

    /** The picture of a device. */
    public static Picture of(PiepGantt.Device device) {
        List<Mark.GanttRow> rows = new ArrayList<>();
        List<Series> classes = new ArrayList<>();
        double end = 0;
        for (int row = ROWS.size() - 1; row >= 0; row--) {
            int here = row;
            List<double[]> bars =
                    device.bars().stream().filter(b -> b[0] == here).toList();
            int[] kind = new int[bars.size()];
            java.util.Arrays.fill(kind, row);
            double[] to = bars.stream().mapToDouble(b -> b[2]).toArray();
            for (double moment : to) {
                end = Math.max(end, moment);
            }
            rows.add(new Mark.GanttRow(
                    "",
                    ROWS.get(row) + " stream",
                    bars.stream().mapToDouble(b -> b[1]).toArray(),
                    to,
                    kind,
                    List.of(),
                    new double[0][]));
        }
        for (int row = 0; row < ROWS.size(); row++) {
            classes.add(new Series(ROWS.get(row), new double[0], Colour.of(COLOURS[row])));
        }
        return new Picture(
                "CUDA Kernel Execution Timeline",
                "",
                "",
                14 * DPI,
                4 * DPI,
                DPI,
                1,
                List.of(new Panel("", "Time (ms)", "", new Mark.Gantt(rows, 0, Math.max(end, 1e-6), classes))));
    }
}
