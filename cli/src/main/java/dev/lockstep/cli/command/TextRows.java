// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.sql.QueryAnswer;
import dev.lockstep.sql.QueryAnswer.Head;
import dev.lockstep.words.Words;
import dev.lockstep.write.Unicode;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows as a table for people: numbers to the right, no control characters. Where the terminal has a width, the widest texts
 * give way; texts are cut at {@value #MOST_WIDTH} characters everywhere, and behind {@value #MOST} rows the rest is counted.
 *
 * @param width of the terminal in characters, 0 where there is none
 * @param counted whether the number of rows stands below
 */
record TextRows(int width, boolean counted) implements RowsWriter {
    private static final int MOST = 1_000;
    private static final int LEAST_WIDTH = 8;

    /** Of a text: all lines are as wide as the widest. */
    private static final int MOST_WIDTH = 1_000;

    private static final String GAP = "  ";

    @Override
    public void write(QueryAnswer rows, Writer out) throws IOException {
        List<Head> heads = rows.heads();
        List<List<String>> lines = new ArrayList<>();
        lines.add(heads.stream().map(head -> clean(head.name())).toList());
        long all = 0;
        for (List<@Nullable Object> row = rows.next(); row != null; row = rows.next()) {
            if (++all <= MOST) {
                List<String> cells = new ArrayList<>();
                for (Object cell : row) {
                    cells.add(cell == null ? "NULL" : clean(RowCells.text(cell)));
                }
                lines.add(cells);
            }
        }
        int[] widths = widths(lines, heads);
        line(lines.getFirst(), heads, widths, out);
        line(rules(widths), heads, widths, out);
        for (List<String> cells : lines.subList(1, lines.size())) {
            line(cells, heads, widths, out);
        }
        if (all > MOST) {
            out.write("… " + (all - MOST) + " rows more: --csv writes all\n");
        }
        if (counted) {
            out.write("\n" + Words.count(all, "row", "rows") + "\n");
        }
        out.flush();
    }

    private int[] widths(List<List<String>> lines, List<Head> heads) {
        int[] widths = new int[heads.size()];
        for (List<String> cells : lines) {
            for (int i = 0; i < widths.length; i++) {
                int most = heads.get(i).isNumber() ? Integer.MAX_VALUE : MOST_WIDTH;
                widths[i] = Math.max(widths[i], Math.min(most, length(cells.get(i))));
            }
        }
        narrow(widths, heads);
        return widths;
    }

    /** Makes the widest texts as narrow as the terminal wants them; the last ones are a character wider where there is room. */
    private void narrow(int[] widths, List<Head> heads) {
        int most = MOST_WIDTH;
        int over = over(widths, heads, most);
        while (width > 0 && over > 0 && most > LEAST_WIDTH) {
            over = over(widths, heads, --most);
        }
        for (int i = widths.length - 1; i >= 0; i--) {
            if (widths[i] > most && !heads.get(i).isNumber()) {
                widths[i] = over++ < 0 ? most + 1 : most;
            }
        }
    }

    /** By how many characters lines are too long where texts have so many at most. */
    private int over(int[] widths, List<Head> heads, int most) {
        int sum = -GAP.length() - width;
        for (int i = 0; i < widths.length; i++) {
            sum += (heads.get(i).isNumber() ? widths[i] : Math.min(widths[i], most)) + GAP.length();
        }
        return sum;
    }

    private static List<String> rules(int[] widths) {
        List<String> rules = new ArrayList<>();
        for (int column : widths) {
            rules.add("-".repeat(column));
        }
        return rules;
    }

    private static void line(List<String> cells, List<Head> heads, int[] widths, Writer out) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String cell = cells.get(i);
            if (length(cell) > widths[i]) {
                cell = cell.substring(0, cell.offsetByCodePoints(0, widths[i] - 1)) + "…";
            }
            String padding = " ".repeat(widths[i] - length(cell));
            line.append(i == 0 ? "" : GAP);
            line.append(heads.get(i).isNumber() ? padding + cell : cell + padding);
        }
        out.write(line.toString().stripTrailing() + "\n");
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }

    private static String clean(String text) {
        return Unicode.line(Unicode.wellFormed(text));
    }
}
