// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep.gemm;

import dev.lockstep.table.Table;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.CellText;
import dev.lockstep.write.Numbers;
import java.util.ArrayList;
import java.util.List;

/** Cells as text. */
final class GemmCells {
    private static final long NS_PER_MS = 1_000_000;
    private static final long NS_PER_US = 1_000;

    private GemmCells() {}

    static List<String> heads(Table table) {
        return table.schema().columns().stream().map(c -> c.header()).toList();
    }

    static List<List<String>> rows(Table table) {
        List<CellText> columns = new ArrayList<>();
        for (int i = 0; i < table.schema().size(); i++) {
            columns.add(new CellText(table, i, CellStyle.PLAIN));
        }
        List<List<String>> rows = new ArrayList<>();
        for (int row = 0; row < table.rows(); row++) {
            List<String> cells = new ArrayList<>();
            for (CellText column : columns) {
                cells.add(column.at(row));
            }
            rows.add(cells);
        }
        return rows;
    }

    static String milliseconds(long ns) {
        return Numbers.plain(ns, NS_PER_MS);
    }

    static String microseconds(long ns) {
        return Numbers.plain(ns, NS_PER_US);
    }

    /** The number in a cell, NaN where there is none. */
    static double number(String cell) {
        try {
            return cell.isEmpty() ? Double.NaN : Double.parseDouble(cell);
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    /** A list of arguments as JSON without spaces, whether JSON or Python spelt it, and tuples as lists. */
    static String plainList(String text) {
        StringBuilder plain = new StringBuilder(text.length());
        char quote = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quote != 0) {
                quote = c == quote ? 0 : quote;
                plain.append(quote == 0 ? '"' : c);
            } else if (c == '"' || c == '\'') {
                quote = c;
                plain.append('"');
            } else if (c == '(' || c == '[') {
                plain.append('[');
            } else if (c == ')' || c == ']') {
                if (!plain.isEmpty() && plain.charAt(plain.length() - 1) == ',') {
                    plain.setLength(plain.length() - 1);
                }
                plain.append(']');
            } else if (c != ' ') {
                plain.append(c);
            }
        }
        return plain.toString();
    }
}
