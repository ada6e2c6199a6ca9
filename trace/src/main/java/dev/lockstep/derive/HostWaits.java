// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.derive.HostCollectives.Wait;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongList;
import dev.lockstep.table.LongOrder;
import dev.lockstep.table.Quantiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Finds where threads wait for collectives that they have issued. No slice shows it: between two moments in which something began or
 * ended on the thread, and which are farther apart than usual, a collective ends that the thread had issued, and the thread goes on
 * sooner after that than it had stood still before.
 */
final class HostWaits {
    /** Who waits stands still for longer than between two things that a thread does one after the other. */
    private static final int MANY_TIMES = 4;

    private final HostCollectives collectives;
    private final Slices slices;
    private final int tracks;

    private HostWaits(HostCollectives collectives, Trace trace) {
        this.collectives = collectives;
        slices = trace.slices();
        tracks = trace.tracks().size();
    }

    static List<Wait> of(HostCollectives collectives, Trace trace) {
        HostWaits waits = new HostWaits(collectives, trace);
        Map<Integer, IntList> issued = waits.byIssuer();
        LongList[] moments = waits.moments(issued);
        List<Wait> found = new ArrayList<>();
        issued.forEach((track, of) -> waits.find(track, of.toArray(), moments[track].toArray(), found));
        return found;
    }

    /**
     * Collectives by the track of the thread that issued them; where that is not recorded, of threads that are not the library's the
     * one that had begun something last.
     */
    private Map<Integer, IntList> byIssuer() {
        BitSet library = new BitSet();
        for (int c = 0; c < collectives.size(); c++) {
            if (collectives.isApart(c)) {
                library.set(slices.track(collectives.slice(c)));
            }
        }
        Map<Integer, IntList> issued = new TreeMap<>();
        int last = -1;
        int next = 0;
        for (int c = 0; c < collectives.size(); c++) {
            int slice = collectives.slice(c);
            for (; next < slice; next++) {
                boolean framework = slices.kind(next) == SliceKind.CPU_OP || slices.kind(next) == SliceKind.ANNOTATION;
                last = framework && !library.get(slices.track(next)) ? slices.track(next) : last;
            }
            int issuer = collectives.issue(c) >= 0
                    ? slices.track(collectives.issue(c))
                    : collectives.isApart(c) ? last : slices.track(slice);
            if (issuer >= 0) {
                issued.computeIfAbsent(issuer, track -> new IntList(16)).add(c);
            }
        }
        return issued;
    }

    /** How long usually passes from one moment to the next: the median of those that do not coincide. */
    private static long usual(long[] moments) {
        LongList between = new LongList(moments.length);
        for (int i = 1; i < moments.length; i++) {
            if (moments[i] > moments[i - 1]) {
                between.add(moments[i] - moments[i - 1]);
            }
        }
        long[] sorted = between.toArray();
        LongOrder.sort(sorted);
        return Quantiles.lowerMedian(sorted, 0);
    }

    /** By track of those that issue collectives: when something began or ended there, but for collectives themselves. */
    private LongList[] moments(Map<Integer, IntList> issued) {
        LongList[] moments = new LongList[tracks];
        issued.keySet().forEach(track -> moments[track] = new LongList(64));
        int next = 0;
        for (int i = 0; i < slices.size(); i++) {
            while (next < collectives.size() && collectives.slice(next) < i) {
                next++;
            }
            boolean isOne = next < collectives.size() && collectives.slice(next) == i;
            LongList to = moments[slices.track(i)];
            if (to != null && slices.kind(i).isHost() && !isOne) {
                to.add(slices.ts(i));
                to.add(slices.end(i));
            }
        }
        return moments;
    }

    private void find(int track, int[] issued, long[] moments, List<Wait> found) {
        LongOrder.sort(moments);
        long usual = usual(moments);
        long[] ends = new long[issued.length];
        for (int i = 0; i < issued.length; i++) {
            ends[i] = slices.end(collectives.slice(issued[i]));
        }
        LongOrder.sort(ends, issued);
        int at = 0;
        int from = 0;
        for (int i = 0; i < issued.length; i++) {
            while (at < moments.length && moments[at] < ends[i]) {
                at++;
            }
            if (at == 0 || at == moments.length || i + 1 < ends.length && ends[i + 1] <= moments[at]) {
                continue; // of several that end before the thread goes on, the last decides
            }
            boolean soon = ends[i] - moments[at - 1] >= moments[at] - ends[i];
            if (soon && moments[at] - moments[at - 1] > MANY_TIMES * usual) {
                List<Integer> ended = Arrays.stream(issued, from, i + 1).boxed().toList();
                found.add(new Wait(track, moments[at - 1], moments[at], ended));
                from = i + 1;
            }
        }
    }
}
