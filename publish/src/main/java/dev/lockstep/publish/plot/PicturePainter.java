// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.plot;

import java.util.List;

/** Lays a picture out: title, subtitle, legend, panels in rows, note. */
final class PicturePainter {
    private static final double MARGIN = 14;
    private static final double GAP = 18;

    private final Canvas canvas;
    private final double left;
    private final double width;

    private PicturePainter(Canvas canvas, Area area) {
        this.canvas = canvas;
        this.left = area.left() + MARGIN;
        this.width = area.width() - 2 * MARGIN;
    }

    static void paint(Picture picture, Area area, Canvas canvas) {
        PicturePainter painter = new PicturePainter(canvas, area);
        double top = painter.lines(picture.title(), Ink.TITLE, area.top() + MARGIN);
        top = painter.lines(picture.subtitle(), Ink.SUBTITLE, top + 1);
        Legend legend = new Legend(picture.panels(), painter.width);
        legend.paint(canvas, painter.left, top + 2);
        top += legend.height() + 6;
        List<String> note = Wording.wrapped(picture.note(), Ink.NOTE, painter.width);
        double bottom = area.bottom() - MARGIN + 4 - note.size() * Ink.NOTE.leading();
        painter.lines(picture.note(), Ink.NOTE, bottom);
        painter.panels(picture, new Area(painter.left, top, painter.left + painter.width, bottom - 4));
    }

    /** Sets lines below a height; returns the height below them. */
    private double lines(String text, Ink ink, double top) {
        double y = top;
        for (String line : Wording.wrapped(text, ink, width)) {
            canvas.text(line, left, y + ink.size(), ink, Canvas.Anchor.START);
            y += ink.leading();
        }
        return y;
    }

    private void panels(Picture picture, Area area) {
        int count = picture.panels().size();
        int columns = Math.min(picture.columns(), Math.max(1, count));
        int rows = Math.max(1, (count + columns - 1) / columns);
        double wide = (area.width() - GAP * (columns - 1)) / columns;
        double high = (area.height() - GAP * (rows - 1)) / rows;
        for (int i = 0; i < count; i++) {
            int row = i / columns;
            double x = area.left() + i % columns * (wide + GAP);
            double y = area.top() + row * (high + GAP);
            PanelPainter.paint(
                    canvas, new Area(x, y, x + wide, y + high), picture.panels().get(i));
        }
    }
}
