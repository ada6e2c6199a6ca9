// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.tabular;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;

/**
 * Comma-separated text by RFC 4180: cells may stand in quotes, and then hold commas, line ends and doubled quotes; lines end
 * in LF or CRLF. A byte order mark and empty lines are passed over; a line of an empty cell in quotes is a row. A quote inside an unquoted cell is an ordinary character.
 */
final class CsvParser {
    private static final char QUOTE = '"';
    private static final int END = -1;

    private final String source;
    private final Reader in;
    private final char[] buffer = new char[1 << 15];
    private final StringBuilder cell = new StringBuilder();
    private final List<String> row = new ArrayList<>();
    private int at;
    private int filled;
    private boolean anyQuoted;
    private long line = 1;

    /** @param source stands in messages */
    CsvParser(String source, Reader in) {
        this.source = source;
        this.in = in;
    }

    void parse(RowSink sink) throws IOException {
        int c = next();
        if (c == '\ufeff') {
            c = next();
        }
        while (c != END) {
            c = row(c);
            if (row.size() > 1 || anyQuoted || !row.getFirst().isEmpty()) {
                sink.row(row);
            }
        }
    }

    /** Fills {@link #row} from its first character on; returns the first character of the next one. */
    private int row(int first) throws IOException {
        row.clear();
        anyQuoted = false;
        int c = first;
        while (true) {
            anyQuoted |= c == QUOTE;
            c = c == QUOTE ? quoted() : c;
            while (c != ',' && c != '\n' && c != '\r' && c != END) {
                put(c);
                c = next();
            }
            row.add(cell.toString());
            cell.setLength(0);
            if (c != ',') {
                break;
            }
            c = next();
        }
        line++;
        int after = c == END ? END : next();
        return c == '\r' && after == '\n' ? next() : after;
    }

    /** Takes a quoted cell after its opening quote; returns what follows the closing one. */
    private int quoted() throws IOException {
        long opened = line;
        while (true) {
            int c = next();
            if (c == QUOTE) {
                c = next();
                if (c != QUOTE) {
                    return c;
                }
            } else if (c == END) {
                throw damaged(opened, "a quoted cell is never closed");
            } else if (c == '\n') {
                line++;
            }
            put(c);
        }
    }

    private void put(int c) throws TraceFormatException {
        if (c == 0) {
            throw damaged(line, "a NUL character; this is no text");
        }
        cell.append((char) c);
    }

    private TraceFormatException damaged(long where, String problem) {
        return new TraceFormatException(
                ErrorCode.FORMAT_CORRUPT,
                source,
                -1,
                "line " + where + ": " + problem,
                "Expected comma-separated text.");
    }

    private int next() throws IOException {
        if (at == filled) {
            filled = in.read(buffer, 0, buffer.length);
            at = 0;
            if (filled <= 0) {
                filled = 0;
                return END;
            }
        }
        return buffer[at++];
    }
}
