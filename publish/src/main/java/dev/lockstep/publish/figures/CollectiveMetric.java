// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.figures;

/** What is known of a collective, in the order of {@link dev.lockstep.report.ComparedRuns.Calls#values}. */
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
