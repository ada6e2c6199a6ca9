// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.plot;

import java.util.List;

/** Draws {@link Mark.Bars}, with values above them where there is room, and a cross where there is no value. */
final class BarPainter {
    private static final double WIDEST = 46;
    private static final double SHARE = 0.8;
    private static final double PAD = 3;
    private static final Ink VALUE = Ink.SMALL.coloured(Palette.INK);
    private static final Ink NARROW = VALUE.sized(7);

    /** How values are written at bars. */
    private enum Writing {
        LEVEL,
        UPRIGHT,
        NONE
    }

    private final List<Series> series;
    private final Writing writing;
    private final double headroom;

    /** @param area where panel and axes will be drawn */
    BarPainter(Mark.Bars bars, Area area) {
        this.series = bars.series();
        double slot = (area.width() - 50) / Math.max(1, bars.places().size());
        double widest = widest();
        if (widest + 1 <= width(slot)) {
            writing = Writing.LEVEL;
        } else {
            writing = NARROW.size() <= width(slot) ? Writing.UPRIGHT : Writing.NONE;
        }
        double needed = writing == Writing.UPRIGHT ? widest * NARROW.size() / VALUE.size() + 2 * PAD : VALUE.leading();
        headroom = Math.min(0.5, needed / (0.65 * area.height()));
    }

    /** What to leave free above the highest bar, as a share of the axis. */
    double headroom() {
        return headroom;
    }

    void paint(Canvas canvas, Upright axes) {
        double width = width(axes.slot());
        double zero = axes.y(0);
        for (int s = 0; s < series.size(); s++) {
            double[] values = series.get(s).values();
            for (int i = 0; i < values.length; i++) {
                double left = axes.x(i) + (s - series.size() / 2.0) * width;
                double centre = left + width * 0.47;
                if (!Double.isFinite(values[i])) {
                    Absent.cross(canvas, centre, zero - 5);
                    continue;
                }
                double y = axes.y(values[i]);
                Area bar = new Area(left, Math.min(y, zero), left + width * 0.94, Math.max(y, zero));
                canvas.fill(bar.shape(), series.get(s).colourOf(values[i]));
                write(canvas, values[i], centre, y);
            }
        }
    }

    private void write(Canvas canvas, double value, double centre, double y) {
        String text = Ticks.value(value);
        if (writing == Writing.LEVEL) {
            double baseline = value < 0 ? y + PAD + VALUE.capital() : y - PAD;
            canvas.text(text, centre, baseline, VALUE, Canvas.Anchor.MIDDLE);
        } else if (writing == Writing.UPRIGHT) {
            Canvas.Anchor anchor = value < 0 ? Canvas.Anchor.END : Canvas.Anchor.START;
            double from = value < 0 ? y + PAD : y - PAD;
            canvas.text(text, centre + NARROW.capital() / 2, from, NARROW, anchor, -90);
        }
    }

    private double width(double slot) {
        return Math.min(slot * SHARE / Math.max(1, series.size()), WIDEST);
    }

    private double widest() {
        double widest = 0;
        for (Series one : series) {
            for (double value : one.values()) {
                widest = Math.max(widest, Double.isFinite(value) ? VALUE.width(Ticks.value(value)) : 0);
            }
        }
        return widest;
    }
}
