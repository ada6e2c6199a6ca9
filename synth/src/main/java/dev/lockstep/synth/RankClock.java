// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

/**
 * How one rank's clock reads.
 *
 * @param offsetNanos what it shows at the start of the run beyond the true time, nanoseconds
 * @param driftPpb how much too fast it runs, parts per billion (nanoseconds per second)
 */
public record RankClock(long offsetNanos, long driftPpb) {

    static RankClock of(TraceRecipe recipe, int rank) {
        SplitMix random = new SplitMix(recipe.seed(), 7_000_000_000L + rank);
        long offset = random.symmetric(recipe.disturbance().maxClockOffsetNanos());
        return new RankClock(
                offset, random.symmetric(Math.round(recipe.disturbance().maxDriftPpm() * 1000)));
    }

    /** What the clock shows at true time {@code nanos} after the start of the run. */
    public long read(long nanos) {
        long drift = driftPpb == 0 ? 0 : Math.floorDiv(nanos, 1000L) * driftPpb / 1_000_000L;
        return nanos + offsetNanos + drift;
    }
}
