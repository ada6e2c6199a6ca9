// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.Quantiles;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A pattern of kernels that repeats: the layers of a model, the tokens of an answer, or steps. The kernels alone do not say
 * which, so that a section is no step.
 *
 * <p>A kernel that runs once in every section stands at equal distances in the sequence of launches. Among the kernels
 * whose distances are all equal and cover more than half of the sequence, the one with the longest distance is taken.
 */
public final class RepeatingSection {
    /** The section of a trace. */
    public record Key() implements Derived<RepeatingSection> {
        @Override
        public RepeatingSection derive(Trace trace, DerivedCache cache) {
            return new RepeatingSection(trace, cache.get(new LaunchLinks.Key(LaunchRule.CORRELATION)));
        }
    }

    private static final int FEWEST_REPEATS = 3;

    private int count;
    private int kernels;
    private long duration;
    private @Nullable String kernel;

    private RepeatingSection(Trace trace, LaunchLinks links) {
        Slices slices = trace.slices();
        int[] launched = launched(slices);
        int n = launched.length;
        int names = trace.strings().size();
        int[] times = new int[names];
        int[] last = new int[names];
        int[] first = new int[names];
        int[] distance = new int[names];
        for (int i = 0; i < n; i++) {
            int name = slices.name(launched[i]);
            if (times[name] == 0) {
                first[name] = i;
            } else if (times[name] == 1) {
                distance[name] = i - last[name];
            } else if (distance[name] != i - last[name]) {
                distance[name] = -1;
            }
            last[name] = i;
            times[name]++;
        }
        int best = -1;
        for (int i = 0; i < n; i++) {
            int name = slices.name(launched[i]);
            boolean regular = first[name] == i && times[name] >= FEWEST_REPEATS && distance[name] > 1;
            if (regular
                    && (long) distance[name] * times[name] * 2 > n
                    && (best < 0 || distance[name] > distance[best])) {
                best = name;
            }
        }
        if (best >= 0) {
            count = times[best];
            kernels = distance[best];
            kernel = trace.strings().get(best);
            duration = usual(slices, links, launched, first[best]);
        }
    }

    private static int[] launched(Slices slices) {
        IntList rows = new IntList(1024);
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i) == SliceKind.KERNEL) {
                rows.add(i);
            }
        }
        return rows.toArray();
    }

    /** Between the launches of the kernel that tells. */
    private long usual(Slices slices, LaunchLinks links, int[] launched, int from) {
        long[] between = new long[count - 1];
        long before = 0;
        for (int i = 0; i < count; i++) {
            int slice = launched[from + i * kernels];
            int call = links.launchOf(slice);
            long at = slices.ts(call >= 0 ? call : slice);
            if (i > 0) {
                between[i - 1] = Math.max(0, at - before);
            }
            before = at;
        }
        Arrays.sort(between);
        return Quantiles.upperMedian(between, 0);
    }

    /** How often the section runs, 0 when nothing repeats. */
    public int count() {
        return count;
    }

    /** Number of kernels in the section. */
    public int kernels() {
        return kernels;
    }

    /** Time in ns from one to the next, in the median. */
    public long duration() {
        return duration;
    }

    /** The kernel that runs once in each; null when nothing repeats. */
    public @Nullable String kernel() {
        return kernel;
    }
}
