// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import java.util.Arrays;

/**
 * The two codes of a deflate block, for literals and lengths and for distances, and how they are described at its head (RFC
 * 1951, 3.2.7). Reused from block to block.
 */
final class DeflateCodes {
    static final int END = 256;
    static final int FIRST_LENGTH = 257;

    private static final int LITERALS = FIRST_LENGTH + DeflateSymbols.LENGTH_SYMBOLS;
    private static final int LONGEST = 15;
    private static final int REPEAT = 16;
    private static final int ZEROS = 17;
    private static final int MANY_ZEROS = 18;
    private static final int[] ORDER = {REPEAT, ZEROS, MANY_ZEROS, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15
    };

    /** How often symbols occur. */
    final int[] literalCounts = new int[LITERALS];

    final int[] distanceCounts = new int[DeflateSymbols.DISTANCE_SYMBOLS];
    final HuffmanCode literals = new HuffmanCode(LITERALS, LONGEST);
    final HuffmanCode distances = new HuffmanCode(DeflateSymbols.DISTANCE_SYMBOLS, LONGEST);

    private final HuffmanCode ofLengths = new HuffmanCode(ORDER.length, 7);
    private final int[] lengthCounts = new int[ORDER.length];
    private final byte[] symbols = new byte[LITERALS + DeflateSymbols.DISTANCE_SYMBOLS];
    private final byte[] repeats = new byte[LITERALS + DeflateSymbols.DISTANCE_SYMBOLS];
    private int described;

    /** Begins to count anew. */
    void clear() {
        Arrays.fill(literalCounts, 0);
        Arrays.fill(distanceCounts, 0);
        literalCounts[END] = 1;
    }

    /** Makes the codes for what was counted. */
    void make() {
        literals.make(literalCounts);
        distances.make(distanceCounts);
        describe();
        ofLengths.make(lengthCounts);
    }

    /** Size of the block in bits, at most. */
    long size() {
        long size = 17 + 3 * ORDER.length + 14L * described;
        for (int i = 0; i < LITERALS; i++) {
            int bits = i < FIRST_LENGTH ? 0 : DeflateSymbols.LENGTH_BITS[i - FIRST_LENGTH];
            size += (long) literalCounts[i] * (literals.lengths[i] + bits);
        }
        for (int i = 0; i < DeflateSymbols.DISTANCE_SYMBOLS; i++) {
            size += (long) distanceCounts[i] * (distances.lengths[i] + DeflateSymbols.DISTANCE_BITS[i]);
        }
        return size;
    }

    /** Writes the description of the codes, for which there must be room. */
    void write(BitSink out) {
        out.put(literals.count(FIRST_LENGTH) - FIRST_LENGTH, 5);
        out.put(distances.count(1) - 1, 5);
        int codes = ORDER.length;
        while (codes > 4 && ofLengths.lengths[ORDER[codes - 1]] == 0) {
            codes--;
        }
        out.put(codes - 4, 4);
        for (int i = 0; i < codes; i++) {
            out.put(ofLengths.lengths[ORDER[i]], 3);
        }
        for (int i = 0; i < described; i++) {
            ofLengths.write(symbols[i], out);
            if (symbols[i] >= REPEAT) {
                out.put(repeats[i], symbols[i] == REPEAT ? 2 : symbols[i] == ZEROS ? 3 : 7);
            }
        }
    }

    private void describe() {
        Arrays.fill(lengthCounts, 0);
        described = 0;
        int literalCount = literals.count(FIRST_LENGTH);
        byte[] lengths = Arrays.copyOf(literals.lengths, literalCount + distances.count(1));
        System.arraycopy(distances.lengths, 0, lengths, literalCount, lengths.length - literalCount);
        for (int from = 0; from < lengths.length; ) {
            int to = from + 1;
            while (to < lengths.length && lengths[to] == lengths[from]) {
                to++;
            }
            if (lengths[from] == 0) {
                zeros(to - from);
            } else {
                run(lengths[from], to - from);
            }
            from = to;
        }
    }

    private void zeros(int times) {
        int left = times;
        while (left >= 11) {
            int some = Math.min(left, 138);
            add(MANY_ZEROS, some - 11);
            left -= some;
        }
        if (left >= 3) {
            add(ZEROS, left - 3);
            left = 0;
        }
        for (; left > 0; left--) {
            add(0, 0);
        }
    }

    private void run(int length, int times) {
        add(length, 0);
        int left = times - 1;
        while (left >= 3) {
            int some = Math.min(left, 6);
            add(REPEAT, some - 3);
            left -= some;
        }
        for (; left > 0; left--) {
            add(length, 0);
        }
    }

    private void add(int symbol, int repeat) {
        lengthCounts[symbol]++;
        symbols[described] = (byte) symbol;
        repeats[described++] = (byte) repeat;
    }
}
