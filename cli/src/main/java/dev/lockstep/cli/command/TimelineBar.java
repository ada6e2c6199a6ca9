// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Screen;
import dev.lockstep.cli.Screen.Paint;
import dev.lockstep.table.Table;
import dev.lockstep.words.Glance;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The parts of a device's time as one bar of a terminal, with its legend. */
final class TimelineBar {
    /**
     * How a part of the bar looks.
     *
     * @param sign that fills it
     * @param ascii the same where only ASCII is shown
     */
    private record Look(String sign, String ascii, Paint paint) {}

    /** In the order of the parts. */
    private static final List<Look> LOOKS = List.of(
            new Look("█", "#", Paint.COMPUTE),
            new Look("▓", "=", Paint.COMMUNICATION),
            new Look("▒", "+", Paint.BOLD),
            new Look("░", ".", Paint.DIM));

    /** Cells of a bar that shares its line. */
    private static final int CELLS = 20;

    private static final double WHOLE = 100;

    private TimelineBar() {}

    /** @param timeline with its parts in rows: name, time, percent of the whole */
    static void print(Table timeline, PrintWriter out) {
        Screen screen = Screen.of(out);
        int room = screen.width() - 4;
        List<Glance.Part> parts = Glance.parts(timeline);
        List<String> legend = new ArrayList<>(List.of("  "));
        int length = 0;
        for (int i = 0; i < parts.size(); i++) {
            Glance.Part part = parts.get(i);
            String label = part.label() + String.format(Locale.ROOT, " %.1f %%  ", part.percent());
            length += label.length() + 2;
            if (length > room) {
                legend.add("\n  ");
                length = label.length() + 2;
            }
            legend.add(screen.paint(LOOKS.get(i).paint, sign(LOOKS.get(i), screen)) + " " + label);
        }
        out.print("  " + bar(parts, room, screen));
        out.println();
        out.print(String.join("", legend));
        out.println();
        out.println();
    }

    /** The same with the parts in words behind a short bar, in one line where there is room. */
    static void line(Glance glance, List<String> words, PrintWriter out) {
        Screen screen = Screen.of(out);
        out.print("Time " + bar(glance.parts(), CELLS, screen));
        int length = "Time ".length() + CELLS;
        for (String word : words) {
            boolean fits = length + 2 + word.length() <= screen.width();
            out.print((fits ? "  " : System.lineSeparator() + "     ") + word);
            length = (fits ? length + 2 : "     ".length()) + word.length();
        }
        out.println();
    }

    private static String bar(List<Glance.Part> parts, int room, Screen screen) {
        StringBuilder bar = new StringBuilder();
        double before = 0;
        for (int i = 0; i < parts.size(); i++) {
            double after = before + parts.get(i).percent();
            long cells = Math.round(after / WHOLE * room) - Math.round(before / WHOLE * room);
            Look look = LOOKS.get(i);
            bar.append(screen.paint(look.paint, sign(look, screen).repeat(Math.clamp(cells, 0, room))));
            before = after;
        }
        return bar.toString();
    }

    private static String sign(Look look, Screen screen) {
        return screen.isUnicode() ? look.sign : look.ascii;
    }
}
