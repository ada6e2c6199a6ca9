// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import dev.lockstep.model.Diagnostics.Weight;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;

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
        withoutTime(b, out);
        if (!out.isEmpty()) {
            int first = out.nextSetBit(0);
            b.diagnostics()
                    .add(
                            Weight.REPAIRED,
                            "implausible_time",
                            "events whose ts is zero or lies days away from the others were left out of all times;"
                                    + " first: '"
                                    + b.strings().get(b.name.get(first)) + "' at ts " + b.ts.get(first) / 1000 + " us",
                            -1,
                            out.cardinality());
        }
        return out;
    }

    /**
     * Marks slices that begin at 0 and last 0, as a profiler writes what it has no time of: several of a stream, or of a thread where
     * nothing that lasts had begun, and even one that lies farther from all others than these do from one another.
     */
    private static void withoutTime(TraceBuilder b, BitSet out) {
        int tracks = 0;
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        boolean timedDevice = false;
        for (int i = 0; i < b.ts.size(); i++) {
            tracks = Math.max(tracks, b.track.get(i) + 1);
            boolean timed = !out.get(i) && !isZero(b, i);
            first = timed ? Math.min(first, b.ts.get(i)) : first;
            last = timed ? Math.max(last, b.ts.get(i)) : last;
            timedDevice |= timed && isOnDevice(b, i);
        }
        if (first == Long.MAX_VALUE) {
            return;
        }
        boolean far = last > first && first > last - first; // one moment alone has no scale
        int[] zeros = new int[tracks];
        for (int i = 0; i < b.ts.size(); i++) {
            zeros[b.track.get(i)] += !out.get(i) && isZero(b, i) ? 1 : 0;
        }
        for (int i = 0; i < b.ts.size(); i++) {
            boolean candidate = isZero(b, i) && (isOnDevice(b, i) ? timedDevice : first > 0);
            if (candidate && (far || zeros[b.track.get(i)] > 1)) {
                out.set(i);
            }
        }
    }

    private static boolean isOnDevice(TraceBuilder b, int slice) {
        return SliceKind.of(b.kind.get(slice)).isDeviceActivity();
    }

    private static boolean isZero(TraceBuilder b, int slice) {
        return b.ts.get(slice) == 0 && b.dur.get(slice) == 0;
    }

    /**
     * The numbers of the marks that stay: all but those that lie more than {@link #LARGEST_GAP_NS} from every slice. A trace
     * without slices keeps all.
     *
     * @param slices the numbers of the slices that stay, in order of time
     */
    static int[] marks(TraceBuilder b, int[] slices) {
        int[] all = all(b.markCount());
        if (slices.length == 0) {
            return all;
        }
        long from = b.ts.get(slices[0]) - LARGEST_GAP_NS;
        long to = b.ts.get(slices[slices.length - 1]) + LARGEST_GAP_NS;
        int[] kept = Arrays.stream(all)
                .filter(mark -> b.markTs.get(mark) >= from && b.markTs.get(mark) <= to)
                .toArray();
        if (kept.length < all.length) {
            b.diagnostics()
                    .add(
                            Weight.REPAIRED,
                            "implausible_time",
                            "instants or counters that lie days away from all slices were left out",
                            -1,
                            all.length - kept.length);
        }
        return kept;
    }

    /** The numbers from 0 on, so many. */
    static int[] all(int count) {
        return IntStream.range(0, count).toArray();
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
