// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch.worker;

import dev.lockstep.replay.plan.Timing;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Times of executions, however many there are. Of more than {@value #MOST} it keeps a random choice of so many, in which
 * each execution is as likely as any other: the median is then that of the choice, whose rank is off by about 1 %. The
 * least is that of all.
 */
final class TimeSamples {
    static final int MOST = 1 << 14;

    private static final int FIRST = 32;

    private final SplittableRandom random = new SplittableRandom(0);
    private long[] kept = new long[FIRST];
    private long seen;
    private long least = Long.MAX_VALUE;

    void add(long ns) {
        least = Math.min(least, ns);
        if (seen == kept.length && seen < MOST) {
            kept = Arrays.copyOf(kept, kept.length * 2);
        }
        long place = seen < MOST ? seen : random.nextLong(seen + 1);
        if (place < MOST) {
            kept[(int) place] = ns;
        }
        seen++;
    }

    /** Number of executions. */
    long seen() {
        return seen;
    }

    void clear() {
        seen = 0;
        least = Long.MAX_VALUE;
    }

    /** Figures of at least one execution. */
    Timing timing() {
        Timing of = Timing.of(Arrays.copyOf(kept, (int) Math.min(seen, MOST)));
        return new Timing(of.runs(), of.median(), least, of.p10(), of.p90(), of.mad());
    }
}
