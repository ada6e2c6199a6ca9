// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.tabular.RowSink;
import dev.lockstep.tabular.SheetFormat;
import dev.lockstep.tabular.Sheets;
import dev.lockstep.write.Unicode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Workbooks in the format of Excel since 2007 ({@code .xlsx}), read row by row. The texts that sheets share are kept in
 * memory while the workbook is open. A cell with a formula counts with the value that was stored for it. Sheets in which a
 * table goes on that outgrew a sheet are read as one.
 */
public final class WorkbookFormat implements SheetFormat {
    private static final int ZIP = 0x504B0304;

    /** XFD, and the number of rows: what ECMA-376 and spreadsheets allow. */
    private static final int LAST_COLUMN = 16_384;

    private static final int LAST_ROW = 1_048_576;

    private static final Pattern DIGITS = Pattern.compile("\\d{1,9}");

    /** What the sheet is called in which a table goes on. */
    private static final Pattern NEXT = Pattern.compile("(.*) \\(\\d+\\)", Pattern.DOTALL);

    private final int lastRow;

    /** Reads workbooks whose sheets are as long as spreadsheets take them. */
    public WorkbookFormat() {
        this(LAST_ROW);
    }

    /** @param lastRow of a sheet that is full */
    WorkbookFormat(int lastRow) {
        this.lastRow = lastRow;
    }

    @Override
    public String name() {
        return "workbooks (.xlsx)";
    }

    @Override
    public boolean recognises(Path path) throws IOException {
        if (!Files.isRegularFile(path)) {
            return false;
        }
        try (InputStream in = NamedFiles.in(path)) {
            byte[] head = in.readNBytes(4);
            return head.length == 4 && ByteBuffer.wrap(head).getInt() == ZIP;
        }
    }

    @Override
    public Sheets open(Path path) throws IOException {
        String source = path.toString();
        try {
            return new WorkbookSheets(source, new WorkbookParts(path), lastRow);
        } catch (IOException | RuntimeException e) {
            throw damaged(source, e);
        }
    }

    private static TraceFormatException damaged(String source, Exception cause) {
        TraceFormatException e = new TraceFormatException(
                ErrorCode.FORMAT_CORRUPT,
                source,
                -1,
                "the workbook cannot be read: " + cause.getMessage(),
                "Expected a workbook that was saved as .xlsx.");
        e.initCause(cause);
        return e;
    }

    private record WorkbookSheets(String source, WorkbookParts parts, int lastRow) implements Sheets {
        @Override
        public List<String> names() {
            List<String> all = parts.names();
            return IntStream.range(0, all.size())
                    .filter(place -> !isNext(all, place))
                    .mapToObj(all::get)
                    .toList();
        }

        /** Whether a sheet goes on with the table of the one before, which is full. */
        private boolean isNext(List<String> all, int place) {
            if (place == 0 || place >= all.size()) {
                return false;
            }
            Matcher name = NEXT.matcher(all.get(place));
            String before = all.get(place - 1);
            return name.matches() && before.startsWith(name.group(1)) && parts.lastRow(before) == lastRow;
        }

        @Override
        public void rows(String name, RowSink sink) throws IOException {
            List<String> all = parts.names();
            int place = all.indexOf(name);
            part(name, true, sink);
            while (isNext(all, ++place)) {
                part(all.get(place), false, sink);
            }
        }

        private void part(String name, boolean headed, RowSink sink) throws IOException {
            List<String> cells = new ArrayList<>();
            try (WorkbookXml xml = open(name)) {
                int row = 0;
                while (next(xml)) {
                    row = fill(cells, xml, row + 1);
                    if (!cells.isEmpty() && (headed || row > 1)) {
                        sink.row(cells);
                    }
                }
            }
        }

        private WorkbookXml open(String name) throws TraceFormatException {
            try {
                return parts.sheet(name);
            } catch (IOException e) {
                throw damaged(source, e);
            }
        }

        private boolean next(WorkbookXml xml) throws TraceFormatException {
            try {
                return xml.next("row"::equals);
            } catch (IOException e) {
                throw damaged(source, e);
            }
        }

        /** The cells of the row at hand, whose number is returned. */
        private int fill(List<String> cells, WorkbookXml xml, int expected) throws TraceFormatException {
            cells.clear();
            try {
                int row = row(xml.attribute("r"), expected);
                int outer = xml.depth();
                int column = 0;
                while (xml.nextWithin(outer)) {
                    if (xml.name().equals("c")) {
                        column = column(xml.attribute("r"), column + 1);
                        while (cells.size() < column) {
                            cells.add("");
                        }
                        cells.set(column - 1, text(xml));
                    }
                }
                while (!cells.isEmpty() && cells.getLast().isEmpty()) {
                    cells.removeLast();
                }
                return row;
            } catch (IOException e) {
                throw damaged(source, e);
            }
        }

        /** The column that a reference such as {@code AB12} names, from 1. */
        private static int column(@Nullable String reference, int expected) throws IOException {
            int column = 0;
            int letters = 0;
            while (reference != null && letters < reference.length() && letters < 4) {
                int letter = Character.toUpperCase(reference.charAt(letters)) - 'A' + 1;
                if (letter < 1 || letter > 26) {
                    break;
                }
                column = 26 * column + letter;
                letters++;
            }
            if ((column > 0 ? column : expected) > LAST_COLUMN) {
                throw new IOException("a cell lies behind column XFD, the last that a sheet has");
            }
            return column > 0 ? column : expected;
        }

        private static int row(@Nullable String number, int expected) throws IOException {
            long place = number == null
                    ? expected
                    : DIGITS.matcher(number).matches() ? Long.parseLong(number) : LAST_ROW + 1L;
            if (place > LAST_ROW) {
                throw new IOException("a row lies behind " + LAST_ROW + ", the last that a sheet has");
            }
            return (int) place;
        }

        private String text(WorkbookXml xml) throws IOException {
            String type = String.valueOf(xml.attribute("t"));
            int outer = xml.depth();
            String value = "";
            while (xml.nextWithin(outer)) {
                if (xml.name().equals("is")) {
                    value = WorkbookParts.text(xml);
                } else if (xml.name().equals("v")) {
                    StringBuilder raw = new StringBuilder();
                    xml.text(raw);
                    value = value(type, raw.toString());
                }
            }
            return value;
        }

        private String value(String type, String raw) throws IOException {
            return switch (type) {
                case "s" -> shared(raw);
                case "str" -> SheetText.unescaped(raw);
                case "b" -> raw.isEmpty() ? "" : Boolean.toString(raw.equals("1") || raw.equals("true"));
                case "e" -> "";
                default -> raw;
            };
        }

        private String shared(String number) throws IOException {
            if (number.isEmpty()) {
                return "";
            }
            String text = DIGITS.matcher(number).matches() ? parts.shared(Integer.parseInt(number)) : null;
            if (text == null) {
                throw new IOException(
                        "a cell names the shared text " + Unicode.head(number, 20) + ", which there is not");
            }
            return text;
        }

        @Override
        public void close() throws IOException {
            parts.close();
        }
    }
}
