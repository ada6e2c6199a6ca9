// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.codec.JsonObject;
import dev.lockstep.codec.JsonOut;
import dev.lockstep.publish.metrics.NamedRows;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.table.ColumnType;
import dev.lockstep.table.Table;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.CellText;
import dev.lockstep.write.Unicode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A question about a report that cells of one of its tables answer.
 *
 * @param name what the user types
 * @param asks the question in words
 * @param places where the answer stands; the first table that the report has
 */
record Question(String name, String asks, List<Place> places) {
    /**
     * Rows of a table.
     *
     * @param rows which ones
     * @param columns heads of the columns that answer; those that the table lacks are left out
     * @param greatest the head of the column whose greatest numbers come first; null for the order of the table
     * @param most how many rows at most
     */
    record Place(
            NamedRows rows, List<String> columns, @Nullable String greatest, int most) {}

    /**
     * What answers a question.
     *
     * @param lines numbers of the rows in the table, from 0
     * @param columns numbers of the columns
     */
    record Answer(Question question, Table table, List<Integer> lines, List<Integer> columns) {
        List<String> heads() {
            return columns.stream()
                    .map(column -> table.schema().get(column).header())
                    .toList();
        }

        boolean isNumber(int column) {
            ColumnType type = table.schema().get(column).type();
            return type == ColumnType.LONG || type == ColumnType.DOUBLE;
        }

        String text(int column, int line) {
            return Unicode.wellFormed(new CellText(table, column, CellStyle.PLAIN).at(line));
        }

        /** As one JSON document: each cell by the head of its column, numbers as the table has them. */
        JsonObject json() {
            List<JsonObject> rows = new ArrayList<>();
            for (int line : lines) {
                JsonObject cells = new JsonObject();
                for (int column : columns) {
                    String text = text(column, line);
                    boolean number = isNumber(column);
                    cells.with(
                            table.schema().get(column).header(),
                            text.isEmpty() ? null : number ? new JsonOut.Spelt(text) : text);
                }
                rows.add(new JsonObject().with("row", line).with("cells", cells));
            }
            return new JsonObject()
                    .with(
                            "format",
                            new JsonObject().with("name", "lockstep answer").with("version", 1))
                    .with("question", question.name)
                    .with("asks", question.asks)
                    .with("table", table.name())
                    .with("rows", rows);
        }
    }

    /** The answer; null where the report has none of the tables. */
    @Nullable
    Answer of(Report report) {
        for (Place place : places) {
            Table table = place.rows.in(report);
            if (table != null) {
                return new Answer(this, table, lines(place, table), columns(place, table));
            }
        }
        return null;
    }

    /** Why the report lacks the tables, as far as it says; null where it does not. */
    @Nullable
    String reason(Report report) {
        for (Section section : report.sections()) {
            if (section instanceof Section.NotApplicable(String table, String why)
                    && places.stream().anyMatch(place -> place.rows.table().equals(table))) {
                return table + ": " + why;
            }
        }
        return null;
    }

    private static List<Integer> columns(Place place, Table table) {
        return place.columns.stream()
                .map(head -> table.schema().indexOf(head))
                .filter(column -> column >= 0)
                .toList();
    }

    private static List<Integer> lines(Place place, Table table) {
        Stream<Integer> lines = place.rows.lines(table).stream();
        if (place.greatest != null) {
            int column = table.schema().indexOf(place.greatest);
            lines = lines.sorted(Comparator.comparingDouble((Integer line) -> {
                        double value = table.shown(column, line);
                        return Double.isNaN(value) ? Double.NEGATIVE_INFINITY : value;
                    })
                    .reversed());
        }
        return lines.limit(place.most).toList();
    }
}
