// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare;

import dev.lockstep.runs.Settings;
import java.util.Collection;
import java.util.Comparator;

/**
 * What comparisons know of a run: all of them work on this, whether its reports were just made or read back.
 *
 * @param label what it is called
 * @param settings what its name says in numbers
 * @param expectedRanks how many ranks it has, as far as known; 0 where nothing says it
 * @param times where the time of its ranks went
 * @param collectives what its ranks did together
 */
public record RunSummary(
        String label, Settings settings, int expectedRanks, RunBreakdown times, RunCollectives collectives) {
    /** By threads, then channels, then label. */
    public static final Comparator<RunSummary> BY_SETTINGS = Comparator.comparingInt(RunSummary::threads)
            .thenComparingInt(RunSummary::channels)
            .thenComparing(RunSummary::label);

    /** Threads per block, -1 when unknown. */
    public int threads() {
        return settings.threads();
    }

    /** Channels of the communication library, -1 when unknown. */
    public int channels() {
        return settings.channels();
    }

    /** The same with the times of these ranks alone. */
    public RunSummary only(Collection<Integer> ranks) {
        return new RunSummary(label, settings, expectedRanks, times.only(ranks), collectives);
    }

    /** The same, of which as many ranks are expected. */
    public RunSummary expecting(int ranks) {
        return new RunSummary(label, settings, ranks, times, collectives);
    }

    /** The same without collectives. */
    public RunSummary withoutCollectives() {
        return new RunSummary(label, settings, expectedRanks, times, RunCollectives.NONE);
    }
}
