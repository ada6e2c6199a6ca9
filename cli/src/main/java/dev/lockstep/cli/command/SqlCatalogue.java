// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.dataset.DatasetTable;
import dev.lockstep.dataset.DatasetTables;
import dev.lockstep.sql.QueryDatabase;
import dev.lockstep.sql.QuerySources;
import dev.lockstep.sql.QueryView;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.write.Unicode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What there is to ask: tables with their columns, and views with their definitions. */
final class SqlCatalogue {
    private SqlCatalogue() {}

    static void print(QuerySources sources, PrintWriter out) throws IOException {
        QueryDatabase database = sources.database();
        Map<QueryView, String> views = sources.views();
        List<String> tables = new ArrayList<>(database.tables());
        views.keySet().forEach(view -> tables.remove(view.name()));
        for (String table : tables) {
            DatasetTable known = views.isEmpty() ? null : known(table);
            out.println(Unicode.line(table) + (known == null ? "" : ": " + known.doc()));
            for (Map.Entry<String, String> column : database.columns(table).entrySet()) {
                String doc = known == null ? "" : doc(known, column.getKey());
                String name = Unicode.line(column.getKey());
                out.println(("    " + name + "  " + column.getValue() + "  " + doc).stripTrailing());
            }
            out.println();
        }
        views.forEach((view, lacks) -> {
            out.println("view " + view.name() + ": " + view.doc());
            if (lacks.isEmpty()) {
                view.query().lines().forEach(line -> out.println("    " + line));
            } else {
                out.println("    Not here: " + lacks);
            }
            out.println();
        });
    }

    private static DatasetTable known(String table) {
        return DatasetTables.ALL.stream()
                .filter(one -> one.name().equals(table))
                .findFirst()
                .orElseThrow();
    }

    private static String doc(DatasetTable table, String column) {
        return table.schema().columns().stream()
                .filter(one -> one.header().equals(column))
                .map(ColumnSpec::doc)
                .findFirst()
                .orElse("Name of the run.");
    }
}
