// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import dev.lockstep.codec.Json;
import dev.lockstep.codec.Json.Members;
import dev.lockstep.codec.JsonObject;
import dev.lockstep.table.Quantiles;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What repeated executions took, in ns. Quantiles are samples themselves: the smallest with at least that share of the
 * samples at or below it.
 *
 * @param runs number of samples
 * @param mad median of the distances from the median
 */
public record Timing(int runs, long median, long min, long p10, long p90, long mad) {
    /** Above this ratio of p90 to median, something else ran at the same time. */
    private static final double NOISY = 1.5;

    /** The figures of samples, of which there must be one at least. */
    public static Timing of(long[] samples) {
        long[] sorted = samples.clone();
        Arrays.sort(sorted);
        long median = Quantiles.nearestRank(sorted, 50);
        long[] distances = new long[sorted.length];
        for (int i = 0; i < sorted.length; i++) {
            distances[i] = Math.abs(sorted[i] - median);
        }
        Arrays.sort(distances);
        return new Timing(
                sorted.length,
                median,
                sorted[0],
                Quantiles.nearestRank(sorted, 10),
                Quantiles.nearestRank(sorted, 90),
                Quantiles.nearestRank(distances, 50));
    }

    /** Its JSON. */
    JsonObject json() {
        return new JsonObject()
                .with("runs", runs)
                .with("median_ns", median)
                .with("min_ns", min)
                .with("p10_ns", p10)
                .with("p90_ns", p90)
                .with("mad_ns", mad)
                .with("noisy", isNoisy());
    }

    static @Nullable JsonObject jsonOf(@Nullable Timing timing) {
        return timing == null ? null : timing.json();
    }

    /** Reads what {@link #json()} says. */
    static @Nullable Timing read(@Nullable Json tree) {
        return tree instanceof Members timing
                ? new Timing(
                        (int) timing.whole("runs", 0),
                        timing.whole("median_ns", 0),
                        timing.whole("min_ns", 0),
                        timing.whole("p10_ns", 0),
                        timing.whole("p90_ns", 0),
                        timing.whole("mad_ns", 0))
                : null;
    }

    /** Whether the samples scatter more than an undisturbed machine lets them. */
    public boolean isNoisy() {
        return p90 > NOISY * median;
    }
}
