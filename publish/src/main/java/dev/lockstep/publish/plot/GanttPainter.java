// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.plot;

import java.awt.geom.Path2D;
import java.util.List;

/** Draws {@link Mark.Gantt}: names of groups and rows to the left, time below. */
final class GanttPainter {
    private static final double PAD = 5;
    private static final double LEAST_WIDTH = 0.35;

    /** However little runs in a column, so many points show it. */
    private static final double LEAST_HEIGHT = 3;

    private static final double STEPS = 60;
    private static final double GAP = 0.3;
    private static final double LEAST_TEXT = 60;

    private final Canvas canvas;
    private final Mark.Gantt gantt;
    private final Area plot;
    private final Scale scale;
    private final double high;
    private final double groups;
    private final double labels;

    private GanttPainter(Canvas canvas, Area area, Panel panel, Mark.Gantt gantt) {
        this.canvas = canvas;
        this.gantt = gantt;
        this.scale = Scale.linear(gantt.low(), gantt.high());
        groups = Math.min(
                widest(gantt.rows().stream()
                        .map(Mark.GanttRow::group)
                        .distinct()
                        .toList()),
                area.width() * 0.12);
        labels = Math.min(
                widest(gantt.rows().stream()
                        .map(Mark.GanttRow::label)
                        .distinct()
                        .toList()),
                area.width() * 0.2);
        double below = Ink.TICK.leading() + PAD + (panel.x().isEmpty() ? 0 : Ink.AXIS.leading() + 4);
        plot = area.inside(groups + labels + (groups > 0 ? 3 : 2) * PAD, PAD, 3 * PAD, below);
        high = plot.height() / Math.max(1, gantt.rows().size());
    }

    static void paint(Canvas canvas, Area area, Panel panel, Mark.Gantt gantt) {
        GanttPainter painter = new GanttPainter(canvas, area, panel, gantt);
        painter.axis();
        painter.rows(area.left());
        canvas.text(panel.x(), painter.plot.centre(), area.bottom() - 3, Ink.AXIS, Canvas.Anchor.MIDDLE);
    }

    private static double widest(List<String> texts) {
        return texts.stream().mapToDouble(Ink.TICK::width).max().orElse(0);
    }

    private void axis() {
        double free = 0;
        for (int i = 0; i < scale.ticks().length; i++) {
            double x = x(scale.ticks()[i]);
            canvas.line(x, plot.top(), x, plot.bottom(), Palette.GRID, 0.7);
            double half = Ink.TICK.width(scale.labels()[i]) / 2;
            if (x - half >= free && x + half <= plot.right() + 3 * PAD) {
                canvas.text(
                        scale.labels()[i], x, plot.bottom() + PAD + Ink.TICK.size(), Ink.TICK, Canvas.Anchor.MIDDLE);
                free = x + half + PAD;
            }
        }
        canvas.line(plot.left(), plot.bottom(), plot.right(), plot.bottom(), Palette.AXIS, 1);
    }

    private void rows(double left) {
        String group = "";
        double labelFree = plot.top();
        double groupFree = plot.top();
        for (int i = 0; i < gantt.rows().size(); i++) {
            Mark.GanttRow row = gantt.rows().get(i);
            double top = plot.top() + i * high;
            boolean next = !row.group().equals(group);
            if (next && i > 0) {
                canvas.line(left, top, plot.right(), top, Palette.AXIS, 0.7);
            } else if (!row.label().isEmpty()) {
                canvas.line(plot.left(), top, plot.right(), top, Palette.GRID, 0.7);
            }
            double baseline = top + Math.max(high, Ink.TICK.leading()) / 2 + Ink.TICK.capital() / 2;
            if (next && top >= groupFree - 0.01) {
                canvas.text(
                        Wording.shortened(row.group(), Ink.TICK, groups),
                        left,
                        baseline,
                        Ink.TICK,
                        Canvas.Anchor.START);
                groupFree = top + Ink.TICK.leading();
            }
            if (!row.label().isEmpty() && top >= labelFree - 0.01 && baseline < plot.bottom() + 2) {
                canvas.text(
                        Wording.shortened(row.label(), Ink.TICK, labels),
                        plot.left() - PAD,
                        baseline,
                        Ink.TICK,
                        Canvas.Anchor.END);
                labelFree = top + Ink.TICK.leading() * 0.9;
            }
            group = row.group();
            stacks(row.shares(), top + high * 0.1, top + high * 0.9);
            bars(row, top + high * 0.1, top + high * 0.9);
        }
    }

    private void bars(Mark.GanttRow row, double top, double bottom) {
        for (int i = 0; i < row.from().length; i++) {
            double begin = Math.max(plot.left(), x(row.from()[i]));
            double end = Math.min(plot.right(), x(row.to()[i]));
            end = Math.max(begin + LEAST_WIDTH, end - begin > 5 * GAP ? end - GAP : end);
            if (begin < plot.right()) {
                Colour colour = gantt.classes().get(row.kind()[i]).colour();
                canvas.fill(new Area(begin, top, end, bottom).shape(), colour);
                if (!row.names().isEmpty() && end - begin > LEAST_TEXT && bottom - top > Ink.SMALL.size()) {
                    name(row.names().get(i), begin, end, (top + bottom + Ink.SMALL.capital()) / 2, colour);
                }
            }
        }
    }

    private void name(String name, double begin, double end, double baseline, Colour on) {
        Ink ink = Ink.SMALL.coloured(on.isLight() ? Palette.INK : Palette.PAPER);
        canvas.text(Wording.shortened(name, ink, end - begin - 4), begin + 2, baseline, ink, Canvas.Anchor.START);
    }

    /** One outline for each class and stretch of columns, the classes upon each other: no seams between columns. */
    private void stacks(double[][] shares, double top, double bottom) {
        int columns = shares.length == 0 ? 0 : shares[0].length;
        double least = Math.min(0.5, LEAST_HEIGHT / (bottom - top));
        double[][] heights = new double[shares.length][columns];
        for (int c = 0; c < columns; c++) {
            double sum = 0;
            for (int k = 0; k < shares.length; k++) {
                sum += shares[k][c] > 0 ? Math.max(least, shares[k][c]) : 0;
                heights[k][c] = shares[k][c] > 0 ? sum : 0;
            }
            for (int k = 0; k < shares.length; k++) {
                heights[k][c] = Math.ceil(heights[k][c] / Math.max(1, sum) * STEPS) / STEPS * (bottom - top);
            }
        }
        for (int k = shares.length - 1; k >= 0; k--) {
            Path2D outline = outline(heights[k], bottom);
            if (outline.getCurrentPoint() != null) {
                canvas.fill(outline, gantt.classes().get(k).colour());
            }
        }
    }

    private Path2D outline(double[] heights, double bottom) {
        Path2D outline = new Path2D.Double();
        double width = plot.width() / heights.length;
        double before = 0;
        for (int c = 0; c <= heights.length; c++) {
            double height = c < heights.length ? heights[c] : 0;
            double x = plot.left() + c * width;
            if (height != before) {
                if (before == 0) {
                    outline.moveTo(x, bottom);
                } else {
                    outline.lineTo(x, bottom - before);
                }
                outline.lineTo(x, bottom - height);
                if (height == 0) {
                    outline.closePath();
                }
                before = height;
            }
        }
        return outline;
    }

    private double x(double value) {
        return plot.left() + scale.share(value) * plot.width();
    }
}
