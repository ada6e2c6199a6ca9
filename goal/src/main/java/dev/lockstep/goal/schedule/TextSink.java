// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.schedule;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Writes the schedule of a rank as lines of text. The caller closes the stream. */
public final class TextSink implements ScheduleSink {
    private static final int LONGEST_LINE = 160;
    private static final byte[] CALC = bytes(": calc ");
    private static final byte[] SEND = bytes(": send ");
    private static final byte[] RECV = bytes(": recv ");
    private static final byte[] TO = bytes("b to ");
    private static final byte[] FROM = bytes("b from ");
    private static final byte[] TAG = bytes(" tag ");
    private static final byte[] CPU = bytes(" cpu ");
    private static final byte[] NIC = bytes(" nic ");
    private static final byte[] REQUIRES = bytes(" requires l");
    private static final byte[] IREQUIRES = bytes(" irequires l");

    private final OutputStream out;
    private final int tagDigits;
    private final byte[] buffer;
    private int at;
    private int next;

    /**
     * @param tagDigits tags are filled up with zeros to so many digits; 1 for as many as they need
     * @param bufferBytes size of what is written at once
     */
    public TextSink(OutputStream out, int tagDigits, int bufferBytes) {
        this.out = out;
        this.tagDigits = tagDigits;
        this.buffer = new byte[Math.max(bufferBytes, 2 * LONGEST_LINE)];
    }

    /** The line that stands before all ranks. */
    public static byte[] header(int ranks) {
        return bytes("num_ranks " + ranks + "\n");
    }

    /** Opens the block of a rank. */
    public void begin(int rank) throws IOException {
        room();
        word(bytes("rank "));
        number(rank);
        word(bytes(" {\n"));
    }

    /** Closes the block, and hands everything on. */
    public void end() throws IOException {
        room();
        word(bytes("}\n"));
        out.write(buffer, 0, at);
        at = 0;
    }

    @Override
    public int calc(long nanoseconds, int cpu) throws IOException {
        room();
        buffer[at++] = 'l';
        number(next);
        word(CALC);
        number(nanoseconds);
        word(CPU);
        number(cpu);
        buffer[at++] = '\n';
        return next++;
    }

    @Override
    public int send(long bytes, int to, long tag, int cpu, int nic) throws IOException {
        message(SEND, bytes, TO, to);
        return carriedBy(tag, cpu, nic);
    }

    @Override
    public int recv(long bytes, int from, long tag, int cpu, int nic) throws IOException {
        message(RECV, bytes, FROM, from);
        return carriedBy(tag, cpu, nic);
    }

    @Override
    public void requires(int later, int earlier) throws IOException {
        edge(later, REQUIRES, earlier);
    }

    @Override
    public void irequires(int later, int earlier) throws IOException {
        edge(later, IREQUIRES, earlier);
    }

    private void edge(int later, byte[] word, int earlier) throws IOException {
        room();
        buffer[at++] = 'l';
        number(later);
        word(word);
        number(earlier);
        buffer[at++] = '\n';
    }

    /** Begins the line of a message; {@link #carriedBy} ends it. */
    private void message(byte[] kind, long bytes, byte[] direction, int peer) throws IOException {
        room();
        buffer[at++] = 'l';
        number(next);
        word(kind);
        number(bytes);
        word(direction);
        number(peer);
    }

    private int carriedBy(long tag, int cpu, int nic) {
        word(TAG);
        padded(tag);
        word(CPU);
        number(cpu);
        word(NIC);
        number(nic);
        buffer[at++] = '\n';
        return next++;
    }

    private void room() throws IOException {
        if (buffer.length - at < LONGEST_LINE) {
            out.write(buffer, 0, at);
            at = 0;
        }
    }

    private void word(byte[] word) {
        System.arraycopy(word, 0, buffer, at, word.length);
        at += word.length;
    }

    private void padded(long tag) {
        long limit = 10;
        int digits = 1;
        while (digits < tagDigits && tag >= limit) {
            limit *= 10;
            digits++;
        }
        for (int i = digits; i < tagDigits; i++) {
            buffer[at++] = '0';
        }
        number(tag);
    }

    private void number(long value) {
        if (value < 10) {
            buffer[at++] = (byte) ('0' + value);
        } else if (value <= Integer.MAX_VALUE) {
            small((int) value);
        } else {
            number(value / 1_000_000_000);
            int rest = (int) (value % 1_000_000_000);
            for (int i = at + 8; i >= at; i--) {
                buffer[i] = (byte) ('0' + rest % 10);
                rest /= 10;
            }
            at += 9;
        }
    }

    private void small(int value) {
        int digits = digits(value);
        int rest = value;
        for (int i = at + digits - 1; i >= at; i--) {
            int tens = rest / 10;
            buffer[i] = (byte) ('0' + rest - 10 * tens);
            rest = tens;
        }
        at += digits;
    }

    private static int digits(int value) {
        if (value < 100_000) {
            return value < 100 ? (value < 10 ? 1 : 2) : value < 1000 ? 3 : value < 10_000 ? 4 : 5;
        }
        return value < 10_000_000
                ? (value < 1_000_000 ? 6 : 7)
                : value < 100_000_000 ? 8 : value < 1_000_000_000 ? 9 : 10;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
