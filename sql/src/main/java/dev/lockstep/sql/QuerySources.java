// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.Lockstep;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.report.SheetSet;
import dev.lockstep.reporting.ReportFiles;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import dev.lockstep.tabular.SheetTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What people name to be asked, opened as tables: finished reports, a table for each sheet. */
public final class QuerySources implements AutoCloseable {
    private static final String HINT = "What is asked comes first, then the query: lockstep sql DIR \"SELECT …\".";

    private final QueryDatabase database;
    private final List<String> problems = new ArrayList<>();

    private QuerySources(QueryDatabase database) {
        this.database = database;
    }

    /**
     * Opens what is named. Sheets of several reports become one table, with a column {@code report} that says whose a row is.
     *
     * @param inputs files and folders
     * @param answer a Parquet file that an answer may be written to; null for none
     * @throws TraceFormatException when one of them is nothing that can be asked
     */
    public static QuerySources of(Lockstep lockstep, List<String> inputs, @Nullable Path answer) throws IOException {
        List<SheetSet> reports = new ArrayList<>();
        for (String input : inputs) {
            Path path = Path.of(input);
            if (!Files.exists(path)) {
                throw new TraceFormatException(
                        ErrorCode.INPUT_NOT_FOUND, input, -1, "there is no such file or folder", HINT);
            }
            reports.add(ReportFiles.read(path, input, SheetTable.PLAIN, sheet -> true));
        }
        QuerySources sources = new QuerySources(QueryDatabase.seeing(answer == null ? List.of() : List.of(answer)));
        try {
            for (SheetSet report : reports) {
                for (Table table : report.tables()) {
                    sources.database.add(
                            table.name(), reports.size() > 1 ? sources.named(table, report.name()) : table);
                }
            }
            return sources;
        } catch (IOException | RuntimeException | Error e) {
            sources.close();
            throw e;
        }
    }

    /** The same rows, each with the name of its report. */
    private Table named(Table table, String report) {
        List<ColumnSpec> columns = new ArrayList<>(table.schema().columns());
        columns.addFirst(ColumnSpec.text("report", "The report that the row is from, as it was named."));
        TableBuilder named = new TableBuilder(table.name(), table.title(), new Schema(columns));
        @Nullable Object[] cells = new Object[columns.size()];
        cells[0] = report;
        for (int row = 0; row < table.rows(); row++) {
            for (int column = 1; column < cells.length; column++) {
                cells[column] = table.columns().get(column - 1).value(row);
            }
            named.row(cells);
        }
        return named.build();
    }

    /** The tables. */
    public QueryDatabase database() {
        return database;
    }

    /** What is wrong with what was read, a line for each. */
    public List<String> problems() {
        return List.copyOf(problems);
    }

    /** Whether all of it was read. */
    public boolean isComplete() {
        return problems.isEmpty();
    }

    @Override
    public void close() throws IOException {
        database.close();
    }
}
