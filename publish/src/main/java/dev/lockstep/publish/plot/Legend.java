// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.plot;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Says which colour is which series; empty for a single one, and for series that are coloured by sign. */
final class Legend {
    /** So many series differ by colour and sign alone. */
    static final int DISTINCT = 8;

    private static final double KEY = 22;
    private static final double GAP = 16;
    private static final double LEADING = 16;

    private record Entry(String name, Colour colour, int place, boolean line, double x, int row) {}

    private final List<Entry> entries = new ArrayList<>();
    private int rows;

    Legend(List<Panel> panels, double width) {
        Map<String, Series> known = new LinkedHashMap<>();
        boolean lines = false;
        for (Panel panel : panels) {
            lines |= panel.mark() instanceof Mark.Lines;
            series(panel.mark()).stream()
                    .filter(series -> series.colour().equals(series.negative()))
                    .forEach(series -> known.putIfAbsent(series.name(), series));
        }
        if (known.size() > 1) {
            place(new ArrayList<>(known.values()), lines, width);
        }
    }

    private static List<Series> series(Mark mark) {
        return switch (mark) {
            case Mark.Lines lines -> lines.series();
            case Mark.Bars bars -> bars.series();
            case Mark.RowBars bars -> bars.series();
            case Mark.Boxes boxes -> List.of();
            case Mark.Violins violins -> List.of();
            case Mark.Heat heat -> List.of();
            case Mark.Gantt gantt -> gantt.classes();
        };
    }

    private void place(List<Series> series, boolean lines, double width) {
        double x = 0;
        for (int i = 0; i < series.size(); i++) {
            String name = Wording.shortened(series.get(i).name(), Ink.TICK, width - KEY - GAP);
            double next = x + KEY + Ink.TICK.width(name) + GAP;
            if (x > 0 && next - GAP > width) {
                rows++;
                next -= x;
                x = 0;
            }
            entries.add(new Entry(name, series.get(i).colour(), i, lines, x, rows));
            x = next;
        }
        rows++;
    }

    double height() {
        return rows * LEADING + (rows == 0 ? 0 : 2);
    }

    void paint(Canvas canvas, double left, double top) {
        for (Entry entry : entries) {
            double x = left + entry.x;
            double middle = top + entry.row * LEADING + LEADING / 2;
            if (entry.line) {
                canvas.line(x, middle, x + KEY - 5, middle, entry.colour, 1.6);
                canvas.fill(Symbol.of(entry.place, x + (KEY - 5) / 2, middle, 3.2), entry.colour);
            } else {
                canvas.fill(new Area(x, middle - 4.5, x + KEY - 6, middle + 4.5).shape(), entry.colour);
            }
            canvas.text(entry.name, x + KEY, middle + Ink.TICK.capital() / 2, Ink.TICK, Canvas.Anchor.START);
        }
    }
}
