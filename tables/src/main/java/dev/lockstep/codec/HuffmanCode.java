// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import java.util.Arrays;

/**
 * A prefix code of deflate (RFC 1951, 3.2.2) for symbols of known frequencies: none longer than a limit, bits in the order
 * in which they are sent. Reused from block to block.
 */
final class HuffmanCode {
    private final int longest;
    /** By symbol: number of bits, 0 when it does not occur. */
    final byte[] lengths;
    /** By symbol: its bits, the first one lowest, and in the upper eight bits their number. */
    final int[] sent;

    private final long[] order;
    private final int[] weights;
    private final int[] ofLength;

    /** @param longest most bits of a symbol, at most 15 */
    HuffmanCode(int symbols, int longest) {
        this.longest = longest;
        lengths = new byte[symbols];
        sent = new int[symbols];
        order = new long[symbols];
        weights = new int[symbols];
        ofLength = new int[Math.max(longest, symbols) + 1];
    }

    /** Makes the code for these frequencies, of which there is one for each symbol; their sum is below 2^31. */
    void make(int[] frequencies) {
        Arrays.fill(lengths, (byte) 0);
        Arrays.fill(sent, 0);
        int used = 0;
        for (int symbol = 0; symbol < lengths.length; symbol++) {
            if (frequencies[symbol] > 0) {
                order[used++] = (long) frequencies[symbol] << 16 | symbol;
            }
        }
        Arrays.sort(order, 0, used);
        Arrays.fill(ofLength, 0);
        if (used == 1) {
            ofLength[1] = 1;
        } else if (used > 1) {
            countLengths(used);
        }
        assign(used);
    }

    /** Number of symbols up to the last that occurs, at least this many. */
    int count(int least) {
        int count = lengths.length;
        while (count > least && lengths[count - 1] == 0) {
            count--;
        }
        return count;
    }

    /** Writes a symbol. */
    void write(int symbol, BitSink out) {
        out.put(sent[symbol] & 0xFFFFFF, lengths[symbol]);
    }

    /** How many symbols have how many bits: by Moffat and Katajainen, In-Place Calculation of Minimum-Redundancy Codes. */
    private void countLengths(int used) {
        int[] w = weights;
        for (int i = 0; i < used; i++) {
            w[i] = (int) (order[i] >>> 16);
        }
        int root = 0;
        int leaf = 0;
        for (int next = 0; next < used - 1; next++) {
            int sum = 0;
            for (int part = 0; part < 2; part++) {
                if (leaf >= used || root < next && w[root] < w[leaf]) {
                    sum += w[root];
                    w[root++] = next;
                } else {
                    sum += w[leaf++];
                }
            }
            w[next] = sum;
        }
        w[used - 2] = 0;
        for (int next = used - 3; next >= 0; next--) {
            w[next] = w[w[next]] + 1;
        }
        int available = 1;
        int inner = used - 2;
        for (int depth = 0; available > 0; depth++) {
            int nodes = 0;
            while (inner >= 0 && w[inner] == depth) {
                nodes++;
                inner--;
            }
            ofLength[Math.min(depth, longest)] += available - nodes;
            available = 2 * nodes;
        }
        shorten();
    }

    /** Makes room for codes that were cut to the longest length: a shorter one becomes the parent of two. */
    private void shorten() {
        long taken = 0;
        for (int length = 1; length <= longest; length++) {
            taken += (long) ofLength[length] << longest - length;
        }
        while (taken > 1L << longest) {
            int length = longest - 1;
            while (ofLength[length] == 0) {
                length--;
            }
            ofLength[length]--;
            ofLength[length + 1] += 2;
            ofLength[longest]--;
            taken--;
        }
    }

    private void assign(int used) {
        int next = used;
        for (int length = 1; length <= longest; length++) {
            for (int i = 0; i < ofLength[length]; i++) {
                lengths[(int) order[--next] & 0xFFFF] = (byte) length;
            }
        }
        int code = 0;
        int[] first = weights;
        for (int length = 1; length <= longest && length < first.length; length++) {
            first[length] = code;
            code = code + ofLength[length] << 1;
        }
        for (int symbol = 0; symbol < lengths.length; symbol++) {
            int length = lengths[symbol];
            if (length > 0) {
                sent[symbol] = length << 24 | Integer.reverse(first[length]++) >>> Integer.SIZE - length;
            }
        }
    }
}
