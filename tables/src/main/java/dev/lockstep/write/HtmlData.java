// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import dev.lockstep.report.Answer;
import dev.lockstep.report.Chart;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Report;
import dev.lockstep.report.RunPages;
import dev.lockstep.report.Section;
import dev.lockstep.table.BoolColumn;
import dev.lockstep.table.Column;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.DoubleColumn;
import dev.lockstep.table.LongColumn;
import dev.lockstep.table.StringColumn;
import dev.lockstep.table.Table;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The data that a page carries: JSON inside a script element, and therefore without {@code <}, {@code >}, {@code &} and the
 * line separators of Unicode, all of which are escaped; long data is packed ({@link PackedText}). {@code report.js} reads it
 * and says what it expects.
 *
 * <p>Tables go column by column; texts that repeat go once. A page is for looking, so that a table's rows end at
 * {@value #MOST_ROWS}, its text at {@value #MOST_TEXT} characters and a cell at {@value #LONGEST_CELL}; the page says what
 * it left out.
 */
final class HtmlData {
    static final int MOST_ROWS = 2_000;
    static final int MOST_TEXT = 6_000_000;
    static final int LONGEST_CELL = 6_000;
    static final int MOST_PLACES = 50;
    private static final long MOST_BYTES = 1L << 30;

    private static final double EXACT_INTEGERS = 0x1p53;
    private static final JsonFactory JSON = CellJson.factory();

    private final JsonGenerator out;
    private final List<String> blobs = new ArrayList<>();
    private final RunPages pages;
    private final boolean served;
    private int timelineText;

    private HtmlData(JsonGenerator out, RunPages pages, HtmlWriter.Manner manner) {
        this.out = out;
        this.pages = pages;
        this.served = manner.served();
        this.timelineText =
                (int) Math.max(TimelineData.LEAST_TEXT, Math.min(MOST_BYTES, manner.bytes()) - TimelineData.OTHER_TEXT);
    }

    /** Writes the data, behind it what it refers to as elements of their own, and leaves the stream open. */
    static void write(Report report, HtmlWriter.Manner manner, OutputStream stream) throws IOException {
        List<String> blobs;
        PackedText text = new PackedText();
        try (JsonGenerator out = JSON.createGenerator(text)) {
            out.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
            out.setCharacterEscapes(new ForScriptElements());
            HtmlData data = new HtmlData(out, report.pages(), manner);
            data.report(report);
            blobs = data.blobs;
        }
        text.writeTo(stream);
        for (int i = 0; i < blobs.size(); i++) {
            String open = "</script>\n<script type=\"text/plain\" id=\"" + blob(i) + "\">";
            stream.write(open.getBytes(StandardCharsets.US_ASCII));
            stream.write(blobs.get(i).getBytes(StandardCharsets.US_ASCII));
        }
    }

    private void report(Report report) throws IOException {
        out.writeStartObject();
        text("title", report.title());
        text("subtitle", report.subtitle());
        out.writeArrayFieldStart("trust");
        for (String line : report.trust().lines()) {
            out.writeString(line);
        }
        out.writeEndArray();
        answer(report.answer());
        pages();
        out.writeArrayFieldStart("sections");
        for (Section section : report.sections()) {
            if (section instanceof Section.AnswerSection) {
                continue;
            }
            out.writeStartObject();
            switch (section) {
                case Section.AnswerSection ignored -> {}
                case Section.TableSection s -> table(s.table(), report.titleOf(s.table()), s.places());
                case Section.ChartSection s -> chart(s.chart());
                case Section.FindingsSection s -> findings(s);
                case Section.FactsSection s -> facts(s);
                case Section.LinksSection s -> links(s);
                case Section.NotApplicable s -> notApplicable(s);
            }
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    /** Null where none is given. */
    private void answer(@Nullable Answer answer) throws IOException {
        if (answer == null) {
            out.writeNullField("answer");
            return;
        }
        out.writeObjectFieldStart("answer");
        text("text", answer.verdict().text());
        out.writeNumberField("steps", answer.steps());
        out.writeNumberField("of", answer.verdict().ofNs());
        out.writeNumberField("together", answer.togetherNs());
        out.writeArrayFieldStart("actions");
        for (Answer.Action action : answer.actions()) {
            out.writeStartObject();
            text("id", action.id());
            out.writeNumberField("gain", action.gainNs());
            out.writeNumberField("low", action.lowNs());
            out.writeNumberField("high", action.highNs());
            out.writeNumberField("of", action.ofNs());
            text("text", action.text());
            text("snippet", action.snippet());
            text("check", action.check());
            text("assumption", action.assumption());
            evidence(action.evidence());
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    /** Where the other pages of the run lie. */
    private void pages() throws IOException {
        out.writeObjectFieldStart("pages");
        if (!pages.run().isEmpty()) {
            text("run", address(pages.run()));
            text("place", pages.place());
        }
        out.writeNumberField("rank", pages.rank());
        out.writeArrayFieldStart("ranks");
        for (RunPages.RankPage page : pages.ranks()) {
            out.writeStartObject();
            out.writeNumberField("rank", page.rank());
            text("target", address(page.target()));
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    private void facts(Section.FactsSection section) throws IOException {
        text("kind", "facts");
        text("title", section.title());
        out.writeArrayFieldStart("facts");
        for (Section.Fact fact : section.facts()) {
            out.writeStartObject();
            text("label", fact.label());
            text("value", fact.value());
            text("doc", fact.doc());
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private void findings(Section.FindingsSection section) throws IOException {
        text("kind", "findings");
        text("title", section.title());
        out.writeArrayFieldStart("findings");
        for (Finding finding : section.findings()) {
            out.writeStartObject();
            text("severity", finding.severity().name().toLowerCase(Locale.ROOT));
            text("code", finding.code());
            text("text", finding.text());
            text("basis", finding.basis());
            evidence(finding.evidence());
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    /** What of it can be reached from here. */
    private void evidence(List<Evidence> all) throws IOException {
        out.writeArrayFieldStart("evidence");
        for (Evidence evidence : all) {
            if (isReachable(evidence)) {
                out.writeStartObject();
                evidence(evidence);
                out.writeEndObject();
            }
        }
        out.writeEndArray();
    }

    private void evidence(Evidence evidence) throws IOException {
        switch (evidence) {
            case Evidence.Rows rows -> {
                text("kind", "rows");
                text("sheet", rows.sheet());
                integers(
                        "lines",
                        rows.lines().stream().mapToInt(Integer::intValue).toArray());
            }
            case Evidence.Places places -> places(places.count(), places.places(), this::place);
            case Evidence.Pairs pairs -> places(pairs.count(), pairs.pairs(), this::sides);
            case Evidence.Events events -> {
                text("kind", "events");
                text("name", events.name());
            }
            case Evidence.Page page -> {
                text("kind", "page");
                text("target", address(page.target()));
                text("label", page.label());
            }
            case Evidence.OfRank one -> rank(one);
        }
    }

    /** Its page, or, where it has none, its file. */
    private void rank(Evidence.OfRank one) throws IOException {
        Evidence.Place place = one.place();
        text("label", "rank " + one.rank());
        RunPages.RankPage page = pageOf(one.rank());
        if (page != null) {
            text("kind", "page");
            text(
                    "target",
                    address(page.target())
                            + (place == null ? "" : "#timeline&at=" + place.start() + "-" + place.end()));
            if (place != null) {
                text("place", place.label());
            }
            return;
        }
        String file = Objects.requireNonNull(pages.traces().get(one.rank()));
        boolean shared = Collections.frequency(pages.traces().values(), file) > 1;
        text("kind", "rank");
        text("file", file);
        texts("ranks", shared ? List.of(Integer.toString(one.rank())) : List.of());
        if (place != null && !shared) {
            text("from", Long.toString(place.start()));
            text("to", Long.toString(place.end()));
        }
    }

    /** Writes the members of an object. */
    @FunctionalInterface
    private interface PlaceWriter<T> {
        void write(T of) throws IOException;
    }

    /** The first of them, and how many there are. */
    private <T> void places(long count, List<T> all, PlaceWriter<T> members) throws IOException {
        text("kind", "places");
        out.writeNumberField("count", count);
        out.writeArrayFieldStart("places");
        for (T one : all.subList(0, Math.min(MOST_PLACES, all.size()))) {
            out.writeStartObject();
            members.write(one);
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private void place(Evidence.Place place) throws IOException {
        text("label", place.label());
        text("from", Long.toString(place.start()));
        out.writeNumberField("length", place.length());
    }

    /** Each with the number of its side; where both are there, the candidate's as {@code partner} of the baseline's. */
    private void sides(Evidence.Pair pair) throws IOException {
        Evidence.Place baseline = pair.baseline();
        Evidence.Place candidate = pair.candidate();
        if (baseline != null) {
            out.writeNumberField("side", 0);
            place(baseline);
        }
        if (candidate != null) {
            if (baseline != null) {
                out.writeObjectFieldStart("partner");
            }
            out.writeNumberField("side", 1);
            place(candidate);
            if (baseline != null) {
                out.writeEndObject();
            }
        }
    }

    /** Whether the page or the file that it is on is known. */
    private boolean isReachable(Evidence evidence) {
        return !(evidence instanceof Evidence.OfRank one)
                || pageOf(one.rank()) != null
                || pages.traces().containsKey(one.rank());
    }

    private RunPages.@Nullable RankPage pageOf(int rank) {
        for (RunPages.RankPage page : pages.ranks()) {
            if (page.rank() == rank) {
                return page;
            }
        }
        return null;
    }

    /** Where something leads to; null for nowhere. */
    private void lead(Evidence lead) throws IOException {
        if (lead.isEmpty() || !isReachable(lead)) {
            out.writeNull();
            return;
        }
        out.writeStartObject();
        evidence(lead);
        out.writeEndObject();
    }

    private void links(Section.LinksSection section) throws IOException {
        text("kind", "links");
        text("title", section.title());
        out.writeArrayFieldStart("links");
        for (Section.Link link : section.links()) {
            out.writeStartObject();
            text("label", link.label());
            text("target", address(link.target()));
            text("doc", link.doc());
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    /** A relative path as a relative address, which no name can turn into another kind. */
    private static String address(String path) {
        StringBuilder address = new StringBuilder("./");
        for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
            boolean plain =
                    b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z' || "/._-".indexOf(b) >= 0;
            if (plain) {
                address.append((char) b);
            } else {
                address.append(String.format(Locale.ROOT, "%%%02X", b));
            }
        }
        return address.toString();
    }

    private void notApplicable(Section.NotApplicable section) throws IOException {
        text("kind", "not-applicable");
        text("name", section.name());
        text("reason", section.reason());
    }

    private void chart(Chart chart) throws IOException {
        switch (chart) {
            case Chart.StackedBars bars -> bars(bars);
            case Chart.Timeline timeline -> timeline(timeline);
            case Chart.Scatter scatter -> scatter(scatter);
            case Chart.Heat heat -> heat(heat);
            case Chart.Waterfall waterfall -> waterfall(waterfall);
            case Chart.Icicle icicle -> icicle(icicle);
        }
        text("title", chart.title());
        text("doc", chart.doc());
    }

    private void bars(Chart.StackedBars chart) throws IOException {
        text("kind", "bars");
        out.writeBooleanField("shares", chart.shares());
        text("unit", chart.unit());
        texts("parts", chart.parts());
        out.writeArrayFieldStart("bars");
        for (Chart.Bar bar : chart.bars()) {
            out.writeStartObject();
            text("label", bar.label());
            numbers("values", bar.values());
            Evidence lead = bar.lead();
            if (lead != null) {
                out.writeFieldName("lead");
                lead(lead);
            }
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private void scatter(Chart.Scatter chart) throws IOException {
        text("kind", "scatter");
        axis("x", chart.x());
        axis("y", chart.y());
        out.writeArrayFieldStart("series");
        for (Chart.Points points : chart.series()) {
            out.writeStartObject();
            text("name", points.name());
            out.writeBooleanField("connected", points.connected());
            numbers("x", points.x());
            numbers("y", points.y());
            numbers("weight", points.weight());
            texts("labels", points.labels());
            leads(points.leads());
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeArrayFieldStart("lines");
        for (Chart.Polyline line : chart.lines()) {
            out.writeStartObject();
            text("name", line.name());
            numbers("x", line.x());
            numbers("y", line.y());
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private void axis(String name, Chart.Axis axis) throws IOException {
        out.writeObjectFieldStart(name);
        text("label", axis.label());
        out.writeBooleanField("logarithmic", axis.logarithmic());
        out.writeEndObject();
    }

    private void heat(Chart.Heat chart) throws IOException {
        text("kind", "heat");
        text("scale", chart.scale().name().toLowerCase(Locale.ROOT));
        text("unit", chart.unit());
        texts("rows", chart.rows());
        texts("columns", chart.columns());
        out.writeArrayFieldStart("values");
        for (double[] row : chart.values()) {
            numbers(row);
        }
        out.writeEndArray();
        leads(chart.leads());
    }

    private void leads(List<Evidence> leads) throws IOException {
        out.writeArrayFieldStart("leads");
        for (Evidence lead : leads) {
            lead(lead);
        }
        out.writeEndArray();
    }

    private void waterfall(Chart.Waterfall chart) throws IOException {
        text("kind", "waterfall");
        text("unit", chart.unit());
        text("fromLabel", chart.fromLabel());
        out.writeFieldName("from");
        number(chart.from());
        text("toLabel", chart.toLabel());
        out.writeArrayFieldStart("steps");
        for (Chart.Contribution step : chart.steps()) {
            out.writeStartObject();
            text("label", step.label());
            out.writeFieldName("value");
            number(step.value());
            out.writeFieldName("lead");
            lead(step.lead());
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeFieldName("totals");
        lead(chart.totals());
    }

    private void icicle(Chart.Icicle chart) throws IOException {
        text("kind", "icicle");
        text("unit", chart.unit());
        out.writeArrayFieldStart("boxes");
        for (Chart.Box box : chart.boxes()) {
            out.writeStartObject();
            text("label", box.label());
            text("kind", box.kind());
            out.writeNumberField("parent", box.parent());
            out.writeFieldName("value");
            number(box.value());
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private void timeline(Chart.Timeline chart) throws IOException {
        text("kind", "timeline");
        text("origin", Long.toString(chart.startNs()));
        out.writeNumberField("length", Math.max(0, chart.endNs() - chart.startNs()));
        out.writeBooleanField("served", served);
        List<Chart.TimelineSide> sides = sides(chart);
        texts("classes", chart.classes());
        texts("names", chart.texts().names());
        texts("details", chart.texts().details());
        List<TimelineData.Group> groups = TimelineData.groups(chart, timelineText);
        out.writeArrayFieldStart("groups");
        for (TimelineData.Group group : groups) {
            timelineText = Math.max(0, timelineText - group.packed().length());
            out.writeStartObject();
            text("data", blob(blobs.size()));
            blobs.add(group.packed());
            out.writeArrayFieldStart("rows");
            for (TimelineData.Row row : group.rows()) {
                out.writeStartObject();
                text("label", row.row().label());
                text("group", row.row().head().group());
                out.writeBooleanField("counter", row.row().head().counter());
                text("unit", row.row().head().unit());
                out.writeFieldName("step");
                number(row.row().head().step());
                Chart.TimelineSide side = row.row().head().side();
                if (side != null) {
                    out.writeNumberField("side", sides.indexOf(side));
                }
                numbersOf(row);
                out.writeEndObject();
            }
            out.writeEndArray();
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    /** The recordings of a timeline that shows several. */
    private List<Chart.TimelineSide> sides(Chart.Timeline chart) throws IOException {
        List<Chart.TimelineSide> sides = chart.rows().stream()
                .flatMap(row -> Stream.ofNullable(row.head().side()))
                .distinct()
                .sorted(Comparator.comparing(Chart.TimelineSide::label))
                .toList();
        if (!sides.isEmpty()) {
            out.writeArrayFieldStart("sides");
            for (Chart.TimelineSide side : sides) {
                out.writeStartObject();
                text("label", side.label());
                text("source", side.source());
                text("origin", Long.toString(side.originNs()));
                out.writeEndObject();
            }
            out.writeEndArray();
        }
        return sides;
    }

    private void numbersOf(TimelineData.Row row) throws IOException {
        out.writeNumberField("n", row.row().start().length);
        out.writeNumberField("first", row.first());
        out.writeNumberField("bucket", row.bucketNs());
        out.writeNumberField("busy", row.busy());
        integers("widths", row.widths());
    }

    /** A part of a row by itself, for pages that ask for it. */
    static byte[] tile(TimelineData.Group tile) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = JSON.createGenerator(bytes)) {
            out.writeStartObject();
            new HtmlData(out, RunPages.NONE, HtmlWriter.Manner.USUAL)
                    .numbersOf(tile.rows().getFirst());
            out.writeStringField("data", tile.packed());
            out.writeEndObject();
        }
        return bytes.toByteArray();
    }

    private static String blob(int number) {
        return "slices-" + number;
    }

    private void table(Table table, String title, List<Evidence> places) throws IOException {
        int rows = rowsThatFit(table);
        text("kind", "table");
        text("name", table.name());
        text("title", title);
        out.writeNumberField("total", table.rows());
        out.writeNumberField("rows", rows);
        out.writeArrayFieldStart("places");
        for (Evidence place : places.subList(0, Math.min(rows, places.size()))) {
            lead(place);
        }
        out.writeEndArray();
        integers("order", LeadingColumns.of(table.schema()));
        out.writeArrayFieldStart("columns");
        for (int column = 0; column < table.schema().size(); column++) {
            ColumnSpec spec = table.schema().get(column);
            out.writeStartObject();
            text("header", spec.header());
            text("label", spec.label());
            text("type", spec.type().name().toLowerCase(Locale.ROOT));
            text("unit", spec.shown().symbol());
            text("role", spec.shown().name().toLowerCase(Locale.ROOT));
            text("doc", spec.doc());
            cells(table, column, rows);
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private void cells(Table table, int column, int rows) throws IOException {
        Column cells = table.columns().get(column);
        if (cells instanceof StringColumn texts) {
            strings(texts, rows);
            return;
        }
        CellText spelt = new CellText(table, column, CellStyle.PLAIN);
        out.writeArrayFieldStart("cells");
        for (int row = 0; row < rows; row++) {
            if (cells.isMissing(row)) {
                out.writeNull();
                continue;
            }
            switch (cells) {
                case BoolColumn c -> out.writeBoolean(c.get(row));
                case LongColumn c -> exact((double) c.get(row), spelt.at(row));
                case DoubleColumn c -> exact(c.get(row), spelt.at(row));
                case StringColumn c -> throw new IllegalStateException();
            }
        }
        out.writeEndArray();
    }

    /** A number as such where the browser's numbers hold it, else as text. */
    private void exact(double value, String spelt) throws IOException {
        boolean whole = spelt.indexOf('.') < 0 && spelt.indexOf('e') < 0;
        if (Double.isInfinite(value) || (whole && Math.abs(value) > EXACT_INTEGERS)) {
            out.writeString(spelt);
        } else {
            out.writeNumber(spelt);
        }
    }

    /** Texts that repeat are written once and pointed at. */
    private void strings(StringColumn texts, int rows) throws IOException {
        Map<String, Integer> distinct = new LinkedHashMap<>();
        for (int row = 0; row < rows; row++) {
            String text = texts.get(row);
            if (text != null) {
                distinct.putIfAbsent(text, distinct.size());
            }
        }
        out.writeArrayFieldStart("texts");
        for (String text : distinct.keySet()) {
            out.writeString(cut(text));
        }
        out.writeEndArray();
        out.writeArrayFieldStart("cells");
        for (int row = 0; row < rows; row++) {
            String text = texts.get(row);
            Integer index = text == null ? null : distinct.get(text);
            if (index == null) {
                out.writeNull();
            } else {
                out.writeNumber((int) index);
            }
        }
        out.writeEndArray();
    }

    private static int rowsThatFit(Table table) {
        int rows = Math.min(table.rows(), MOST_ROWS);
        long text = 0;
        for (int row = 0; row < rows; row++) {
            for (Column cells : table.columns()) {
                String cell = cells instanceof StringColumn texts ? texts.get(row) : null;
                text += cell == null ? 8 : Math.min(cell.length(), LONGEST_CELL);
            }
            if (text > MOST_TEXT) {
                return row + 1;
            }
        }
        return rows;
    }

    private static String cut(String text) {
        if (text.length() <= LONGEST_CELL) {
            return Unicode.wellFormed(text);
        }
        return Unicode.wellFormed(Unicode.head(text, LONGEST_CELL)) + "… (cut here; " + text.length() + " characters)";
    }

    private void number(double value) throws IOException {
        if (Double.isFinite(value)) {
            out.writeNumber(Numbers.plain(value));
        } else {
            out.writeNull();
        }
    }

    private void numbers(String name, double[] values) throws IOException {
        out.writeFieldName(name);
        numbers(values);
    }

    private void numbers(double[] values) throws IOException {
        out.writeStartArray();
        for (double value : values) {
            number(value);
        }
        out.writeEndArray();
    }

    private void integers(String name, int[] values) throws IOException {
        out.writeFieldName(name);
        out.writeArray(values, 0, values.length);
    }

    private void texts(String name, Iterable<String> values) throws IOException {
        out.writeArrayFieldStart(name);
        for (String value : values) {
            out.writeString(cut(value));
        }
        out.writeEndArray();
    }

    private void text(String name, String value) throws IOException {
        out.writeStringField(name, cut(value));
    }

    /** No text can end the script element, open another, or end a line of a script. */
    private static final class ForScriptElements extends CharacterEscapes {
        private static final long serialVersionUID = 1;

        @Override
        public int[] getEscapeCodesForAscii() {
            int[] codes = standardAsciiEscapesForJSON();
            codes['<'] = ESCAPE_STANDARD;
            codes['>'] = ESCAPE_STANDARD;
            codes['&'] = ESCAPE_STANDARD;
            return codes;
        }

        @Override
        public @Nullable SerializableString getEscapeSequence(int c) {
            return switch (c) {
                case 0x2028 -> new SerializedString("\\u2028");
                case 0x2029 -> new SerializedString("\\u2029");
                default -> null;
            };
        }
    }
}
