// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish;

import dev.lockstep.report.Chart;
import dev.lockstep.report.Chart.Axis;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A chart of a spreadsheet, as the parts that a workbook keeps it in: DrawingML, ECMA-376 part 1, chapters 20.5 and 21.2. It holds its
 * numbers itself: a reference to cells is a formula, and workbooks have none.
 */
final class ChartPart {
    private static final String DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/";
    private static final String SOFT = "566272";
    private static final int LINE_WIDTH = 15_875;
    private static final int ACROSS = 50_010;
    private static final int UPWARDS = 50_020;

    /**
     * Numbers that share a look.
     *
     * @param across labels of bars, or places along the horizontal axis, as they are spelt
     * @param upwards what belongs to each; the empty text where there is no number
     * @param line whether neighbours are joined and points not drawn
     * @param colour six hexadecimal digits
     */
    record Series(String name, List<String> across, List<String> upwards, boolean line, String colour) {
        /** In the colour of its name. */
        Series(String name, List<String> across, List<String> upwards, boolean line) {
            this(name, across, upwards, line, SeriesColour.of(name));
        }

        /** Its first numbers alone. */
        Series first(int count) {
            return new Series(name, across.subList(0, count), upwards.subList(0, count), line, colour);
        }

        /** In the colour of what is no series, such as a roof. */
        Series plain() {
            return new Series(name, across, upwards, line, SOFT);
        }
    }

    /** The cells that a chart covers, from the first column on. */
    record Place(int row, int rows, int columns) {}

    private final Place place;
    private final String xml;

    private ChartPart(Place place, String title, String plot, boolean legend) {
        this.place = place;
        this.xml = "<c:chartSpace xmlns:c=\"" + DRAWING + "chart\" xmlns:a=\"" + DRAWING
                + "main\"><c:roundedCorners"
                + " val=\"0\"/><c:chart><c:title><c:tx><c:rich><a:bodyPr/><a:p><a:pPr><a:defRPr sz=\"1200\""
                + " b=\"1\"/></a:pPr><a:r><a:rPr lang=\"en-US\" sz=\"1200\" b=\"1\"/><a:t>" + escaped(title)
                + "</a:t></a:r></a:p></c:rich></c:tx><c:overlay val=\"0\"/></c:title><c:autoTitleDeleted"
                + " val=\"0\"/><c:plotArea><c:layout/>"
                + plot + "</c:plotArea>"
                + (legend ? "<c:legend><c:legendPos val=\"b\"/><c:overlay val=\"0\"/></c:legend>" : "")
                + "<c:plotVisOnly val=\"1\"/><c:dispBlanksAs val=\"gap\"/></c:chart></c:chartSpace>";
    }

    /** Bars from top to bottom, each of its parts. */
    static ChartPart bars(Chart.StackedBars chart, List<Series> series, Place place) {
        StringBuilder plot = new StringBuilder(
                "<c:barChart><c:barDir val=\"bar\"/><c:grouping val=\"stacked\"/><c:varyColors val=\"0\"/>");
        for (int i = 0; i < series.size(); i++) {
            Series one = series.get(i);
            plot.append(begin(i, one))
                    .append(fill(one.colour))
                    .append("<c:invertIfNegative val=\"0\"/><c:cat><c:strLit>")
                    .append(points(one.across))
                    .append("</c:strLit></c:cat>")
                    .append(numbers("c:val", one.upwards))
                    .append("</c:ser>");
        }
        plot.append("<c:gapWidth val=\"40\"/><c:overlap val=\"100\"/>")
                .append(axes("1", "2"))
                .append("</c:barChart>");
        plot.append("<c:catAx><c:axId val=\"1\"/><c:scaling><c:orientation val=\"maxMin\"/></c:scaling><c:delete"
                + " val=\"0\"/><c:axPos val=\"l\"/><c:numFmt formatCode=\"General\""
                + " sourceLinked=\"0\"/><c:majorTickMark val=\"none\"/><c:minorTickMark"
                + " val=\"none\"/><c:tickLblPos val=\"low\"/><c:crossAx val=\"2\"/><c:crosses"
                + " val=\"autoZero\"/><c:tickLblSkip val=\"1\"/></c:catAx>");
        plot.append(axis("2", "1", "b", new Axis(chart.unit(), false), "high"));
        return new ChartPart(place, chart.title(), plot.toString(), series.size() > 1);
    }

    /** Points in a plane, and the lines beneath them. */
    static ChartPart points(Chart.Scatter chart, List<Series> series, Place place) {
        StringBuilder plot =
                new StringBuilder("<c:scatterChart><c:scatterStyle val=\"lineMarker\"/><c:varyColors val=\"0\"/>");
        for (int i = 0; i < series.size(); i++) {
            Series one = series.get(i);
            plot.append(begin(i, one))
                    .append(one.line ? line(one.colour) : marker(one.colour))
                    .append(numbers("c:xVal", one.across))
                    .append(numbers("c:yVal", one.upwards))
                    .append("<c:smooth val=\"0\"/></c:ser>");
        }
        plot.append(axes(ACROSS + "", UPWARDS + "")).append("</c:scatterChart>");
        plot.append(axis(ACROSS + "", UPWARDS + "", "b", chart.x(), "low"));
        plot.append(axis(UPWARDS + "", ACROSS + "", "l", chart.y(), "low"));
        return new ChartPart(place, chart.title(), plot.toString(), true);
    }

    /** Writes the charts of a sheet, and where they stand. */
    static void write(List<ChartPart> charts, int sheet, Workbook workbook) throws IOException {
        if (charts.isEmpty()) {
            return;
        }
        StringBuilder anchors = new StringBuilder(
                "<xdr:wsDr xmlns:xdr=\"" + DRAWING + "spreadsheetDrawing\" xmlns:a=\"" + DRAWING + "main\">");
        List<String> targets = new ArrayList<>();
        for (int i = 1; i <= charts.size(); i++) {
            ChartPart chart = charts.get(i - 1);
            anchors.append(chart.anchor(i));
            targets.add("../charts/chart" + i + ".xml");
            workbook.part("xl/charts/chart" + i + ".xml", "drawingml.chart", chart.xml);
        }
        workbook.part(
                "xl/drawings/drawing" + sheet + ".xml",
                "drawing",
                anchors.append("</xdr:wsDr>").toString());
        workbook.relations(
                "xl/drawings/_rels/drawing" + sheet + ".xml.rels",
                Collections.nCopies(targets.size(), "chart"),
                targets);
    }

    private String anchor(int number) {
        return "<xdr:twoCellAnchor><xdr:from><xdr:col>0</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>" + place.row
                + "</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:to><xdr:col>" + place.columns
                + "</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>" + (place.row + place.rows)
                + "</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:to><xdr:graphicFrame"
                + " macro=\"\"><xdr:nvGraphicFramePr><xdr:cNvPr id=\""
                + (number + 1)
                + "\" name=\"Chart " + number
                + "\"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr><xdr:xfrm><a:off x=\"0\" y=\"0\"/><a:ext"
                + " cx=\"0\""
                + " cy=\"0\"/></xdr:xfrm><a:graphic><a:graphicData"
                + " uri=\"" + DRAWING + "chart\"><c:chart xmlns:c=\"" + DRAWING + "chart\" xmlns:r=\""
                + Workbook.RELATIONS
                + "\" r:id=\"rId" + number
                + "\"/></a:graphicData></a:graphic></xdr:graphicFrame><xdr:clientData/></xdr:twoCellAnchor>";
    }

    private static String begin(int number, Series series) {
        return "<c:ser><c:idx val=\"" + number + "\"/><c:order val=\"" + number + "\"/><c:tx><c:v>"
                + escaped(series.name) + "</c:v></c:tx>";
    }

    private static String solid(String colour) {
        return "<a:solidFill><a:srgbClr val=\"" + colour + "\"/></a:solidFill>";
    }

    private static String fill(String colour) {
        return "<c:spPr>" + solid(colour) + "</c:spPr>";
    }

    private static String line(String colour) {
        return "<c:spPr><a:ln w=\"" + LINE_WIDTH + "\">" + solid(colour)
                + "</a:ln></c:spPr><c:marker><c:symbol val=\"none\"/></c:marker>";
    }

    private static String marker(String colour) {
        return "<c:spPr><a:ln><a:noFill/></a:ln></c:spPr><c:marker><c:symbol val=\"circle\"/><c:size"
                + " val=\"7\"/><c:spPr>"
                + solid(colour) + "<a:ln><a:noFill/></a:ln></c:spPr></c:marker>";
    }

    private static String numbers(String element, List<String> numbers) {
        return "<" + element + "><c:numLit><c:formatCode>General</c:formatCode>" + points(numbers) + "</c:numLit></"
                + element + ">";
    }

    private static String points(List<String> values) {
        StringBuilder points = new StringBuilder("<c:ptCount val=\"" + values.size() + "\"/>");
        for (int i = 0; i < values.size(); i++) {
            if (!values.get(i).isEmpty()) {
                points.append("<c:pt idx=\"")
                        .append(i)
                        .append("\"><c:v>")
                        .append(escaped(values.get(i)))
                        .append("</c:v></c:pt>");
            }
        }
        return points.toString();
    }

    private static String axes(String one, String other) {
        return "<c:axId val=\"" + one + "\"/><c:axId val=\"" + other + "\"/>";
    }

    private static String axis(String id, String across, String side, Axis axis, String labels) {
        String title = axis.label().isEmpty()
                ? ""
                : "<c:title><c:tx><c:rich><a:bodyPr/><a:p><a:r><a:rPr lang=\"en-US\" sz=\"900\" b=\"0\"/><a:t>"
                        + escaped(axis.label()) + "</a:t></a:r></a:p></c:rich></c:tx><c:overlay val=\"0\"/></c:title>";
        return "<c:valAx><c:axId val=\"" + id + "\"/><c:scaling>"
                + (axis.logarithmic() ? "<c:logBase val=\"10\"/>" : "")
                + "<c:orientation val=\"minMax\"/></c:scaling><c:delete val=\"0\"/><c:axPos val=\"" + side
                + "\"/><c:majorGridlines><c:spPr><a:ln w=\"6350\"><a:solidFill><a:srgbClr"
                + " val=\"DFE3E8\"/></a:solidFill></a:ln></c:spPr></c:majorGridlines>"
                + title
                + "<c:numFmt formatCode=\"General\" sourceLinked=\"0\"/><c:majorTickMark"
                + " val=\"none\"/><c:minorTickMark val=\"none\"/><c:tickLblPos val=\""
                + labels
                + "\"/><c:crossAx val=\"" + across + "\"/><c:crosses val=\"min\"/></c:valAx>";
    }

    private static String escaped(String text) {
        return XmlText.content(SheetText.cell(text));
    }
}
