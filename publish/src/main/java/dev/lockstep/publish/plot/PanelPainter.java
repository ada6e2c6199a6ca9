// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.plot;

import java.util.List;

/** Draws one panel. */
final class PanelPainter {
    private PanelPainter() {}

    static void paint(Canvas canvas, Area area, Panel panel) {
        Area rest = area;
        if (!panel.title().isEmpty()) {
            String title = Wording.shortened(panel.title(), Ink.PANEL, area.width());
            canvas.text(title, area.left() + 2, area.top() + Ink.PANEL.size(), Ink.PANEL, Canvas.Anchor.START);
            rest = area.inside(0, Ink.PANEL.leading() + 2, 0, 0);
        }
        if (extent(panel.mark()).isEmpty()) {
            Absent.panel(canvas, rest);
            return;
        }
        mark(canvas, rest, panel);
    }

    private static void mark(Canvas canvas, Area area, Panel panel) {
        Extent extent = extent(panel.mark());
        switch (panel.mark()) {
            case Mark.Boxes boxes ->
                BoxPainter.paint(canvas, samples(canvas, area, panel, boxes.samples(), extent), boxes);
            case Mark.Violins violins ->
                ViolinPainter.paint(canvas, samples(canvas, area, panel, violins.samples(), extent), violins.samples());
            case Mark.Lines lines -> {
                Scale scale = Scale.around(extent, panel.logarithmic());
                Upright axes = Upright.paint(canvas, area, panel, lines.places(), List.of(), scale);
                LinePainter.paint(canvas, axes, lines.series());
            }
            case Mark.Bars bars -> {
                BarPainter painter = new BarPainter(bars, area);
                Scale scale = Scale.withZero(extent, painter.headroom());
                painter.paint(canvas, Upright.paint(canvas, area, panel, bars.places(), List.of(), scale));
            }
            case Mark.RowBars bars -> RowBarPainter.paint(canvas, area, panel, bars);
            case Mark.Heat heat -> HeatPainter.paint(canvas, area, panel, heat);
            case Mark.Gantt gantt -> GanttPainter.paint(canvas, area, panel, gantt);
        }
    }

    private static Upright samples(Canvas canvas, Area area, Panel panel, List<Sample> samples, Extent extent) {
        List<String> labels = samples.stream().map(Sample::label).toList();
        List<String> notes = samples.stream().map(Sample::note).toList();
        return Upright.paint(canvas, area, panel, labels, notes, Scale.around(extent, panel.logarithmic()));
    }

    private static Extent extent(Mark mark) {
        return switch (mark) {
            case Mark.Boxes boxes -> Extent.ofSamples(boxes.samples());
            case Mark.Violins violins -> Extent.ofSamples(violins.samples());
            case Mark.Lines lines -> Extent.of(lines.series());
            case Mark.Bars bars -> Extent.of(bars.series());
            case Mark.RowBars bars -> Extent.of(bars.series());
            case Mark.Heat heat -> {
                Extent all = Extent.NONE;
                for (double[] row : heat.values()) {
                    all = all.with(row);
                }
                yield all;
            }
            case Mark.Gantt gantt ->
                gantt.rows().isEmpty() || !(gantt.low() < gantt.high())
                        ? Extent.NONE
                        : Extent.NONE.with(gantt.low()).with(gantt.high());
        };
    }
}
