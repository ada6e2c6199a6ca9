// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.output;

import dev.lockstep.write.Numbers;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A small table, spelled as pandas does: comma separated, or as text of fixed width. Cells are texts, longs, doubles. */
final class PandasTable {
    private static final int DECIMALS = 6;

    /** A column longer than that, with a number larger than the next, is spelled with exponents. */
    private static final int LONGEST = DECIMALS + 6;

    private static final double LARGE = 1e6;

    private final List<String> head;
    private final boolean allDigits;
    private final List<List<Object>> rows = new ArrayList<>();

    /** @param allDigits whether numbers of the text stand there in full, where pandas would shorten them */
    PandasTable(List<String> head, boolean allDigits) {
        this.head = head;
        this.allDigits = allDigits;
    }

    void add(List<Object> cells) {
        rows.add(cells);
    }

    String csv() {
        StringBuilder out = new StringBuilder(String.join(",", head)).append('\n');
        for (List<Object> row : rows) {
            for (int i = 0; i < row.size(); i++) {
                out.append(i == 0 ? "" : ",").append(cell(row.get(i)));
            }
            out.append('\n');
        }
        return out.toString();
    }

    private static String cell(Object value) {
        if (value instanceof Double number) {
            return Double.isNaN(number) ? "" : Numbers.python(number);
        }
        String text = value.toString();
        return text.contains(",") || text.contains("\"") || text.contains("\n")
                ? '"' + text.replace("\"", "\"\"") + '"'
                : text;
    }

    /** Columns aligned to the right, decimals of a column cut to what its numbers need. */
    String text() {
        String[][] columns = new String[head.size()][];
        int[] widths = new int[head.size()];
        for (int i = 0; i < columns.length; i++) {
            columns[i] = column(i);
            widths[i] = head.get(i).length();
            for (String cell : columns[i]) {
                widths[i] = Math.max(widths[i], cell.length());
            }
        }
        StringBuilder out = new StringBuilder();
        for (int row = -1; row < rows.size(); row++) {
            for (int i = 0; i < columns.length; i++) {
                String cell = row < 0 ? head.get(i) : columns[i][row];
                out.append(" ".repeat(widths[i] - cell.length() + (i == 0 && row >= 0 ? 0 : 1)));
                out.append(i == 0 && row >= 0 ? " " : "").append(cell);
            }
            out.append(row == rows.size() - 1 ? "" : "\n");
        }
        return out.toString();
    }

    private String[] column(int index) {
        String[] cells = new String[rows.size()];
        boolean decimal = rows.stream().anyMatch(row -> row.get(index) instanceof Double)
                && rows.stream().allMatch(row -> row.get(index) instanceof Number);
        for (int row = 0; row < cells.length; row++) {
            Object value = rows.get(row).get(index);
            cells[row] = decimal && value instanceof Number number && Double.isFinite(number.doubleValue())
                    ? new BigDecimal(number.doubleValue())
                            .setScale(DECIMALS, RoundingMode.HALF_EVEN)
                            .toPlainString()
                    : cell(value);
        }
        if (decimal && cells.length > 0) {
            cutZeros(cells);
            if (!allDigits && wantsExponents(index, cells)) {
                for (int row = 0; row < cells.length; row++) {
                    double value = number(row, index);
                    cells[row] = Double.isFinite(value) ? withExponent(value) : cells[row];
                }
            }
        }
        return cells;
    }

    private double number(int row, int column) {
        return rows.get(row).get(column) instanceof Number number ? number.doubleValue() : Double.NaN;
    }

    private boolean wantsExponents(int column, String[] cells) {
        boolean isLong = Arrays.stream(cells).anyMatch(cell -> cell.length() > LONGEST);
        for (int row = 0; row < cells.length; row++) {
            double value = Math.abs(number(row, column));
            if (value > 0 && value < Math.pow(10, -DECIMALS) || isLong && value > LARGE) {
                return true;
            }
        }
        return false;
    }

    private static String withExponent(double value) {
        if (value == 0) {
            return "0.000000e+00";
        }
        BigDecimal seven = new BigDecimal(value).round(new MathContext(DECIMALS + 1, RoundingMode.HALF_EVEN));
        String digits = seven.unscaledValue().abs().toString();
        int exponent = digits.length() - 1 - seven.scale();
        String padded = (digits + "0".repeat(DECIMALS)).substring(0, DECIMALS + 1);
        return (value < 0 ? "-" : "") + padded.charAt(0) + "." + padded.substring(1) + "e" + (exponent < 0 ? "-" : "+")
                + (Math.abs(exponent) < 10 ? "0" : "") + Math.abs(exponent);
    }

    private static void cutZeros(String[] cells) {
        int cut = DECIMALS - 1;
        for (String cell : cells) {
            int zeros = 0;
            while (zeros < cut && cell.charAt(cell.length() - 1 - zeros) == '0') {
                zeros++;
            }
            cut = Math.min(cut, zeros);
        }
        for (int i = 0; i < cells.length; i++) {
            cells[i] = cells[i].substring(0, cells[i].length() - cut);
        }
    }
}
