// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.page;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What stands on a page. */
public sealed interface PageItem {
    /** A paragraph. */
    record Text(String text) implements PageItem {}

    /**
     * A picture.
     *
     * @param heading above it, may be empty
     * @param doc below it, what it shows; also read aloud in its place
     * @param png content of a PNG file; null where it is missing. Passes to the record
     * @param missing said in its place where it is missing
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Image(String heading, String doc, byte @Nullable [] png, String missing) implements PageItem {}

    /** Two pictures side by side, each under what it belongs to. */
    record Pair(String leftLabel, Image left, String rightLabel, Image right) implements PageItem {}

    /**
     * A table.
     *
     * @param heading above it
     * @param doc what it says, may be empty
     * @param columns heads
     * @param rows cells by row, as many as columns; those of columns of numbers are numbers or empty
     */
    record Grid(String heading, String doc, List<Column> columns, List<List<String>> rows) implements PageItem {
        public Grid {
            columns = List.copyOf(columns);
            rows = rows.stream().map(List::copyOf).toList();
        }
    }

    /**
     * A column of a table.
     *
     * @param head with the unit
     * @param numeric whether it holds numbers, which are set flush right and sorted by value
     */
    record Column(String head, boolean numeric) {
        /** A column of text. */
        public static Column text(String head) {
            return new Column(head, false);
        }

        /** A column of numbers. */
        public static Column number(String head) {
            return new Column(head, true);
        }
    }
}
