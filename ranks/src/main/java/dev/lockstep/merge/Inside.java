// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.merge.MergeFilter.Condition;
import dev.lockstep.model.IntervalSet;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.Predicate;

/**
 * What runs inside of slices with certain names, these among them: on their thread, and on devices what was launched there.
 * Moments are inside while any of these slices is open, on whatever thread.
 */
final class Inside {
    private final Condition condition;
    private final BitSet slices;
    private final IntervalSet open;

    private Inside(Condition condition, BitSet slices, IntervalSet open) {
        this.condition = condition;
        this.slices = slices;
        this.open = open;
    }

    /** @param named judges names */
    static Inside of(Trace trace, LaunchLinks launches, Condition condition, Predicate<String> named) {
        Slices all = trace.slices();
        BitSet judged = new BitSet();
        BitSet wanted = new BitSet();
        long[] end = new long[trace.tracks().size()];
        Arrays.fill(end, Long.MIN_VALUE);
        BitSet found = new BitSet(all.size());
        IntervalSet.Builder open = new IntervalSet.Builder();
        for (int i = 0; i < all.size(); i++) {
            int name = all.name(i);
            if (!judged.get(name)) {
                judged.set(name);
                wanted.set(name, named.test(trace.strings().get(name)));
            }
            if (wanted.get(name)) {
                end[all.track(i)] = Math.max(end[all.track(i)], all.end(i));
                open.add(all.ts(i), all.end(i));
            }
            found.set(i, all.end(i) <= end[all.track(i)]);
        }
        for (int i = 0; i < all.size(); i++) {
            SliceKind kind = all.kind(i);
            int launch = kind.isDeviceActivity() ? launches.launchOf(i) : -1;
            if (launch >= 0 && !wanted.get(all.name(i))) {
                found.set(i, found.get(launch));
            }
        }
        return new Inside(condition, found, open.build());
    }

    /** Whether one of the conditions that keep holds, if there are any, and none of those that drop. */
    static boolean wants(List<Inside> conditions, Predicate<Inside> holds) {
        boolean asked = false;
        boolean named = false;
        for (Inside one : conditions) {
            boolean inside = holds.test(one);
            if (inside && !one.condition.keep()) {
                return false;
            }
            asked |= one.condition.keep();
            named |= one.condition.keep() && inside;
        }
        return !asked || named;
    }

    boolean holds(int slice) {
        return slices.get(slice);
    }

    boolean isOpenAt(long ts) {
        return open.within(ts, ts + 1) > 0;
    }
}
