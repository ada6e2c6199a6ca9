// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.Slices;
import dev.lockstep.table.LongOrder;
import dev.lockstep.table.Quotient;

/**
 * Times as tools in Python have them: the decimals of microseconds in the file as doubles, and ends as their rounded sums.
 * Where the clock counts from 1970, doubles are a quarter of a microsecond apart, and slices may begin or end together that
 * do not.
 */
public final class MicrosecondDoubles {
    private static final long NS_PER_US = 1_000;

    private MicrosecondDoubles() {}

    /** A time or duration in microseconds. */
    public static double of(long ns) {
        return Quotient.of(ns, NS_PER_US);
    }

    /** When a slice begins. */
    public static double start(Slices slices, int slice) {
        return of(slices.ts(slice));
    }

    /** When a slice ends: start plus duration, rounded once more. */
    public static double end(Slices slices, int slice) {
        return start(slices, slice) + of(slices.dur(slice));
    }

    /** Orders slices by start; those that begin together stay as they are. */
    public static void sortByStart(Slices slices, int[] rows) {
        long[] keys = new long[rows.length];
        for (int i = 0; i < rows.length; i++) {
            keys[i] = key(start(slices, rows[i]));
        }
        LongOrder.sort(keys, rows);
    }

    /** A number that orders doubles as they are ordered themselves; 0.0 and -0.0 are one. */
    public static long key(double value) {
        long bits = Double.doubleToLongBits(value + 0.0);
        return bits < 0 ? Long.MIN_VALUE - bits : bits;
    }
}
