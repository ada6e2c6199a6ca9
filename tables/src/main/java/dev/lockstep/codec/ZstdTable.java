// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import java.io.IOException;

/** A table of states that each stand for a symbol (finite state entropy), or one of codes of Huffman. */
final class ZstdTable {
    final int log;
    final byte[] symbols;
    final byte[] bits;
    final int[] bases;

    /** Bytes that the description of the table took. */
    int length;

    private ZstdTable(int log, int size) {
        this.log = log;
        this.symbols = new byte[size];
        this.bits = new byte[size];
        this.bases = new int[size];
    }

    /** The table of one symbol. */
    static ZstdTable single(byte symbol) {
        ZstdTable table = new ZstdTable(0, 1);
        table.symbols[0] = symbol;
        table.length = 1;
        return table;
    }

    /** @param counts how many states each symbol has; -1 for one state that any may follow */
    static ZstdTable of(int log, int... counts) throws IOException {
        ZstdTable table = new ZstdTable(log, 1 << log);
        int[] next = new int[counts.length];
        int last = table.symbols.length - 1;
        int used = 0;
        for (int symbol = 0; symbol < counts.length; symbol++) {
            next[symbol] = Math.abs(counts[symbol]);
            used += next[symbol];
            if (counts[symbol] < 0 && last >= 0) {
                table.symbols[last--] = (byte) symbol;
            }
        }
        if (used != table.symbols.length) {
            throw new IOException("counts of symbols do not add up");
        }
        int mask = table.symbols.length - 1;
        int step = (table.symbols.length >> 1) + (table.symbols.length >> 3) + 3;
        int at = 0;
        for (int symbol = 0; symbol < counts.length; symbol++) {
            for (int i = 0; i < counts[symbol]; i++) {
                table.symbols[at] = (byte) symbol;
                do {
                    at = at + step & mask;
                } while (at > last);
            }
        }
        for (int i = 0; i <= mask; i++) {
            int state = next[table.symbols[i]]++;
            table.bits[i] = (byte) (log - 31 + Integer.numberOfLeadingZeros(state));
            table.bases[i] = (state << table.bits[i]) - table.symbols.length;
        }
        return table;
    }

    /** The table that is described from a place on. */
    static ZstdTable read(byte[] b, int from, int to, int mostLog, int mostSymbol) throws IOException {
        int log = (b[from] & 15) + 5;
        if (log > mostLog) {
            throw new IOException("a table of states is too large");
        }
        int[] counts = new int[mostSymbol + 1];
        int bit = 4;
        int remaining = (1 << log) + 1;
        int symbol = 0;
        while (remaining > 1) {
            int width = 32 - Integer.numberOfLeadingZeros(remaining);
            int half = 1 << width - 1;
            int few = 2 * half - 1 - remaining;
            int value = forward(b, from, to, bit, width);
            int count = value & half - 1;
            if (count < few) {
                bit += width - 1;
            } else {
                count = value >= half ? value - few : value;
                bit += width;
            }
            if (symbol > mostSymbol || from + (bit >> 3) > to) {
                throw new IOException("a table of states has no end");
            }
            counts[symbol++] = --count;
            remaining -= Math.abs(count);
            for (int more = count == 0 ? 3 : 0; more == 3; bit += 2) {
                more = forward(b, from, to, bit, 2);
                symbol += more;
            }
        }
        ZstdTable table = of(log, counts);
        table.length = bit + 7 >> 3;
        return table;
    }

    private static int forward(byte[] b, int from, int to, int bit, int count) {
        int value = 0;
        for (int i = 0; i < 4 && from + (bit >> 3) + i < to; i++) {
            value |= (b[from + (bit >> 3) + i] & 0xFF) << i * 8;
        }
        return value >>> (bit & 7) & (1 << count) - 1;
    }

    /** The codes of Huffman that are described from a place on. */
    static ZstdTable huffman(byte[] b, int from, int to) throws IOException {
        int[] weights = new int[256];
        int head = b[from] & 0xFF;
        int count = 0;
        int length;
        if (head >= 128) {
            count = head - 127;
            length = 1 + (count + 1 >> 1);
            demand(from + length <= to);
            for (int i = 0; i < count; i++) {
                weights[i] = b[from + 1 + (i >> 1)] >> ((i & 1) == 0 ? 4 : 0) & 15;
            }
        } else {
            length = 1 + head;
            demand(from + length <= to && head > 0);
            ZstdTable states = read(b, from + 1, from + length, 6, 15);
            ZstdBits in = new ZstdBits(b, from + 1 + states.length, from + length);
            int[] both = {(int) in.read(states.log), (int) in.read(states.log)};
            for (int turn = 0; ; turn = 1 - turn) {
                demand(count < 254);
                weights[count++] = states.symbols[both[turn]];
                both[turn] = states.bases[both[turn]] + (int) in.read(states.bits[both[turn]]);
                if (in.left < 0) {
                    weights[count++] = states.symbols[both[1 - turn]];
                    break;
                }
            }
        }
        int sum = 0;
        for (int i = 0; i < count; i++) {
            sum += weights[i] == 0 ? 0 : 1 << weights[i] - 1;
        }
        demand(sum > 0);
        int log = 32 - Integer.numberOfLeadingZeros(sum);
        int rest = (1 << log) - sum;
        demand(log <= 11 && Integer.bitCount(rest) == 1);
        weights[count++] = 32 - Integer.numberOfLeadingZeros(rest);
        ZstdTable table = new ZstdTable(log, 1 << log);
        int at = 0;
        for (int weight = 1; weight <= log; weight++) {
            for (int symbol = 0; symbol < count; symbol++) {
                for (int i = 0; weights[symbol] == weight && i < 1 << weight - 1; i++) {
                    table.symbols[at] = (byte) symbol;
                    table.bits[at++] = (byte) (log + 1 - weight);
                }
            }
        }
        table.length = length;
        return table;
    }

    private static void demand(boolean sound) throws IOException {
        if (!sound) {
            throw new IOException("a table of codes is damaged");
        }
    }
}
