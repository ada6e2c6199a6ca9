// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.report;

import java.util.List;

/**
 * Figures of runs side by side, for pictures.
 *
 * @param runs what the runs are called, the baseline first
 * @param times one for each kind of time, in the order in which pictures list them
 * @param calls one for each kind of collective
 */
public record ComparedRuns(List<String> runs, List<Times> times, List<Calls> calls) {
    /** Copies the lists. */
    public ComparedRuns {
        runs = List.copyOf(runs);
        times = List.copyOf(times);
        calls = List.copyOf(calls);
    }

    /**
     * A kind of time in every run. The arrays pass to the record; NaN where there is no value.
     *
     * @param type the kind, e.g. {@code idle_time}
     * @param label what it is called where all ranks are one
     * @param ms its time over all ranks, by run
     * @param change against the baseline in percent, by run; NaN for the baseline
     * @param ranks the ranks of any run, ascending
     * @param rankMs by run, then in the order of {@code ranks}
     * @param rankChange likewise
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Times(
            String type,
            String label,
            double[] ms,
            double[] change,
            int[] ranks,
            double[][] rankMs,
            double[][] rankChange) {}

    /**
     * A kind of collective in every run. The arrays pass to the record, by metric and run; metrics are the mean latency in µs,
     * algorithm and bus bandwidth, and the sum of latencies in ms.
     *
     * @param name of the collective, e.g. {@code allreduce}
     * @param what what sets it apart from others of this name and size; may be empty
     * @param elements number of elements, as text
     * @param values NaN where there is none
     * @param changes against the baseline in percent; NaN where there is none
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Calls(String name, String what, String elements, double[][] values, double[][] changes) {}
}
