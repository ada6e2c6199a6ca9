// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Times of answers, which DuckDB spells: those that Java makes of them depend on the machine's time zone, and none are infinite
 * or 24:00:00.
 */
final class TimeTypes {
    /** Types of times, or of what may hold one, within a type, and what is in quotes. Names stand before the types of members. */
    private static final Pattern QUOTED_OR_TIME = Pattern.compile(
            "\"[^\"]*\"|'[^']*'|\\b(?:DATE|VARIANT|TIME(?:STAMP)?(?:_\\w+)?(?: WITH TIME ZONE)?)(?=[,)\\[]|$)");

    private TimeTypes() {}

    /** The type with text in the place of each time, as in {@code STRUCT(a VARCHAR[], b BIGINT)}; without times the same. */
    static String spelt(String type) {
        return QUOTED_OR_TIME
                .matcher(type)
                .replaceAll(found -> "\"'".indexOf(found.group().charAt(0)) < 0
                        ? "VARCHAR"
                        : Matcher.quoteReplacement(found.group()));
    }

    /** A column of this type with times as text, as SQL has it. */
    static String spelt(String column, String type) {
        String text = spelt(type);
        return text.equals(type) ? column : "CAST(" + column + " AS " + text + ")";
    }

    /**
     * A query with times as text. Places in its errors are those in the query.
     *
     * @param types those of its columns
     */
    static String spelt(String query, List<String> types) {
        if (types.stream().allMatch(type -> spelt(type).equals(type))) {
            return query;
        }
        List<String> names = new ArrayList<>();
        List<String> cells = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            names.add("c" + i);
            cells.add(spelt("c" + i, types.get(i)));
        }
        return "FROM query(" + DuckDatabase.text(query) + ") AS t(" + String.join(", ", names) + ") SELECT "
                + String.join(", ", cells);
    }
}
