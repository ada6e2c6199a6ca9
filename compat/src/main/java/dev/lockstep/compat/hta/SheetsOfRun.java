// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.hta;

import dev.lockstep.error.NamedFiles;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import dev.lockstep.tabular.CsvFolder;
import dev.lockstep.tabular.SheetFiles;
import dev.lockstep.tabular.Sheets;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.CsvWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The sheets of a run from those of its ranks: their rows one rank after another, those of sheets without the column {@code rank}
 * with it in front. The time of kinds of kernels is added up over ranks, and a sheet is without rows where it is so for all.
 * Rows of the long sheets pass through as text, so that a run may be larger than memory.
 */
final class SheetsOfRun {
    private static final SheetFiles FILES = new SheetFiles("csv");
    private static final String RANK = HtaSheet.RANK.header();
    private static final int NS_DIGITS = 3;

    private final SortedMap<Integer, Path> ranks;
    private final Path folder;

    /**
     * @param ranks the folders of sheets of the ranks
     * @param folder takes the sheets of the run
     */
    SheetsOfRun(SortedMap<Integer, Path> ranks, Path folder) {
        this.ranks = ranks;
        this.folder = folder;
    }

    /** Writes them. */
    void write() throws IOException {
        Set<String> sheets = new TreeSet<>();
        for (Path rank : ranks.values()) {
            FILES.of(rank).forEach(file -> sheets.add(FILES.sheet(file)));
        }
        for (String sheet : sheets) {
            switch (sheet) {
                case KernelTypeBreakdown.NAME -> write(kinds());
                case HtaSheets.REASONS -> write(reasons());
                case RangeCounterSheet.NAME, HtaPathSheets.SUMMARY, HtaPathSheets.PATH -> write(widened(sheet));
                default -> append(sheet);
            }
        }
    }

    private void write(Table table) throws IOException {
        new CsvWriter().write(new Report("", "", List.of(new Section.TableSection(table))), folder, CellStyle.PLAIN);
    }

    /** Rows of a sheet that has the same columns in every rank. */
    private void append(String sheet) throws IOException {
        String name = sheet + ".csv";
        try (OutputStream out = NamedFiles.out(folder.resolve(name))) {
            boolean first = true;
            for (Path rank : ranks.values()) {
                try (InputStream in = NamedFiles.in(rank.resolve(name))) {
                    for (int c = first ? '\n' : in.read(); c >= 0 && c != '\n'; c = in.read()) {
                        // the head stands once
                    }
                    in.transferTo(out);
                    first = false;
                }
            }
        }
    }

    /** The rows of a sheet of a rank, as texts; the head first. */
    private static List<List<String>> rows(Path rank, String sheet) throws IOException {
        List<List<String>> rows = new ArrayList<>();
        try (Sheets sheets = new CsvFolder().open(rank)) {
            sheets.rows(sheet, cells -> rows.add(List.copyOf(cells)));
        }
        return rows;
    }

    /** All rows, with the columns that any rank has. */
    private Table widened(String sheet) throws IOException {
        Map<String, Integer> places = new LinkedHashMap<>(Map.of(RANK, 0));
        List<String[]> all = new ArrayList<>();
        for (Map.Entry<Integer, Path> rank : ranks.entrySet()) {
            List<List<String>> rows = rows(rank.getValue(), sheet);
            List<String> head = rows.removeFirst();
            head.forEach(column -> places.putIfAbsent(column, places.size()));
            for (List<String> row : rows) {
                String[] cells = new String[places.size()];
                cells[0] = rank.getKey().toString();
                for (int c = 0; c < row.size(); c++) {
                    cells[places.getOrDefault(head.get(c), 0)] = row.get(c);
                }
                all.add(cells);
            }
        }
        List<ColumnSpec> columns = places.keySet().stream()
                .map(column -> ColumnSpec.text(column, "As in the sheet of a rank."))
                .toList();
        TableBuilder table = new TableBuilder(sheet, sheet, new Schema(columns));
        for (String[] cells : all) {
            Object[] row = new Object[columns.size()];
            System.arraycopy(cells, 0, row, 0, cells.length);
            table.row(row);
        }
        return table.build();
    }

    private Table kinds() throws IOException {
        SortedMap<String, Long> sums = new TreeMap<>();
        for (Path rank : ranks.values()) {
            for (List<String> row : rows(rank, KernelTypeBreakdown.NAME)) {
                if (!row.equals(KernelTypeBreakdown.HEAD)) {
                    long ns =
                            new BigDecimal(row.get(1)).movePointRight(NS_DIGITS).longValueExact();
                    sums.merge(row.getFirst(), ns, Long::sum);
                }
            }
        }
        return KernelTypeBreakdown.table(sums);
    }

    private Table reasons() throws IOException {
        Map<String, Set<String>> reasons = new LinkedHashMap<>();
        Map<String, Integer> without = new LinkedHashMap<>();
        for (Path rank : ranks.values()) {
            List<List<String>> rows = rows(rank, HtaSheets.REASONS);
            for (List<String> row : rows.subList(1, rows.size())) {
                reasons.computeIfAbsent(row.getFirst(), sheet -> new TreeSet<>())
                        .add(row.get(1));
                without.merge(row.getFirst(), 1, Integer::sum);
            }
        }
        TableBuilder table = HtaSheets.reasons();
        reasons.forEach((sheet, said) -> {
            if (without.getOrDefault(sheet, 0) == ranks.size()) {
                table.row(sheet, String.join("; ", said));
            }
        });
        return table.build();
    }
}
