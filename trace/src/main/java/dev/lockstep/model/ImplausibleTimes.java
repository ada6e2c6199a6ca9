// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import dev.lockstep.model.Diagnostics.Weight;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Which slices have a believable time. No recording lasts for days, so slices that lie more than {@link #LARGEST_GAP_NS}
 * from the bulk are the work of a broken clock: a start of 0, a negative one, one in the far future. They would stretch
 * every span and fill every idle time, and are left out and counted. Host and device are judged apart, since
 * their clocks may differ.
 */
final class ImplausibleTimes {
    /** Seven days. */
    static final long LARGEST_GAP_NS = 7L * 24 * 3600 * 1_000_000_000;

    private ImplausibleTimes() {}

    /** The numbers of the slices to leave out. */
    static BitSet of(TraceBuilder b) {
        BitSet out = new BitSet();
        judge(b, true, out);
        judge(b, false, out);
        if (!out.isEmpty()) {
            int first = out.nextSetBit(0);
            b.diagnostics()
                    .add(
                            Weight.REPAIRED,
                            "implausible_time",
                            "events whose ts is zero or lies days away from the others were left out of all times; first: '"
                                    + b.strings().get(b.name.get(first)) + "' at ts " + b.ts.get(first) / 1000 + " us",
                            -1,
                            out.cardinality());
        }
        return out;
    }

    private static void judge(TraceBuilder b, boolean device, BitSet out) {
        int n = b.ts.size();
        long least = Long.MAX_VALUE;
        long most = Long.MIN_VALUE;
        int members = 0;
        boolean[] deviceKind = new boolean[SliceKind.values().length];
        for (SliceKind kind : SliceKind.values()) {
            deviceKind[kind.ordinal()] = kind.isDeviceActivity();
        }
        for (int i = 0; i < n; i++) {
            if (deviceKind[b.kind.get(i)] != device) {
                continue;
            }
            members++;
            long t = b.ts.get(i);
            least = Math.min(least, t);
            most = Math.max(most, t);
            if (b.dur.get(i) > LARGEST_GAP_NS) {
                out.set(i);
            }
        }
        if (members == 0 || most - least >= 0 && most - least <= LARGEST_GAP_NS) {
            return;
        }
        long[] times = new long[members];
        int m = 0;
        for (int i = 0; i < n; i++) {
            if (deviceKind[b.kind.get(i)] == device) {
                times[m++] = b.ts.get(i);
            }
        }
        Arrays.sort(times);
        int bestFrom = 0;
        int bestTo = 0;
        int from = 0;
        for (int i = 1; i <= times.length; i++) {
            if (i == times.length || times[i] - times[i - 1] > LARGEST_GAP_NS || times[i] - times[i - 1] < 0) {
                if (i - from >= bestTo - bestFrom) {
                    bestFrom = from;
                    bestTo = i;
                }
                from = i;
            }
        }
        for (int i = 0; i < n; i++) {
            long t = b.ts.get(i);
            if (deviceKind[b.kind.get(i)] == device && (t < times[bestFrom] || t > times[bestTo - 1])) {
                out.set(i);
            }
        }
    }
}
