// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.report.Answer;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Subject;
import dev.lockstep.table.BoolColumn;
import dev.lockstep.table.Column;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.ColumnType;
import dev.lockstep.table.DoubleColumn;
import dev.lockstep.table.LongColumn;
import dev.lockstep.table.StringColumn;
import dev.lockstep.table.Table;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One JSON document, strict enough for any parser: no NaN, no Infinity, no halves of surrogate pairs. Its schema is
 * {@code docs/reference/report.schema.json}.
 *
 * <pre>
 * {"format": {"name": "lockstep report", "version": 2},
 *  "title": "...", "subtitle": "...",
 *  "trust": {"verdict": "limited",
 *            "reasons": [{"code": "...", "count": 40, "of": 80, "share": 0.5, "text": "...", "withheld": ["idle"], "advice": "..."}]},
 *  "verdict": {"class": "input-bound", "share": 0.53, "text": "...", "of_ns": 1210000000},
 *  "actions": [{"id": "load_ahead", "gain_ns": 636000000, "low_ns": 636000000, "high_ns": 636000000, "of_ns": 1210000000,
 *               "text": "...", "snippet": "...", "check": "...", "assumption": "...", "evidence": [...]}],
 *  "together": {"gain_ns": 800000000, "of_ns": 1210000000},
 *  "facts":          [{"section": "...", "label": "...", "value": "...", "number": 12, "unit": "ns", "doc": "..."}],
 *  "findings":       [{"section": "...", "severity": "problem", "code": "...", "text": "...", "basis": "...",
 *                      "sql": "SELECT ...", "subject": {"kind": "rank", "rank": 3},
 *                      "gain_ns": 45000000, "of_ns": 314000000, "confidence": 0.9,
 *                      "evidence": [{"table": "...", "rows": [0, 4], "first": {"header": 12.345}},
 *                                   {"places": [{"label": "...", "start_ns": 1, "end_ns": 2}], "count": 1}]}],
 *  "not_applicable": [{"name": "...", "reason": "..."}],
 *  "tables": [{"name": "...", "title": "...",
 *              "columns": [{"id": "...", "header": "...", "type": "double", "unit": "µs", "doc": "..."}],
 *              "rows": [["...", 12.345, null, [[32, 64]]]]}]}
 * </pre>
 *
 * <p>Numbers are exact and in the unit of their column, whose type says whether they may have fractions ({@code double}) or
 * not ({@code long}); a missing or infinite one is null. Structured cells are values of the document. The style is not looked
 * at: JSON has one spelling. Charts are left out, their numbers stand in tables.
 */
public final class JsonReportWriter implements ReportWriter {
    private static final JsonFactory JSON = CellJson.factory();

    /** Of the document; version 1 said of all numbers that were stored as integers that they are. */
    private static final int VERSION = 2;

    @Override
    public String id() {
        return "json";
    }

    @Override
    public String help() {
        return "Write everything as one JSON document.";
    }

    @Override
    public String ending() {
        return ".json";
    }

    @Override
    public void write(Report report, Path target, CellStyle style) throws IOException {
        try (OutputStream file = NamedFiles.out(target);
                JsonGenerator out = JSON.createGenerator(file)) {
            DefaultIndenter lines = new DefaultIndenter(" ", "\n");
            out.setPrettyPrinter(new DefaultPrettyPrinter().withObjectIndenter(lines));
            out.writeStartObject();
            out.writeObjectFieldStart("format");
            text(out, "name", "lockstep report");
            out.writeNumberField("version", VERSION);
            out.writeEndObject();
            text(out, "title", report.title());
            text(out, "subtitle", report.subtitle());
            out.writeFieldName("trust");
            out.writeRawValue(TrustJson.of(report.trust()).toString());
            answer(report, out);
            facts(report, out);
            findings(report, out);
            notApplicable(report, out);
            out.writeArrayFieldStart("tables");
            for (Table table : report.tables()) {
                table(table, out);
            }
            out.writeEndArray();
            out.writeEndObject();
            out.writeRaw('\n');
        }
    }

    /** Null and nothing stand where no answer is given. */
    private static void answer(Report report, JsonGenerator out) throws IOException {
        Answer answer = report.answer();
        if (answer == null) {
            out.writeNullField("verdict");
        } else {
            out.writeObjectFieldStart("verdict");
            text(out, "class", answer.verdict().boundBy());
            out.writeNumberField("share", answer.verdict().share());
            text(out, "text", answer.verdict().text());
            out.writeNumberField("of_ns", answer.verdict().ofNs());
            out.writeEndObject();
        }
        out.writeArrayFieldStart("actions");
        for (Answer.Action action : answer == null ? List.<Answer.Action>of() : answer.actions()) {
            out.writeStartObject();
            text(out, "id", action.id());
            out.writeNumberField("gain_ns", action.gainNs());
            out.writeNumberField("low_ns", action.lowNs());
            out.writeNumberField("high_ns", action.highNs());
            out.writeNumberField("of_ns", action.ofNs());
            text(out, "text", action.text());
            text(out, "snippet", action.snippet());
            text(out, "check", action.check());
            text(out, "assumption", action.assumption());
            FindingEvidence.write(action.evidence(), report.tables(), out);
            out.writeEndObject();
        }
        out.writeEndArray();
        if (answer == null || answer.togetherNs() < 0) {
            out.writeNullField("together");
        } else {
            out.writeObjectFieldStart("together");
            out.writeNumberField("gain_ns", answer.togetherNs());
            out.writeNumberField("of_ns", answer.verdict().ofNs());
            out.writeEndObject();
        }
    }

    private static void facts(Report report, JsonGenerator out) throws IOException {
        out.writeArrayFieldStart("facts");
        for (Section section : report.sections()) {
            if (section instanceof Section.FactsSection facts) {
                for (Section.Fact fact : facts.facts()) {
                    out.writeStartObject();
                    text(out, "section", facts.title());
                    text(out, "label", fact.label());
                    text(out, "value", fact.value());
                    if (!Double.isNaN(fact.number())) {
                        out.writeFieldName("number");
                        number(fact.number(), Numbers.plain(fact.number()), out);
                        text(out, "unit", fact.unit().symbol());
                    }
                    text(out, "doc", fact.doc());
                    out.writeEndObject();
                }
            }
        }
        out.writeEndArray();
    }

    private static void findings(Report report, JsonGenerator out) throws IOException {
        out.writeArrayFieldStart("findings");
        for (Section section : report.sections()) {
            if (section instanceof Section.FindingsSection findings) {
                for (Finding finding : findings.findings()) {
                    out.writeStartObject();
                    text(out, "section", findings.title());
                    text(out, "severity", finding.severity().name().toLowerCase(Locale.ROOT));
                    text(out, "code", finding.code());
                    text(out, "text", finding.text());
                    text(out, "basis", finding.basis());
                    String query = FindingQuery.of(finding, report.tables());
                    if (query == null) {
                        out.writeNullField("sql");
                    } else {
                        text(out, "sql", query);
                    }
                    subject(finding.subject(), out);
                    gain(finding.gain(), out);
                    FindingEvidence.write(finding.evidence(), report.tables(), out);
                    out.writeEndObject();
                }
            }
        }
        out.writeEndArray();
    }

    private static void subject(@Nullable Subject subject, JsonGenerator out) throws IOException {
        if (subject == null) {
            out.writeNullField("subject");
            return;
        }
        out.writeObjectFieldStart("subject");
        text(out, "kind", subject.kind());
        switch (subject) {
            case Subject.OfRank of -> out.writeNumberField("rank", of.rank());
            case Subject.OfRanks of -> {
                out.writeArrayFieldStart("ranks");
                for (int rank : of.ranks()) {
                    out.writeNumber(rank);
                }
                out.writeEndArray();
            }
            case Subject.Named named -> text(out, "name", named.name());
        }
        out.writeEndObject();
    }

    /** Null stands where no gain is claimed. */
    private static void gain(Finding.@Nullable Gain gain, JsonGenerator out) throws IOException {
        if (gain == null) {
            out.writeNullField("gain_ns");
            out.writeNullField("of_ns");
            out.writeNullField("confidence");
            return;
        }
        out.writeNumberField("gain_ns", gain.ns());
        out.writeNumberField("of_ns", gain.ofNs());
        if (Double.isNaN(gain.confidence())) {
            out.writeNullField("confidence");
        } else {
            out.writeNumberField("confidence", gain.confidence());
        }
    }

    private static void notApplicable(Report report, JsonGenerator out) throws IOException {
        out.writeArrayFieldStart("not_applicable");
        for (Section section : report.sections()) {
            if (section instanceof Section.NotApplicable missing) {
                out.writeStartObject();
                text(out, "name", missing.name());
                text(out, "reason", missing.reason());
                out.writeEndObject();
            }
        }
        out.writeEndArray();
    }

    private static void table(Table table, JsonGenerator out) throws IOException {
        out.writeStartObject();
        text(out, "name", table.name());
        text(out, "title", table.title());
        out.writeArrayFieldStart("columns");
        for (ColumnSpec column : table.schema().columns()) {
            out.writeStartObject();
            text(out, "id", column.id());
            text(out, "header", column.header());
            text(out, "type", type(column).name().toLowerCase(Locale.ROOT));
            text(out, "unit", column.shown().symbol());
            text(out, "doc", column.doc());
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeArrayFieldStart("rows");
        CellText[] numbers = new CellText[table.schema().size()];
        for (int column = 0; column < numbers.length; column++) {
            numbers[column] = new CellText(table, column, CellStyle.PLAIN);
        }
        for (int row = 0; row < table.rows(); row++) {
            out.writeRaw(row == 0 ? "\n" : "");
            out.writeStartArray();
            for (int column = 0; column < numbers.length; column++) {
                boolean structured = table.schema().get(column).type() != ColumnType.STRING;
                cell(table.columns().get(column), row, structured, numbers[column], out);
            }
            out.writeEndArray();
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    /** The type of what is shown: a whole number of ns is no whole number of ms. */
    private static ColumnType type(ColumnSpec column) {
        boolean fractions = column.type() == ColumnType.LONG
                && column.shown().scale() > column.unit().scale();
        return fractions ? ColumnType.DOUBLE : column.type();
    }

    /** Writes a cell as the value that it is. */
    static void cell(Table table, int column, int row, JsonGenerator out) throws IOException {
        boolean structured = table.schema().get(column).type() != ColumnType.STRING;
        cell(table.columns().get(column), row, structured, new CellText(table, column, CellStyle.PLAIN), out);
    }

    private static void cell(Column cells, int row, boolean structured, CellText number, JsonGenerator out)
            throws IOException {
        if (cells.isMissing(row)) {
            out.writeNull();
            return;
        }
        switch (cells) {
            case LongColumn c -> out.writeNumber(number.at(row));
            case DoubleColumn c -> number(c.get(row), number.at(row), out);
            case BoolColumn c -> out.writeBoolean(c.get(row));
            case StringColumn c -> string(c.get(row), structured, out);
        }
    }

    private static void number(double value, String spelt, JsonGenerator out) throws IOException {
        if (Double.isInfinite(value)) {
            out.writeNull();
        } else {
            out.writeNumber(spelt);
        }
    }

    private static void string(@Nullable String cell, boolean structured, JsonGenerator out) throws IOException {
        if (cell == null) {
            out.writeNull();
        } else if (structured) {
            CellJson.copy(JSON, cell, out);
        } else {
            out.writeString(Unicode.wellFormed(cell));
        }
    }

    static void text(JsonGenerator out, String name, String value) throws IOException {
        out.writeStringField(name, Unicode.wellFormed(value));
    }
}
