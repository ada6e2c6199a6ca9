// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.tabular.RowSink;
import dev.lockstep.tabular.SheetFormat;
import dev.lockstep.tabular.Sheets;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.dhatim.fastexcel.reader.Cell;
import org.dhatim.fastexcel.reader.CellType;
import org.dhatim.fastexcel.reader.ReadableWorkbook;
import org.dhatim.fastexcel.reader.Row;
import org.dhatim.fastexcel.reader.Sheet;

/**
 * Workbooks in the format of Excel since 2007 ({@code .xlsx}), read row by row. The texts that sheets share are kept in
 * memory while the workbook is open. A cell with a formula counts with the value that was stored for it.
 */
public final class WorkbookFormat implements SheetFormat {
    private static final int ZIP = 0x504B0304;

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
            ReadableWorkbook workbook = new ReadableWorkbook(path.toFile());
            List<Sheet> sheets = workbook.getSheets().toList();
            return new WorkbookSheets(source, workbook, sheets);
        } catch (IOException | RuntimeException e) {
            throw damaged(source, e);
        }
    }

    private static TraceFormatException damaged(String source, Exception cause) {
        TraceFormatException e = new TraceFormatException(
                ErrorCode.FORMAT_CORRUPT,
                source,
                -1,
                "the workbook cannot be read: " + words(cause),
                "Expected a workbook that was saved as .xlsx.");
        e.initCause(cause);
        return e;
    }

    /** What the parser of XML says, without the names of its classes and of no source. */
    private static String words(Exception cause) {
        String message = String.valueOf(cause.getMessage());
        return message.replaceFirst("^(?:[a-z]\\w*\\.)+\\w+: ", "").replaceAll("(?s)\\s+at \\[row.*", "");
    }

    private record WorkbookSheets(String source, ReadableWorkbook workbook, List<Sheet> sheets) implements Sheets {
        @Override
        public List<String> names() {
            return sheets.stream().map(Sheet::getName).toList();
        }

        @Override
        public void rows(String name, RowSink sink) throws IOException {
            Sheet sheet = sheets.stream()
                    .filter(s -> s.getName().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("no sheet " + name));
            List<String> cells = new ArrayList<>();
            try (Stream<Row> rows = open(sheet)) {
                for (Iterator<Row> each = rows.iterator(); hasNext(each); ) {
                    fill(cells, each.next());
                    if (!cells.isEmpty()) {
                        sink.row(cells);
                    }
                }
            }
        }

        private Stream<Row> open(Sheet sheet) throws TraceFormatException {
            try {
                return sheet.openStream();
            } catch (IOException | RuntimeException e) {
                throw damaged(source, e);
            }
        }

        /** The library reads ahead here, and throws what it likes. */
        private boolean hasNext(Iterator<Row> rows) throws TraceFormatException {
            try {
                return rows.hasNext();
            } catch (RuntimeException e) {
                throw damaged(source, e);
            }
        }

        private static void fill(List<String> cells, Row row) {
            cells.clear();
            for (int i = 0; i < row.getCellCount(); i++) {
                Cell cell = row.hasCell(i) ? row.getCell(i) : null;
                cells.add(cell == null ? "" : text(cell));
            }
            while (!cells.isEmpty() && cells.getLast().isEmpty()) {
                cells.removeLast();
            }
        }

        private static String text(Cell cell) {
            CellType type = cell.getType();
            String raw = cell.getRawValue();
            if (type == CellType.BOOLEAN) {
                return Boolean.toString(Boolean.TRUE.equals(cell.asBoolean()));
            }
            if (type == CellType.STRING) {
                return SheetText.unescaped(cell.asString());
            }
            return type == CellType.EMPTY || type == CellType.ERROR || raw == null ? "" : raw;
        }

        @Override
        public void close() throws IOException {
            workbook.close();
        }
    }
}
