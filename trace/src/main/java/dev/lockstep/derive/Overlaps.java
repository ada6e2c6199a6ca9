// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Which device activities of different operators ran at the same time on different streams. Only activities with a known
 * launch take part.
 */
public final class Overlaps {
    /**
     * @param tree in which operators are sought; its nesting says whether times are exact
     * @param links how launches are known
     * @param leastNs shorter overlaps do not count
     */
    public record Key(CallTree.Key tree, LaunchRule links, long leastNs) implements Derived<Overlaps> {
        @Override
        public Overlaps derive(Trace trace, DerivedCache cache) {
            return new Overlaps(trace, cache, this);
        }
    }

    private static final double NS_PER_US = 1e3;

    private final int[] first;
    private final int[] partners;

    private Overlaps(Trace trace, DerivedCache cache, Key wanted) {
        CallTree tree = cache.get(wanted.tree);
        LaunchLinks links = cache.get(new LaunchLinks.Key(wanted.links));
        boolean rounded = wanted.tree.nesting() == Nesting.BY_FILE_ORDER;
        Slices slices = trace.slices();
        IntList one = new IntList(64);
        IntList other = new IntList(64);
        int[] active = new int[16];
        int running = 0;
        for (int slice = 0; slice < slices.size(); slice++) {
            if (!slices.kind(slice).isDeviceActivity() || slices.dur(slice) == 0 || links.launchOf(slice) < 0) {
                continue;
            }
            int kept = 0;
            for (int k = 0; k < running; k++) {
                int earlier = active[k];
                if (remainder(slices, earlier, slice, rounded) > 0) {
                    active[kept++] = earlier;
                    double overlap = Math.min(
                            remainder(slices, earlier, slice, rounded), remainder(slices, slice, slice, rounded));
                    if (overlap >= wanted.leastNs && differ(trace, tree, links, earlier, slice)) {
                        one.add(earlier);
                        other.add(slice);
                    }
                }
            }
            if (kept == active.length) {
                active = Arrays.copyOf(active, kept * 2);
            }
            active[kept] = slice;
            running = kept + 1;
        }
        int n = one.size();
        int[] ends = new int[2 * n];
        long[] keys = new long[2 * n];
        for (int i = 0; i < n; i++) {
            keys[2 * i] = one.get(i);
            ends[2 * i] = other.get(i);
            keys[2 * i + 1] = other.get(i);
            ends[2 * i + 1] = one.get(i);
        }
        LongOrder.sort(keys, ends);
        partners = ends;
        first = new int[n == 0 ? 0 : slices.size() + 1];
        for (long key : keys) {
            first[(int) key + 1]++;
        }
        for (int i = 1; i < first.length; i++) {
            first[i] += first[i - 1];
        }
    }

    /** How many activities overlap this one. */
    public int count(int deviceSlice) {
        return first.length == 0 ? 0 : first[deviceSlice + 1] - first[deviceSlice];
    }

    /** The {@code k}-th activity that overlaps this one, by start. */
    public int partner(int deviceSlice, int k) {
        return partners[first[deviceSlice] + k];
    }

    /** For how many ns one activity runs on from the start of another. */
    private static double remainder(Slices slices, int one, int other, boolean rounded) {
        return rounded
                ? (MicrosecondDoubles.end(slices, one) - MicrosecondDoubles.start(slices, other)) * NS_PER_US
                : slices.end(one) - slices.ts(other);
    }

    private static boolean differ(Trace trace, CallTree tree, LaunchLinks links, int a, int b) {
        DeviceDetails details = trace.view(DeviceDetails.KEY);
        if (details != null && sameStream(details, details.of(a), details.of(b))) {
            return false;
        }
        int operator = operatorOf(trace.slices(), tree, links.launchOf(a));
        return operator < 0 || operator != operatorOf(trace.slices(), tree, links.launchOf(b));
    }

    private static boolean sameStream(@Nullable DeviceDetails details, int a, int b) {
        return details != null
                && a >= 0
                && b >= 0
                && details.stream(a) >= 0
                && details.stream(a) == details.stream(b)
                && details.device(a) == details.device(b);
    }

    private static int operatorOf(Slices slices, CallTree tree, int call) {
        int node = call;
        while (node >= 0 && slices.kind(node) != SliceKind.CPU_OP) {
            node = tree.parent(node);
        }
        return node;
    }
}
