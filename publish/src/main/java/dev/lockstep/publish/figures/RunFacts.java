// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.figures;

import java.util.List;

/**
 * What pictures of runs side by side show.
 *
 * @param runs labels, the baseline first
 * @param times one for each type of time, in the order in which pictures list them
 * @param collectives one for each kind of collective
 */
public record RunFacts(List<String> runs, List<TimeFacts> times, List<CollectiveFacts> collectives) {
    public RunFacts {
        runs = List.copyOf(runs);
        times = List.copyOf(times);
        collectives = List.copyOf(collectives);
    }

    /**
     * A type of time, e.g. {@code idle_time}, in every run. The arrays pass to the record; NaN where there is no value.
     *
     * @param type the type
     * @param label how the pictures of all ranks together call it
     * @param ms its time over all ranks, by run
     * @param change its change against the baseline in percent, by run; NaN for the baseline
     * @param ranks the ranks of any run, ascending
     * @param rankMs {@code rankMs[run][i]} of rank {@code ranks[i]}
     * @param rankChange likewise its change
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record TimeFacts(
            String type,
            String label,
            double[] ms,
            double[] change,
            int[] ranks,
            double[][] rankMs,
            double[][] rankChange) {}

    /**
     * A kind of collective in every run. The arrays pass to the record; NaN where there is no value.
     *
     * @param name of the collective, e.g. {@code allreduce}
     * @param what sets it apart from others of this name and number of elements: type, process group; may be empty
     * @param elements the number of elements, as text
     * @param values {@code values[metric][run]}, in the metric's unit
     * @param changes likewise against the baseline in percent; NaN for the baseline
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record CollectiveFacts(String name, String what, String elements, double[][] values, double[][] changes) {}

    /** What is known of a collective. */
    public enum CollectiveMetric {
        /** In µs: the shortest duration over the ranks, on average. */
        LATENCY("Communication Latency", "Comm Latency", "µs"),
        /** In GiB/s. */
        ALGORITHM_BANDWIDTH("Algorithm Bandwidth", "Algo BW", "GiB/s"),
        /** In GiB/s. */
        BUS_BANDWIDTH("Bus Bandwidth", "Bus BW", "GiB/s"),
        /** In ms: the sum of the latencies. */
        TOTAL_LATENCY("Total Communication Latency", "Total Latency", "ms");

        final String title;
        final String brief;
        final String unit;

        CollectiveMetric(String title, String brief, String unit) {
            this.title = title;
            this.brief = brief;
            this.unit = unit;
        }

        String file() {
            return "NCCL_" + title.replace(' ', '_') + "_comparison.png";
        }
    }
}
