// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Text, numbers and microseconds into bytes, through a buffer of its own. Close flushes and closes the stream below. */
final class ByteSink implements AutoCloseable {
    private static final int ROOM = 1 << 16;

    private final OutputStream out;
    private byte[] buffer = new byte[0];
    private int size;
    private long flushed;

    ByteSink(OutputStream out) {
        this.out = out;
    }

    /** Bytes written so far. */
    long count() {
        return flushed + size;
    }

    void text(String text) throws IOException {
        bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    void bytes(byte[] bytes) throws IOException {
        prepare();
        if (bytes.length > ROOM - size) {
            flush();
            if (bytes.length > ROOM) {
                out.write(bytes);
                flushed += bytes.length;
                return;
            }
        }
        System.arraycopy(bytes, 0, buffer, size, bytes.length);
        size += bytes.length;
    }

    /** A decimal integer. */
    void number(long value) throws IOException {
        room();
        long rest = value;
        if (rest < 0) {
            buffer[size++] = '-';
            rest = -rest;
        }
        digits(rest);
    }

    /** Nanoseconds as microseconds with three decimals. */
    void micros(long nanos) throws IOException {
        room();
        long rest = nanos;
        if (rest < 0) {
            buffer[size++] = '-';
            rest = -rest;
        }
        long whole = rest / 1000;
        int fraction = (int) (rest - whole * 1000);
        digits(whole);
        buffer[size] = '.';
        buffer[size + 1] = (byte) ('0' + fraction / 100);
        buffer[size + 2] = (byte) ('0' + fraction / 10 % 10);
        buffer[size + 3] = (byte) ('0' + fraction % 10);
        size += 4;
    }

    private void digits(long value) {
        int length = 1;
        for (long limit = 10; length < 19 && value >= limit; limit *= 10) {
            length++;
        }
        int at = size + length;
        size = at;
        long rest = value;
        do {
            long next = rest / 10;
            buffer[--at] = (byte) ('0' + (rest - next * 10));
            rest = next;
        } while (rest != 0);
    }

    /** Writes out what is there and lets go of the buffer until more comes. */
    void rest() throws IOException {
        flush();
        buffer = new byte[0];
    }

    private void prepare() {
        if (buffer.length == 0) {
            buffer = new byte[ROOM];
        }
    }

    private void room() throws IOException {
        prepare();
        if (ROOM - size < 32) {
            flush();
        }
    }

    private void flush() throws IOException {
        out.write(buffer, 0, size);
        flushed += size;
        size = 0;
    }

    @Override
    public void close() throws IOException {
        try (out) {
            flush();
        }
    }
}
