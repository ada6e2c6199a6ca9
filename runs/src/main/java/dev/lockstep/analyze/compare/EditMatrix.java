// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.compare;

import dev.lockstep.table.LongIntMap;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The matrix of edit distances between the beginnings of two sequences, where inserting, deleting and replacing cost 1.
 * It is worked out a column at a time, 64 rows in a step (Myers 1999, Hyyrö 2003); of the columns only every so many are
 * kept, the others are worked out again when asked for, so that sequences of lengths m and n take m·n/64 steps twice and
 * memory for about m·√n/16 bytes.
 */
public final class EditMatrix {
    private static final int WORD = Long.SIZE;
    private static final int SMALL = 1 << 12;

    private final int[] a;
    private final int[] b;
    private final int words;
    private final int stretch;
    private final long[] keptRises;
    private final long[] keptFalls;
    private final long[] rises;
    private final long[] falls;
    private final long[] equal;
    private final @Nullable Symbols symbols;
    private int loaded = -1;

    /** The matrix with a row for each beginning of {@code a} and a column for each of {@code b}; the arrays are not copied. */
    public EditMatrix(int[] a, int[] b) {
        this.a = a;
        this.b = b;
        words = (a.length + WORD - 1) / WORD;
        stretch = Math.max(WORD, (int) Math.sqrt(b.length) + 1);
        int kept = b.length / stretch + 1;
        keptRises = new long[kept * words];
        keptFalls = new long[kept * words];
        rises = new long[Math.min(stretch, b.length + 1) * words];
        falls = new long[words];
        equal = new long[words];
        symbols = (long) a.length * b.length <= SMALL ? null : new Symbols(a, words);
        if (kept > 1) {
            fill(0, (kept - 1) * stretch, true);
        } else {
            Arrays.fill(keptRises, -1L);
        }
    }

    /**
     * Whether the distance in row {@code i} of column {@code j} is one more than in the row before. Asking is quick as long
     * as columns come in descending order.
     *
     * @param i from 1 to the length of {@code a}
     * @param j from 0 to the length of {@code b}
     */
    public boolean rises(int i, int j) {
        int group = j / stretch;
        if (group != loaded) {
            loaded = group;
            int first = group * stretch;
            fill(first, Math.min(b.length, first + stretch - 1), false);
        }
        return (rises[(j - loaded * stretch) * words + (i - 1) / WORD] >>> (i - 1) % WORD & 1) != 0;
    }

    /** Works out the columns after {@code from} up to {@code to}: into the kept ones, or all of them for asking. */
    private void fill(int from, int to, boolean keep) {
        long[] up = new long[words];
        if (keep) {
            Arrays.fill(up, -1L);
            Arrays.fill(falls, 0);
            keep(0, up);
        } else {
            System.arraycopy(keptRises, from / stretch * words, up, 0, words);
            System.arraycopy(keptFalls, from / stretch * words, falls, 0, words);
            System.arraycopy(up, 0, rises, 0, words);
        }
        for (int j = from + 1; j <= to; j++) {
            column(b[j - 1], up);
            if (!keep) {
                System.arraycopy(up, 0, rises, (j - from) * words, words);
            } else if (j % stretch == 0) {
                keep(j / stretch, up);
            }
        }
    }

    private void keep(int group, long[] up) {
        System.arraycopy(up, 0, keptRises, group * words, words);
        System.arraycopy(falls, 0, keptFalls, group * words, words);
    }

    private void column(int symbol, long[] up) {
        long[] same = equalTo(symbol);
        long carryUp = 1;
        long carryDown = 0;
        for (int w = 0; w < words; w++) {
            long pv = up[w];
            long mv = falls[w];
            long eq = same[w];
            long xv = eq | mv;
            eq |= carryDown;
            long xh = (eq & pv) + pv ^ pv | eq;
            long ph = mv | ~(xh | pv);
            long mh = pv & xh;
            long nextUp = ph >>> WORD - 1;
            long nextDown = mh >>> WORD - 1;
            ph = ph << 1 | carryUp;
            mh = mh << 1 | carryDown;
            up[w] = mh | ~(xv | ph);
            falls[w] = ph & xv;
            carryUp = nextUp;
            carryDown = nextDown;
        }
    }

    private long[] equalTo(int symbol) {
        if (symbols != null) {
            return symbols.places(symbol, equal);
        }
        Arrays.fill(equal, 0);
        for (int i = 0; i < a.length; i++) {
            if (a[i] == symbol) {
                equal[i / WORD] |= 1L << i % WORD;
            }
        }
        return equal;
    }

    /** Where each symbol stands: as a chain of places, or as bits where there are many. */
    private static final class Symbols {
        private final LongIntMap numbers;
        private final int[] last;
        private final int[] before;
        private final long[][] bits;
        private int marked = -1;

        private Symbols(int[] a, int words) {
            numbers = new LongIntMap(a.length);
            last = new int[a.length];
            before = new int[a.length];
            int[] counts = new int[a.length];
            for (int i = 0; i < a.length; i++) {
                int number = numbers.get(a[i]);
                if (number < 0) {
                    number = numbers.size();
                    numbers.put(a[i], number);
                    last[number] = -1;
                }
                before[i] = last[number];
                last[number] = i;
                counts[number]++;
            }
            bits = new long[numbers.size()][];
            for (int s = 0; s < bits.length; s++) {
                if (counts[s] > words) {
                    bits[s] = new long[words];
                    mark(s, bits[s], true);
                }
            }
        }

        /** The places as bits, for which {@code scratch} may be used; it holds nothing but what this method left there. */
        private long[] places(int symbol, long[] scratch) {
            if (marked >= 0) {
                mark(marked, scratch, false);
                marked = -1;
            }
            int number = numbers.get(symbol);
            if (number < 0) {
                return scratch;
            }
            if (bits[number] != null) {
                return bits[number];
            }
            mark(number, scratch, true);
            marked = number;
            return scratch;
        }

        private void mark(int symbol, long[] into, boolean set) {
            for (int i = last[symbol]; i >= 0; i = before[i]) {
                into[i / WORD] = set ? into[i / WORD] | 1L << i % WORD : 0;
            }
        }
    }
}
