// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.runs;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import dev.lockstep.report.SheetSet;
import dev.lockstep.session.Builtins;
import dev.lockstep.table.Table;
import dev.lockstep.tabular.RowSink;
import dev.lockstep.tabular.SheetFiles;
import dev.lockstep.tabular.SheetFormat;
import dev.lockstep.tabular.SheetTable;
import dev.lockstep.tabular.Sheets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Predicate;

/** Reads finished reports: workbooks and folders of CSV files, ours or another tool's. */
public final class ReportFiles {
    private static final SheetFiles CSV = new SheetFiles("csv");
    private static final SheetFiles PARQUET = new SheetFiles("parquet");

    private ReportFiles() {}

    /**
     * The sheets of a report.
     *
     * @param name what to call it beside others
     * @param cells how cells are read
     * @param sheets which sheets to read, by name
     * @throws TraceFormatException when the file is missing, of no known format, or damaged
     */
    public static SheetSet read(Path path, String name, SheetTable cells, Predicate<String> sheets) throws IOException {
        demandThere(path);
        List<Table> tables = new ArrayList<>();
        try (Sheets open = format(path).open(path)) {
            for (String sheet : open.names()) {
                if (sheets.test(sheet)) {
                    tables.add(cells.read(open, sheet, path.toString(), head -> true));
                }
            }
        }
        return new SheetSet(name, path.toString(), tables);
    }

    /**
     * Several reports that are to be compared.
     *
     * @param names what to call them, in order; none for the names of their files, or of their folders where those of the
     *     files are alike
     * @param cells how cells are read
     * @param sheets which sheets to read, by name
     * @throws UserException when there are fewer than two, or two of one name
     * @throws TraceFormatException when a file is missing, of no known format, or damaged
     */
    public static List<SheetSet> read(List<Path> paths, List<String> names, SheetTable cells, Predicate<String> sheets)
            throws IOException {
        if (paths.size() < 2) {
            throw invalid("a comparison needs two reports or more", "The first one is the baseline.");
        }
        if (!names.isEmpty() && names.size() != paths.size()) {
            throw invalid(names.size() + " names for " + paths.size() + " reports", "One for each, in order.")
                    .about("names of reports");
        }
        List<SheetSet> read = new ArrayList<>();
        List<String> called = names.isEmpty() ? named(paths) : names;
        Set<String> taken = new HashSet<>();
        for (int i = 0; i < paths.size(); i++) {
            String name = called.get(i);
            if (!taken.add(name)) {
                throw invalid("two reports are called " + name, "Give each a name of its own.")
                        .about("names of reports");
            }
            read.add(read(paths.get(i), name, cells, sheets));
        }
        return read;
    }

    /** Whether a sheet of our own reports is a table: the sheet of a workbook that sums it up, and the one with pictures, are none. */
    public static boolean isTable(String sheet) {
        return !sheet.equals("Overview") && !sheet.equals("Charts");
    }

    /** The names of files, or of the folders that they lie in where those of the files are alike. */
    private static List<String> named(List<Path> paths) {
        List<String> stems = paths.stream().map(ReportFiles::stem).toList();
        if (Set.copyOf(stems).size() == stems.size()) {
            return stems;
        }
        List<String> folders = paths.stream()
                .map(path -> path.toAbsolutePath().normalize().getParent())
                .map(folder -> folder == null ? "" : stem(folder))
                .toList();
        return Set.copyOf(folders).size() == folders.size() ? folders : stems;
    }

    private static String stem(Path path) {
        String name = String.valueOf(path.toAbsolutePath().normalize().getFileName());
        String lower = name.toLowerCase(Locale.ROOT);
        boolean file = lower.endsWith(".xlsx") || lower.endsWith(".csv") || lower.endsWith(".parquet");
        return file ? name.substring(0, lower.lastIndexOf('.')) : name;
    }

    private static UserException invalid(String message, String hint) {
        return new UserException(ErrorCode.OPTION_INVALID, message, hint);
    }

    /**
     * Hands over the rows of one sheet, the head first, with every cell as it is spelt; returns whether there is such a
     * sheet.
     *
     * @throws TraceFormatException when the file is missing, of no known format, or damaged
     */
    public static boolean rows(Path path, String sheet, RowSink sink) throws IOException {
        demandThere(path);
        try (Sheets open = format(path).open(path)) {
            boolean there = open.names().contains(sheet);
            if (there) {
                open.rows(sheet, sink);
            }
            return there;
        }
    }

    /**
     * Hands over the rows of the only sheet of a file, as {@link #rows(Path, String, RowSink)} does.
     *
     * @throws TraceFormatException also when there are several sheets
     */
    public static void rows(Path path, RowSink sink) throws IOException {
        demandThere(path);
        try (Sheets open = format(path).open(path)) {
            if (open.names().size() != 1) {
                throw new TraceFormatException(
                        ErrorCode.FORMAT_UNKNOWN,
                        path.toString(),
                        -1,
                        "expected one sheet, found " + open.names().size(),
                        "Give a single CSV file.");
            }
            open.rows(open.names().getFirst(), sink);
        }
    }

    private static void demandThere(Path path) throws TraceFormatException {
        if (!Files.exists(path)) {
            throw new TraceFormatException(
                    ErrorCode.INPUT_NOT_FOUND, path.toString(), -1, "there is no such file or folder", null);
        }
    }

    /** The files of finished reports that must not be overwritten: the files that are named; of folders, the sheets and the workbook. */
    public static List<Path> files(Iterable<Path> reports) throws IOException {
        List<Path> files = new ArrayList<>();
        for (Path report : reports) {
            files.add(report);
            if (Files.isDirectory(report)) {
                files.addAll(CSV.of(report));
                files.addAll(PARQUET.of(report));
                files.add(report.resolve("report.xlsx"));
                files.add(report.resolve("report.html"));
            }
        }
        return files;
    }

    /** Whether a file or folder is a finished report, by its content. */
    public static boolean isReport(Path path) throws IOException {
        for (SheetFormat format : Builtins.SHEET_FORMATS) {
            if (format.recognises(path)) {
                return true;
            }
        }
        for (SheetFormat format : ServiceLoader.load(SheetFormat.class)) {
            if (format.recognises(path)) {
                return true;
            }
        }
        return false;
    }

    private static SheetFormat format(Path path) throws IOException {
        List<String> names = new ArrayList<>();
        for (SheetFormat format : Builtins.SHEET_FORMATS) {
            if (format.recognises(path)) {
                return format;
            }
            names.add(format.name());
        }
        for (SheetFormat format : ServiceLoader.load(SheetFormat.class)) {
            if (format.recognises(path)) {
                return format;
            }
            names.add(format.name());
        }
        if (path.toString().endsWith(".xlsx") && names.size() == Builtins.SHEET_FORMATS.size()) {
            throw new UserException(
                    ErrorCode.MODULE_MISSING,
                    path + ": nothing here reads workbooks",
                    "Workbooks need the artifact lockstep-publish. Put it on the class path.");
        }
        throw new TraceFormatException(
                ErrorCode.FORMAT_UNKNOWN,
                path.toString(),
                -1,
                "this is no finished report, expected " + String.join(" or ", names),
                "Give the folder or workbook that lockstep report wrote; traces are read by lockstep report and diff.");
    }
}
