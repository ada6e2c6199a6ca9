// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.metrics;

import dev.lockstep.report.Report;
import dev.lockstep.table.Table;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.CellText;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a table of reports, as registries name them: {@code TABLE}, or {@code TABLE[HEAD=TEXT]} for rows with a text.
 *
 * @param table its name
 * @param column the head of the column in which rows must have the text; null for all rows
 * @param text the text
 */
public record NamedRows(
        String table, @Nullable String column, @Nullable String text) {
    private static final Pattern SPELT = Pattern.compile("(\\w+)(?:\\[([^=]+)=([^\\]]+)])?");

    /** The rows that these words name. */
    public static NamedRows of(String words) {
        Matcher spelt = SPELT.matcher(words);
        if (!spelt.matches()) {
            throw new IllegalStateException("no rows of a table: " + words);
        }
        return new NamedRows(spelt.group(1), spelt.group(2), spelt.group(3));
    }

    /** The table of a report; null where it has none of this name. */
    public @Nullable Table in(Report report) {
        return report.table(table);
    }

    /** Numbers of the rows, in their order. */
    public List<Integer> lines(Table from) {
        if (column == null) {
            return IntStream.range(0, from.rows()).boxed().toList();
        }
        CellText cells = new CellText(from, from.schema().indexOf(column), CellStyle.PLAIN);
        return IntStream.range(0, from.rows())
                .boxed()
                .filter(line -> cells.at(line).equals(text))
                .toList();
    }
}
