// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The tables of one recording in a file, which may hold several: their names end alike. Views over them leave rows out and
 * are not asked.
 */
final class RocpdTables {
    static final String DISPATCHES = "kernel_dispatch";
    static final String COPIES = "memory_copy";
    static final String REGIONS = "region";
    static final String EVENTS = "event";
    private static final String PREFIX = "rocpd_";

    /** What a recording has a table of at least one of. */
    private static final Pattern TABLE =
            Pattern.compile(PREFIX + "(?:" + DISPATCHES + "|" + COPIES + "|" + REGIONS + "|info_process)(|_\\w+)");

    /** Columns that hold texts or fractions. */
    static final Set<String> TEXTS = Set.of(
            "value", "name", "string", "tag", "display_name", "product_name", "extdata", "type", "level", "symbol");

    private final SqliteFile file;
    private final Set<String> stored;
    private final String ending;
    private final Map<Long, String> strings;
    private final Map<Long, String> categories;

    private RocpdTables(SqliteFile file, Set<String> stored, String ending) throws IOException {
        this.file = file;
        this.stored = stored;
        this.ending = ending;
        strings = texts("string", "string");
        categories = has("info_category") ? texts("info_category", "name", "string", "category") : strings;
    }

    /** Whether a file holds such a recording. */
    static boolean isOne(SqliteFile file) throws IOException {
        return !endings(file.storedTables()).isEmpty();
    }

    /** The recordings of a file, in order of their names. */
    static List<RocpdTables> of(SqliteFile file) throws IOException {
        List<RocpdTables> all = new ArrayList<>();
        Set<String> stored = Set.copyOf(file.storedTables());
        for (String ending : endings(stored)) {
            all.add(new RocpdTables(file, stored, ending));
        }
        return all;
    }

    private static Set<String> endings(Collection<String> stored) {
        Set<String> endings = new TreeSet<>();
        for (String name : stored) {
            Matcher table = TABLE.matcher(name);
            if (table.matches()) {
                endings.add(table.group(1));
            }
        }
        return endings;
    }

    private String name(String table) {
        return PREFIX + table + ending;
    }

    boolean has(String table) {
        return stored.contains(name(table));
    }

    /** Whether there is a table that has any row. */
    boolean any(String table) throws IOException {
        return has(table) && file.any(name(table));
    }

    /** How many rows a table has, 0 where there is none. */
    long count(String table) throws IOException {
        return has(table) ? file.count(name(table)) : 0;
    }

    /** About how many rows a table has, 0 where there is none. */
    long about(String table) throws IOException {
        return has(table) ? file.about(name(table)) : 0;
    }

    /** The rows of a table that is there. */
    SqliteRows rows(String table, String... wanted) throws IOException {
        return file.rows(name(table), wanted);
    }

    /** The rows of a table that is there, each with its event. */
    SqliteRows rowsWithEvents(String table, String[] wanted, String... ofEvent) throws IOException {
        return has(EVENTS)
                ? file.rowsWith(name(table), wanted, "event_id", name(EVENTS), ofEvent)
                : file.rows(name(table), wanted);
    }

    @Nullable
    String string(long id) {
        return strings.get(id);
    }

    /** What kind of event a number stands for; empty where nothing says it. */
    String category(long id) {
        return categories.getOrDefault(id, "");
    }

    /** The texts of a table by number, of the first of these columns that it has. */
    private Map<Long, String> texts(String table, String... columns) throws IOException {
        Map<Long, String> texts = new HashMap<>();
        if (!has(table)) {
            return texts;
        }
        try (SqliteRows rows = rows(table, id(columns))) {
            while (rows.next()) {
                String text = null;
                for (int i = 0; i < columns.length && text == null; i++) {
                    text = rows.text(1 + i);
                }
                if (text != null) {
                    texts.put(rows.number(0, -1), text);
                }
            }
        }
        return texts;
    }

    private static String[] id(String... columns) {
        String[] wanted = new String[columns.length + 1];
        wanted[0] = "id";
        System.arraycopy(columns, 0, wanted, 1, columns.length);
        return wanted;
    }
}
