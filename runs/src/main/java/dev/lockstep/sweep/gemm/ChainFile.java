// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep.gemm;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.runs.ReportFiles;
import dev.lockstep.write.CsvLines;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A file of the chain as text: what an earlier step wrote is never spelt anew. */
final class ChainFile {
    private static final String HINT =
            "Expected a table of the variance of matrix multiplications, with or without timestamps.";

    private final String source;
    private final List<String> heads;
    private final List<List<String>> rows;

    ChainFile(String source, List<String> heads, List<List<String>> rows) {
        this.source = source;
        this.heads = List.copyOf(heads);
        this.rows = rows.stream().map(List::copyOf).toList();
    }

    static ChainFile read(Path csv) throws IOException {
        List<List<String>> lines = new ArrayList<>();
        ReportFiles.rows(csv, cells -> lines.add(List.copyOf(cells)));
        if (lines.isEmpty()) {
            throw new UserException(ErrorCode.NOTHING_TO_DO, csv + ": the file is empty", HINT);
        }
        return new ChainFile(csv.toString(), lines.getFirst(), lines.subList(1, lines.size()));
    }

    int rows() {
        return rows.size();
    }

    boolean has(String head) {
        return heads.contains(head);
    }

    /** The cell of a row, empty when it is missing or there is no such column. */
    String cell(String head, int row) {
        int place = heads.indexOf(head);
        List<String> cells = rows.get(row);
        return place < 0 || place >= cells.size() ? "" : cells.get(place);
    }

    /** The whole number that every row must have in a column. */
    int number(String head, int row) {
        String cell = cell(head, row);
        try {
            return new BigDecimal(cell).intValueExact();
        } catch (ArithmeticException | NumberFormatException e) {
            throw new UserException(
                    ErrorCode.FORMAT_CORRUPT,
                    source + ": row " + (row + 1) + " has '" + cell + "' in column '" + head
                            + "', expected a whole number",
                    HINT,
                    e);
        }
    }

    /** A time in ns, from a column in a coarser unit; -1 when it is missing. */
    long nanoseconds(String head, int row, int digits) {
        String cell = cell(head, row);
        try {
            return cell.isEmpty()
                    ? -1
                    : new BigDecimal(cell)
                            .movePointRight(digits)
                            .setScale(0, RoundingMode.HALF_EVEN)
                            .longValueExact();
        } catch (ArithmeticException | NumberFormatException e) {
            return -1;
        }
    }

    /** This file with further columns; a column that it has already is replaced. */
    ChainFile with(List<String> names, List<List<String>> cells) {
        List<Integer> kept = new ArrayList<>();
        List<String> all = new ArrayList<>();
        for (int i = 0; i < heads.size(); i++) {
            if (!names.contains(heads.get(i))) {
                kept.add(i);
                all.add(heads.get(i));
            }
        }
        all.addAll(names);
        List<List<String>> lines = new ArrayList<>();
        for (int row = 0; row < rows.size(); row++) {
            List<String> line = new ArrayList<>();
            for (int place : kept) {
                List<String> own = rows.get(row);
                line.add(place < own.size() ? own.get(place) : "");
            }
            line.addAll(cells.get(row));
            lines.add(line);
        }
        return new ChainFile(source, all, lines);
    }

    String text() {
        CsvLines csv = new CsvLines("\n");
        csv.line(heads);
        rows.forEach(csv::line);
        return csv.text();
    }
}
