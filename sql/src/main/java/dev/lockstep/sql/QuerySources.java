// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.Lockstep;
import dev.lockstep.Run;
import dev.lockstep.dataset.DatasetContent;
import dev.lockstep.dataset.DatasetFolder;
import dev.lockstep.dataset.DatasetTable;
import dev.lockstep.dataset.DatasetTable.Level;
import dev.lockstep.dataset.DatasetTables;
import dev.lockstep.dataset.RunRows.Kept;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.FileNames;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import dev.lockstep.read.ReadOptions.Keep;
import dev.lockstep.report.SheetSet;
import dev.lockstep.reporting.RunDataset;
import dev.lockstep.runs.ReportFiles;
import dev.lockstep.session.Builtins;
import dev.lockstep.session.RankSelection;
import dev.lockstep.session.RankSet;
import dev.lockstep.session.TraceFiles;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import dev.lockstep.tabular.SheetFormat;
import dev.lockstep.tabular.SheetTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What people name to be asked, opened as tables: datasets, the traces of a run, which get the same tables in memory, or finished
 * reports, a table for each sheet. Datasets and traces also get the views of {@link QueryView}.
 */
public final class QuerySources implements AutoCloseable {
    /** What the run of traces is called. */
    private static final String RUN = "run";

    private final QueryDatabase database;
    private final Map<QueryView, String> views = new LinkedHashMap<>();
    private @Nullable RankSet<Kept> ranks;

    private QuerySources(QueryDatabase database) {
        this.database = database;
    }

    /**
     * Opens what is named. Sheets of several reports become one table, with a column {@code report} that says whose a row is;
     * the tables of datasets and traces have a column {@code run}.
     *
     * @param inputs datasets, or reports, or traces: files, folders and patterns
     * @param answer a Parquet file that an answer may be written to; null for none
     * @throws dev.lockstep.error.TraceFormatException when one of them is nothing that can be asked, or has a part of a table alone
     * @throws UserException when they are of several kinds
     */
    public static QuerySources of(Lockstep lockstep, List<String> inputs, @Nullable Path answer) throws IOException {
        List<DatasetFolder> datasets = new ArrayList<>();
        List<Path> reports = new ArrayList<>();
        for (String input : inputs) {
            Path path = FileNames.path(input);
            if (new DatasetFolder(path).exists()) {
                datasets.add(new DatasetFolder(path));
            } else if (Files.exists(path) && ReportFiles.isReport(path)) {
                reports.add(path);
            }
        }
        if (datasets.size() == inputs.size()) {
            return datasets(datasets, answer);
        }
        if (reports.size() == inputs.size()) {
            return reports(reports, answer);
        }
        if (!datasets.isEmpty() || !reports.isEmpty()) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    "datasets, reports and traces cannot be asked together",
                    "'lockstep dataset' makes a dataset of traces, 'lockstep report' a report.");
        }
        return traces(
                lockstep.read(inputs, RankSelection.any()), Level.FULL, DuckTables.whole(DatasetTables.ALL), answer);
    }

    /** The files that are read of what is named. */
    public static List<Path> files(List<String> inputs) throws IOException {
        List<Path> files = new ArrayList<>();
        for (String input : inputs) {
            Path path = FileNames.path(input);
            if (new DatasetFolder(path).exists()) {
                files.addAll(new DatasetFolder(path).files());
            } else if (Files.exists(path) && ReportFiles.isReport(path)) {
                files.addAll(ReportFiles.files(List.of(path)));
            } else {
                files.addAll(TraceFiles.of(List.of(input)));
            }
        }
        return files;
    }

    private interface Filling {
        void fill(QuerySources sources) throws IOException;
    }

    private static QuerySources opened(List<Path> seen, @Nullable Path answer, Filling filling) throws IOException {
        List<Path> files = new ArrayList<>(seen);
        if (answer != null) {
            files.add(answer);
        }
        QuerySources sources = new QuerySources(QueryDatabase.seeing(files));
        try {
            filling.fill(sources);
            return sources;
        } catch (IOException | RuntimeException | Error e) {
            sources.close();
            throw e;
        }
    }

    /** What a report of very many ranks needs of a run, in memory. */
    public static QuerySources fleet(Run run) throws IOException {
        return traces(run, Level.SKETCH, FleetTables.NEEDED, null);
    }

    private static QuerySources traces(
            Run run, Level level, Map<DatasetTable, UnaryOperator<String>> tables, @Nullable Path answer)
            throws IOException {
        return opened(List.of(), answer, sources -> {
            try (DuckTables sink = sources.database.tables(RUN, tables)) {
                RunDataset dataset = new RunDataset(
                        sink, RUN, DatasetContent.of(level), run.files().size());
                RankSet<Kept> read = run.readInOrder(Keep.MEANING, dataset::take);
                dataset.finish(read, RUN, run.session());
                sources.ranks = read;
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
            sources.define();
        });
    }

    private static QuerySources datasets(List<DatasetFolder> datasets, @Nullable Path answer) throws IOException {
        Map<DatasetTable, Map<String, List<Path>>> files = new LinkedHashMap<>();
        List<Path> all = new ArrayList<>();
        for (DatasetFolder dataset : datasets) {
            dataset.demandReadable();
            for (String run : dataset.runs()) {
                List<DatasetTable> there = new ArrayList<>();
                for (DatasetTable table : DatasetTables.ALL) {
                    List<Path> parts = dataset.files(table, run);
                    String name = datasets.size() > 1 ? dataset.path() + "/" + run : run;
                    if (!parts.isEmpty()) {
                        there.add(table);
                        files.computeIfAbsent(table, t -> new LinkedHashMap<>()).put(name, parts);
                        all.addAll(parts);
                    } else if (dataset.link(table, run) != null) {
                        there.add(table);
                    }
                }
                dataset.demandWhole(run, there);
            }
        }
        if (all.isEmpty()) {
            throw new UserException(
                    ErrorCode.NOTHING_TO_DO,
                    datasets.getFirst().path() + ": the dataset has no run",
                    "'lockstep dataset' adds one.");
        }
        return opened(all, answer, sources -> {
            for (Map.Entry<DatasetTable, Map<String, List<Path>>> table : files.entrySet()) {
                sources.database.add(table.getKey().name(), table.getValue(), "run");
            }
            sources.define();
        });
    }

    /** Whether a report's sheets lie in files that can be asked where they are. */
    private static boolean isStored(Path path) throws IOException {
        for (SheetFormat format : Builtins.SHEET_FORMATS) {
            if (format.recognises(path)) {
                return false;
            }
        }
        return !ParquetSheets.files(path).isEmpty();
    }

    private static QuerySources stored(List<Path> paths, @Nullable Path answer) throws IOException {
        Map<String, Map<String, List<Path>>> sheets = new LinkedHashMap<>();
        List<Path> all = new ArrayList<>();
        for (Path path : paths) {
            for (Map.Entry<String, Path> sheet : ParquetSheets.files(path).entrySet()) {
                sheets.computeIfAbsent(sheet.getKey(), name -> new LinkedHashMap<>())
                        .put(path.toString(), List.of(sheet.getValue()));
                all.add(sheet.getValue());
            }
        }
        demandDistinct(sheets.keySet(), paths);
        return opened(all, answer, sources -> {
            for (Map.Entry<String, Map<String, List<Path>>> sheet : sheets.entrySet()) {
                if (paths.size() > 1) {
                    sources.database.add(sheet.getKey(), sheet.getValue(), "report");
                } else {
                    sources.database.add(
                            sheet.getKey(), sheet.getValue().values().iterator().next());
                }
            }
        });
    }

    private static QuerySources reports(List<Path> paths, @Nullable Path answer) throws IOException {
        boolean stored = true;
        for (Path path : paths) {
            stored &= isStored(path);
        }
        if (stored) {
            return stored(paths, answer);
        }
        List<SheetSet> reports = new ArrayList<>();
        for (Path path : paths) {
            reports.add(ReportFiles.read(path, path.toString(), SheetTable.PLAIN, ReportFiles::isTable));
        }
        demandDistinct(
                reports.stream()
                        .flatMap(report -> report.tables().stream())
                        .map(Table::name)
                        .toList(),
                paths);
        return opened(List.of(), answer, sources -> {
            for (SheetSet report : reports) {
                for (Table table : report.tables()) {
                    if (table.schema().columns().isEmpty()) {
                        throw new TraceFormatException(
                                ErrorCode.FORMAT_CORRUPT,
                                report.name(),
                                -1,
                                "the sheet " + table.name()
                                        + " is empty, expected a line with the names of its columns",
                                null);
                    }
                    sources.database.add(table.name(), reports.size() > 1 ? named(table, report.name()) : table);
                }
            }
        });
    }

    /** Of names that differ in capitals alone, SQL would take the one for the other. */
    private static void demandDistinct(Iterable<String> names, List<Path> paths) {
        Map<String, String> seen = new HashMap<>();
        for (String name : names) {
            String other = seen.putIfAbsent(name.toLowerCase(Locale.ROOT), name);
            if (other != null && !other.equals(name)) {
                throw new UserException(
                        ErrorCode.OPTION_INVALID,
                        paths.stream().map(Path::toString).collect(Collectors.joining(" ")) + ": " + other + " and "
                                + name + " are one table in SQL",
                        "Give one of the two files another name.");
            }
        }
    }

    private void define() throws IOException {
        for (QueryView view : QueryView.all()) {
            views.put(view, database.define(view.name(), view.query()));
        }
    }

    /** The same rows, each with the name of its report. */
    private static Table named(Table table, String report) {
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

    /** Views that come with the program, each with what it lacks to be there; empty when it is there. */
    public Map<QueryView, String> views() {
        return views;
    }

    /** How whole the ranks of the traces are; null where no traces were read. */
    public @Nullable RankSet<Kept> ranks() {
        return ranks;
    }

    @Override
    public void close() throws IOException {
        database.close();
    }
}
