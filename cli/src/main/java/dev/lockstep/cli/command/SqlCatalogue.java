// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.sql.QueryDatabase;
import dev.lockstep.sql.QuerySources;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;

/** What there is to ask: tables, their columns, and views with their definitions. */
final class SqlCatalogue {
    private SqlCatalogue() {}

    static void print(QuerySources sources, PrintWriter out) throws IOException {
        QueryDatabase database = sources.database();
        for (String table : database.tables()) {
            out.println(table);
            for (Map.Entry<String, String> column : database.columns(table).entrySet()) {
                out.println("    " + column.getKey() + "  " + column.getValue());
            }
        }
    }
}
