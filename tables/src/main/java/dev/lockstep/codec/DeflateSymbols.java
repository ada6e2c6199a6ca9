// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

/** The symbols that stand for lengths and distances of matches in deflate (RFC 1951, 3.2.5), by table. */
final class DeflateSymbols {
    static final int LEAST_LENGTH = 3;
    static final int MOST_LENGTH = 258;
    static final int LENGTHS = MOST_LENGTH - LEAST_LENGTH + 1;
    static final int LENGTH_SYMBOLS = 29;
    static final int DISTANCE_SYMBOLS = 30;

    /** By length less the least: its symbol, from 0. */
    static final byte[] OF_LENGTH = new byte[LENGTHS];
    /** By symbol: the number of bits behind it, and the first length less the least. */
    static final byte[] LENGTH_BITS = new byte[LENGTH_SYMBOLS];

    static final int[] FIRST_LENGTH = new int[LENGTH_SYMBOLS];
    /** By symbol: the number of bits behind it, and the first distance less 1. */
    static final byte[] DISTANCE_BITS = new byte[DISTANCE_SYMBOLS];

    static final int[] FIRST_DISTANCE = new int[DISTANCE_SYMBOLS];

    private static final int NEAR = 256;
    private static final int FAR_BITS = 7;
    /** By distance less 1 as far as it is near; behind that, by the distance without its lower bits. */
    private static final byte[] OF_DISTANCE = new byte[2 * NEAR];

    static {
        int length = 0;
        for (int symbol = 0; symbol < LENGTH_SYMBOLS - 1; symbol++) {
            LENGTH_BITS[symbol] = (byte) Math.max(0, (symbol >> 2) - 1);
            FIRST_LENGTH[symbol] = length;
            for (int i = 0; i < 1 << LENGTH_BITS[symbol]; i++) {
                OF_LENGTH[length++] = (byte) symbol;
            }
        }
        FIRST_LENGTH[LENGTH_SYMBOLS - 1] = LENGTHS - 1;
        OF_LENGTH[LENGTHS - 1] = LENGTH_SYMBOLS - 1;
        int distance = 0;
        for (int symbol = 0; symbol < DISTANCE_SYMBOLS; symbol++) {
            DISTANCE_BITS[symbol] = (byte) Math.max(0, (symbol >> 1) - 1);
            FIRST_DISTANCE[symbol] = distance;
            for (int i = 0; i < 1 << DISTANCE_BITS[symbol]; i++, distance++) {
                OF_DISTANCE[distance < NEAR ? distance : NEAR + (distance >> FAR_BITS)] = (byte) symbol;
            }
        }
    }

    private DeflateSymbols() {}

    /** The symbol of a distance less 1. */
    static int ofDistance(int distance) {
        return OF_DISTANCE[distance < NEAR ? distance : NEAR + (distance >> FAR_BITS)];
    }
}
