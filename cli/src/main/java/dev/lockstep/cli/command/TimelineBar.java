// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.analyze.TimelinePartNames;
import dev.lockstep.cli.Screen;
import dev.lockstep.cli.Screen.Paint;
import dev.lockstep.table.Table;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The parts of a device's time as one bar of a terminal, with its legend below it. */
final class TimelineBar {
    /**
     * A part of the bar.
     *
     * @param row of {@code gpu_timeline}
     * @param sign that fills it
     * @param ascii the same where only ASCII is shown
     */
    private record Part(String row, String label, String sign, String ascii, Paint paint) {}

    private static final List<Part> PARTS = List.of(
            new Part(TimelinePartNames.COMPUTATION_TIME, "compute", "█", "#", Paint.COMPUTE),
            new Part(TimelinePartNames.EXPOSED_COMM_TIME, "communication", "▓", "=", Paint.COMMUNICATION),
            new Part(TimelinePartNames.EXPOSED_MEMCPY_TIME, "copies", "▒", "+", Paint.BOLD),
            new Part(TimelinePartNames.IDLE_TIME, "idle", "░", ".", Paint.DIM));

    /** Cells of a bar that shares its line, and the least percentage that it names. */
    private static final int CELLS = 20;

    private static final double LEAST = 0.5;
    private static final double WHOLE = 100;

    private TimelineBar() {}

    /** @param timeline with its parts in rows: name, time, percent of the whole */
    static void print(Table timeline, PrintWriter out) {
        Screen screen = Screen.of(out);
        int room = screen.width() - 4;
        double before = 0;
        StringBuilder bar = new StringBuilder("  ");
        List<String> legend = new ArrayList<>(List.of("  "));
        int length = 0;
        for (Part part : PARTS) {
            double percent = percent(timeline, part.row);
            String sign = screen.isUnicode() ? part.sign : part.ascii;
            long cells = Math.round((before + percent) / 100 * room) - Math.round(before / 100 * room);
            bar.append(screen.paint(part.paint, sign.repeat(Math.clamp(cells, 0, room))));
            String label = part.label + String.format(Locale.ROOT, " %.1f %%  ", percent);
            length += label.length() + 2;
            if (length > room) {
                legend.add("\n  ");
                length = label.length() + 2;
            }
            legend.add(screen.paint(part.paint, sign) + " " + label);
            before += percent;
        }
        out.print(bar);
        out.println();
        out.print(String.join("", legend));
        out.println();
        out.println();
    }

    /**
     * The same with the parts in words behind a short bar, in one line where there is room.
     *
     * @param timeline likewise
     */
    static void line(Table timeline, PrintWriter out) {
        Screen screen = Screen.of(out);
        StringBuilder bar = new StringBuilder("Time ");
        List<String> words = new ArrayList<>();
        words.add(String.format(Locale.ROOT, "busy %.0f %%", percent(timeline, TimelinePartNames.BUSY_TIME)));
        double before = 0;
        for (Part part : PARTS) {
            double percent = percent(timeline, part.row);
            long cells = Math.round((before + percent) / WHOLE * CELLS) - Math.round(before / WHOLE * CELLS);
            String sign = screen.isUnicode() ? part.sign : part.ascii;
            bar.append(screen.paint(part.paint, sign.repeat(Math.clamp(cells, 0, CELLS))));
            if (percent >= LEAST) {
                words.add(String.format(Locale.ROOT, "%s %.0f %%", part.label, percent));
            }
            before += percent;
        }
        out.print(bar);
        int length = "Time ".length() + CELLS;
        for (String word : words) {
            boolean fits = length + 2 + word.length() <= screen.width();
            out.print((fits ? "  " : System.lineSeparator() + "     ") + word);
            length = (fits ? length + 2 : "     ".length()) + word.length();
        }
        out.println();
    }

    private static double percent(Table timeline, String row) {
        for (int i = 0; i < timeline.rows(); i++) {
            if (row.equals(timeline.strings(0).get(i))) {
                return timeline.shown(2, i);
            }
        }
        return 0;
    }
}
