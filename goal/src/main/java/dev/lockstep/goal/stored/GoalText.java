// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.stored;

import dev.lockstep.codec.ByteSource;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the text form, taking what {@code txt2bin} takes: blanks between words may be missing where words cannot run
 * into each other, and comments stand wherever a line may start.
 */
final class GoalText {
    private static final int DIGITS = 18;
    private static final int CALC_WORD = 'c' << 24 | 'a' << 16 | 'l' << 8 | 'c';
    private static final int SEND_WORD = 's' << 24 | 'e' << 16 | 'n' << 8 | 'd';
    private static final int RECV_WORD = 'r' << 24 | 'e' << 16 | 'c' << 8 | 'v';

    private final String name;
    private final LineWindow window;
    private final Flaws flaws;
    private final @Nullable Places places;
    private final LabelTable labels = new LabelTable();
    private final OperationsBuilder builder;
    private final List<Operations> ranks = new ArrayList<>();
    private byte[] buf;
    private int at;
    private long line = 1;
    private long total = -1;
    private int number;

    GoalText(String name, ByteSource source, Flaws flaws, @Nullable Places places) {
        this.name = name;
        this.flaws = flaws;
        this.places = places;
        window = new LineWindow(source);
        builder = new OperationsBuilder(flaws);
        buf = window.bytes;
    }

    List<Operations> read() throws IOException {
        while (next()) {
            if (total >= 0 && ranks.size() == total) {
                flaws.add("line " + line + ": rank " + (ranks.size() - 1)
                        + " is the last, what follows it is never read");
                return ranks;
            }
            int start = at;
            int end = letter(buf[at]) ? identifier(at) : at;
            if (is(start, end, "num_ranks") && total < 0) {
                at = end;
                total = integer("the number of ranks");
                demand(total > 0 && total < 1L << 32, "a number of ranks");
            } else if (is(start, end, "rank") && total >= 0) {
                at = end;
                rank();
            } else {
                at = start;
                throw expected(total < 0 ? "num_ranks" : "rank");
            }
        }
        demand(total >= 0, "num_ranks");
        if (ranks.size() != total) {
            flaws.add("num_ranks says " + total + ", but there are " + ranks.size() + " ranks");
        }
        return ranks;
    }

    private void rank() throws IOException {
        long stated = integer("the number of the rank");
        int rank = ranks.size();
        if (stated != rank) {
            flaws.add("line " + line + ": rank " + stated + " stands where rank " + rank + " is due");
        }
        symbol('{');
        long opened = line;
        labels.clear();
        builder.begin(rank, total);
        while (next()) {
            byte c = buf[at];
            if (c == '}') {
                at++;
                ranks.add(builder.build());
                return;
            }
            if (!letter(c)) {
                throw expected("an operation, a label or }");
            }
            statement(rank);
        }
        throw malformed(line, "the file ends inside rank " + rank + ", which begins in line " + opened);
    }

    private void statement(int rank) throws IOException {
        int start = at;
        int end = identifier(start);
        int labelNumber = number;
        at = end;
        byte kind = end - start == 4 ? kindAt(start) : 0;
        if (kind != 0) {
            place(rank, 0, 0);
            operation(kind);
            return;
        }
        if (is(start, end, "rank") || is(start, end, "num_ranks")) {
            at = start;
            throw expected("an operation, a label or }");
        }
        blanks();
        if (buf[at] == ':') {
            at++;
            blanks();
            kind = kindAt(at);
            if (kind == 0) {
                throw expected("calc, send or recv");
            }
            at += 4;
            if (!labels.put(buf, start, end, labelNumber, builder.size())) {
                flaws.add("rank " + rank + " line " + line + ": label " + LabelTable.string(buf, start, end)
                        + " is defined twice");
            }
            place(rank, start, end);
            operation(kind);
        } else {
            dependency(rank, start, end, labelNumber);
        }
    }

    private void dependency(int rank, int start, int end, int labelNumber) throws TraceFormatException {
        boolean startOnly = buf[at] == 'i' && starts(at, "irequires");
        if (!startOnly && !starts(at, "requires")) {
            throw expected(":, requires or irequires");
        }
        at += startOnly ? 9 : 8;
        blanks();
        if (!letter(buf[at])) {
            throw expected("a label");
        }
        int second = at;
        int secondEnd = identifier(second);
        int secondNumber = number;
        at = secondEnd;
        newline();
        int waiting = labels.get(buf, start, end, labelNumber);
        int awaited = labels.get(buf, second, secondEnd, secondNumber);
        if (waiting < 0 || awaited < 0) {
            String label = waiting < 0 ? LabelTable.string(buf, start, end) : LabelTable.string(buf, second, secondEnd);
            flaws.add("rank " + rank + " line " + (line - 1) + ": label " + label + " is used before it is defined");
        } else {
            builder.dependency(waiting, awaited, startOnly);
        }
    }

    private void operation(byte kind) throws TraceFormatException {
        long amount = integer(kind == Operations.CALC ? "a duration in ns" : "a size in bytes");
        long peer = 0;
        long tag = 0;
        long cpu = 0;
        long nic = 0;
        if (kind == Operations.CALC) {
            cpu = option("cpu");
        } else {
            symbol('b');
            word(kind == Operations.SEND ? "to" : "from");
            peer = integerOrAny(kind == Operations.RECV, "a rank");
            blanks();
            if (buf[at] == 't' && starts(at, "tag")) {
                at += 3;
                tag = integerOrAny(true, "a tag");
            }
            cpu = option("cpu");
            nic = option("nic");
        }
        newline();
        builder.add(kind, amount, peer, tag, cpu, nic);
    }

    private long option(String word) throws TraceFormatException {
        blanks();
        if (buf[at] != word.charAt(0) || !starts(at, word)) {
            return 0;
        }
        at += word.length();
        long value = integer("the number of the " + word);
        return value < 0 ? Long.MAX_VALUE : value;
    }

    private long integerOrAny(boolean any, String what) throws TraceFormatException {
        blanks();
        if (any && buf[at] == '-' && buf[at + 1] == '1') {
            at += 2;
            return OperationsBuilder.ANY;
        }
        long value = integer(what);
        return value < 0 ? Long.MAX_VALUE : value;
    }

    /** A whole number; -2 if it does not fit into 63 bits. */
    private long integer(String what) throws TraceFormatException {
        blanks();
        int p = at;
        while (buf[p] == '0') {
            p++;
        }
        int first = p;
        long value = 0;
        int digit = buf[p] - '0';
        while (digit >= 0 && digit <= 9) {
            value = value * 10 + digit;
            digit = buf[++p] - '0';
        }
        if (p == at) {
            throw expected(what);
        }
        if (p - first > DIGITS && (p - first > DIGITS + 1 || value < 0)) {
            value = -2;
        }
        at = p;
        return value;
    }

    private void symbol(char wanted) throws TraceFormatException {
        blanks();
        if (buf[at] != wanted) {
            throw expected(String.valueOf(wanted));
        }
        at++;
    }

    private void word(String wanted) throws TraceFormatException {
        blanks();
        if (!starts(at, wanted)) {
            throw expected(wanted);
        }
        at += wanted.length();
    }

    private void newline() throws TraceFormatException {
        blanks();
        if (buf[at] == '\r' && buf[at + 1] == '\n') {
            at++;
        }
        if (buf[at] != '\n') {
            throw expected("the end of the line");
        }
        at++;
        line++;
    }

    /** Moves to the next thing that is neither blank nor comment; its line is whole. False at the end of the text. */
    private boolean next() throws IOException {
        while (whole()) {
            blanks();
            byte c = buf[at];
            if (c == '\n' || c == '\r' && buf[at + 1] == '\n') {
                newline();
            } else if (c == '/' && buf[at + 1] == '/') {
                while (buf[at] != '\n') {
                    at++;
                }
            } else if (c == '/' && buf[at + 1] == '*') {
                at += 2;
                comment();
            } else {
                return true;
            }
        }
        return false;
    }

    private void comment() throws IOException {
        long opened = line;
        while (whole()) {
            while (buf[at] != '\n') {
                if (buf[at] == '*' && buf[at + 1] == '/') {
                    at += 2;
                    return;
                }
                at++;
            }
            at++;
            line++;
        }
        throw malformed(line, "the file ends inside the comment that begins in line " + opened);
    }

    private boolean whole() throws IOException {
        window.at = at;
        boolean more = window.line();
        at = window.at;
        buf = window.bytes;
        return more;
    }

    private void blanks() {
        int p = at;
        while (buf[p] == ' ' || buf[p] == '\t') {
            p++;
        }
        at = p;
    }

    /** The end of the identifier that starts here; {@link #number} becomes what stands behind its letter, or -1. */
    private int identifier(int start) {
        int p = start + 1;
        int value = 0;
        int digit = buf[p] - '0';
        while (digit >= 0 && digit <= 9) {
            value = value * 10 + digit;
            digit = buf[++p] - '0';
        }
        if (!letter(buf[p]) && buf[p] != '_') {
            int digits = p - start - 1;
            number = digits == 0 || digits > 9 || digits > 1 && buf[start + 1] == '0' ? -1 : value;
            return p;
        }
        number = -1;
        while (letter(buf[p]) || buf[p] == '_' || buf[p] >= '0' && buf[p] <= '9') {
            p++;
        }
        return p;
    }

    private static boolean letter(byte c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
    }

    private byte kindAt(int p) {
        int word = buf[p] << 24 | buf[p + 1] << 16 | buf[p + 2] << 8 | buf[p + 3];
        return word == CALC_WORD
                ? Operations.CALC
                : word == SEND_WORD ? Operations.SEND : word == RECV_WORD ? Operations.RECV : 0;
    }

    private boolean is(int start, int end, String word) {
        return end - start == word.length() && starts(start, word);
    }

    private boolean starts(int p, String word) {
        for (int i = 0; i < word.length(); i++) {
            if (buf[p + i] != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private void place(int rank, int start, int end) {
        if (places != null && places.wants(rank, builder.size())) {
            places.put(rank, builder.size(), line, LabelTable.string(buf, start, end));
        }
    }

    private void demand(boolean holds, String what) throws TraceFormatException {
        if (!holds) {
            throw expected(what);
        }
    }

    private TraceFormatException expected(String what) {
        int end = at;
        while (end < buf.length && end < at + 20 && buf[end] >= ' ') {
            end++;
        }
        String found =
                end > at ? "'" + new String(buf, at, end - at, StandardCharsets.UTF_8) + "'" : "the end of the line";
        return malformed(line, "expected " + what + ", found " + found);
    }

    private TraceFormatException malformed(long where, String problem) {
        return new TraceFormatException(
                ErrorCode.FORMAT_CORRUPT,
                name,
                -1,
                "line " + where + ": " + problem,
                "The grammar stands in docs/reference/formats/goal.md.");
    }
}
