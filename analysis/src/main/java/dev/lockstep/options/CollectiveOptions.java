// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.options;

import java.util.List;

/**
 * What a report of collectives shall hold.
 *
 * @param gpusPerNode ranks of a node, -1 to find out
 * @param heatmap whether to show who sent how much to whom in variable all-to-alls
 * @param statistics by which groups of collectives are summed up
 * @param alignment whether the clocks of ranks are corrected
 */
public record CollectiveOptions(int gpusPerNode, boolean heatmap, List<Statistic> statistics, Alignment alignment) {
    /** What to do about clocks that differ between ranks. */
    public enum Alignment {
        /** Corrects them if collectives show that they differ by more than the error of the estimate. */
        AUTO,
        /** Takes times as they are. */
        NONE,
        /** Corrects them by the ends of collectives. */
        COLLECTIVES
    }

    /** Statistics when nothing else is said. */
    public static final List<Statistic> STATISTICS =
            List.of(Statistic.MEAN, Statistic.MEDIAN, Statistic.MIN, Statistic.MAX);

    /** Copies the list. */
    public CollectiveOptions {
        statistics = List.copyOf(statistics);
    }

    /** {@return the usual: nodes are found out, times are corrected where clocks differ, no heat map} */
    public static CollectiveOptions standard() {
        return new CollectiveOptions(-1, false, STATISTICS, Alignment.AUTO);
    }
}
