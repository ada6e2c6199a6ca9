// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.hardware;

import dev.lockstep.table.IntList;
import dev.lockstep.table.LongOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which samples of a series an operator's device activity ran in. Samples are counted in order of time; each lasts until the
 * next. What is kept of an operator are ranges of samples, so that memory grows with the activity and not with what it spans.
 */
final class OperatorSamples {
    /**
     * An operator.
     *
     * @param ranges first sample and the one behind the last, in turns, ascending
     * @param samples how many there are in all ranges
     */
    record Covered(String operator, IntList ranges, int samples) {}

    private final long[] from;
    private final long[] to;
    private final Map<String, IntList> byOperator = new HashMap<>();
    private int next;

    /** @param times when each sample was taken, ascending; at least one */
    OperatorSamples(long[] times) {
        from = times;
        to = new long[times.length];
        int last = times.length - 1;
        System.arraycopy(times, 1, to, 0, last);
        to[last] = last == 0 ? times[0] + 1 : 2 * times[last] - times[last - 1];
    }

    /** Takes device activity that an operator launched; activities come in order of their starts. */
    void add(String operator, long start, long end) {
        while (next < to.length && to[next] <= start) {
            next++;
        }
        int behind = LongOrder.countBelow(from, end);
        if (next >= behind) {
            return;
        }
        IntList ranges = byOperator.computeIfAbsent(operator, o -> new IntList(2));
        int last = ranges.size() - 1;
        if (last > 0 && next <= ranges.get(last)) {
            ranges.set(last, Math.max(ranges.get(last), behind));
        } else {
            ranges.add(next);
            ranges.add(behind);
        }
    }

    /** {@return the operators with most samples first, then by name} */
    List<Covered> operators() {
        List<Covered> all = new ArrayList<>();
        byOperator.forEach((operator, ranges) -> {
            int samples = 0;
            for (int i = 0; i < ranges.size(); i += 2) {
                samples += ranges.get(i + 1) - ranges.get(i);
            }
            all.add(new Covered(operator, ranges, samples));
        });
        all.sort(Comparator.comparingInt((Covered one) -> -one.samples()).thenComparing(Covered::operator));
        return all;
    }

    /** {@return by sample, and behind the last: in how many samples before it the activity of one operator alone ran} */
    int[] alone() {
        int[] changes = new int[from.length + 1];
        for (IntList ranges : byOperator.values()) {
            for (int i = 0; i < ranges.size(); i += 2) {
                changes[ranges.get(i)]++;
                changes[ranges.get(i + 1)]--;
            }
        }
        int[] alone = new int[from.length + 1];
        int running = 0;
        for (int i = 0; i < from.length; i++) {
            running += changes[i];
            alone[i + 1] = alone[i] + (running == 1 ? 1 : 0);
        }
        return alone;
    }
}
