// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay;

/**
 * The times of a recording on the host against those of its replay, all in ns for the whole recording.
 *
 * @param coverage what was replayed
 * @param recorded host time of the calls that were replayed
 * @param replayed median times calls
 * @param profiler what recording these calls and those inside them cost, estimated as calls times the cost of one
 * @param calls recorded calls, those inside among them
 */
public record RoundTrip(Coverage coverage, long recorded, long replayed, long profiler, long calls) {
    private static final double PERCENT = 100;

    /**
     * The comparison of a result with its own plan.
     *
     * @param costPerCall what recording a call costs
     */
    public static RoundTrip of(ReplayResult result, long costPerCall) {
        ReplayResult.Sums sums = result.sums();
        long calls = result.coverage().callsCovered();
        return new RoundTrip(result.coverage(), sums.recordedCpu(), sums.replayed(), calls * costPerCall, calls);
    }

    /** How far the replay is from the recording, in percent of the recording; negative when it is faster. */
    public double differencePercent() {
        return recorded == 0 ? Double.NaN : PERCENT * (replayed - recorded) / recorded;
    }

    /** What neither the profiler nor anything else known explains: caches, allocation, other programs. */
    public long unexplained() {
        return recorded - profiler - replayed;
    }
}
