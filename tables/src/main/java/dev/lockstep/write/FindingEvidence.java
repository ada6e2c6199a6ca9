// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Evidence.Place;
import dev.lockstep.table.Table;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What findings rest on, for programs: rows of tables, with the cells of the first, and places in time. */
final class FindingEvidence {
    private FindingEvidence() {}

    /** Writes the member {@code evidence} of a finding. */
    static void write(List<Evidence> evidence, List<Table> tables, JsonGenerator out) throws IOException {
        out.writeArrayFieldStart("evidence");
        for (Evidence one : evidence) {
            out.writeStartObject();
            switch (one) {
                case Evidence.Rows rows -> rows(rows, tables, out);
                case Evidence.Places places -> {
                    out.writeArrayFieldStart("places");
                    for (Place place : places.places()) {
                        place(place, out);
                    }
                    out.writeEndArray();
                    out.writeNumberField("count", places.count());
                }
                case Evidence.Pairs pairs -> {
                    out.writeArrayFieldStart("pairs");
                    for (Evidence.Pair pair : pairs.pairs()) {
                        out.writeStartObject();
                        place("baseline", pair.baseline(), out);
                        place("candidate", pair.candidate(), out);
                        out.writeEndObject();
                    }
                    out.writeEndArray();
                    out.writeNumberField("count", pairs.count());
                }
                case Evidence.Events events -> JsonReportWriter.text(out, "events", events.name());
                case Evidence.OfRank of -> {
                    out.writeNumberField("rank", of.rank());
                    Place place = of.place();
                    if (place != null) {
                        out.writeArrayFieldStart("places");
                        place(place, out);
                        out.writeEndArray();
                    }
                }
                case Evidence.Page page -> JsonReportWriter.text(out, "page", page.target());
            }
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private static void rows(Evidence.Rows rows, List<Table> tables, JsonGenerator out) throws IOException {
        JsonReportWriter.text(out, "table", rows.sheet());
        out.writeArrayFieldStart("rows");
        for (int line : rows.lines()) {
            out.writeNumber(line);
        }
        out.writeEndArray();
        Table table = named(rows.sheet(), tables);
        if (table != null && !rows.lines().isEmpty() && rows.lines().getFirst() < table.rows()) {
            out.writeObjectFieldStart("first");
            for (int column = 0; column < table.schema().size(); column++) {
                out.writeFieldName(Unicode.wellFormed(table.schema().get(column).header()));
                JsonReportWriter.cell(table, column, rows.lines().getFirst(), out);
            }
            out.writeEndObject();
        }
    }

    private static @Nullable Table named(String name, List<Table> tables) {
        return tables.stream()
                .filter(table -> table.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    private static void place(String name, @Nullable Place place, JsonGenerator out) throws IOException {
        if (place != null) {
            out.writeFieldName(name);
            place(place, out);
        }
    }

    private static void place(Place place, JsonGenerator out) throws IOException {
        out.writeStartObject();
        JsonReportWriter.text(out, "label", place.label());
        out.writeNumberField("start_ns", place.start());
        out.writeNumberField("end_ns", place.end());
        out.writeEndObject();
    }
}
