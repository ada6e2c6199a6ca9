// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.figures;

import dev.lockstep.publish.plot.Colour;
import dev.lockstep.publish.plot.Palette;
import dev.lockstep.publish.plot.Series;
import dev.lockstep.report.ComparedRuns.Calls;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * How the pictures of {@link RunFigures} are worded, coloured and signed.
 *
 * @param moreTimeIsPositive the sign of changes of times that are handed in: whether above 0 is slower
 * @param signs said below titles
 * @param units what metrics of collectives are said to be in
 * @param collective how a collective is called at an axis
 * @param collectiveOfChange likewise in the picture of changes
 * @param runs colour of a run by its place
 * @param better colour of a change for the better
 * @param worse colour of any other change
 * @param absent what is drawn for a rank that a run lacks
 * @param mostCollectives how many collectives a picture shows at most, those of most total latency
 * @param explained whether titles are ours: with units, and notes on what was left out
 */
public record RunLook(
        boolean moreTimeIsPositive,
        String signs,
        Map<CollectiveMetric, String> units,
        Function<Calls, String> collective,
        Function<Calls, String> collectiveOfChange,
        IntFunction<Colour> runs,
        Colour better,
        Colour worse,
        double absent,
        int mostCollectives,
        boolean explained) {
    private static final int MOST = 24;
    private static final Map<CollectiveMetric, String> AORTA_UNITS = Map.of(
            CollectiveMetric.LATENCY, "ms",
            CollectiveMetric.ALGORITHM_BANDWIDTH, "GB/s",
            CollectiveMetric.BUS_BANDWIDTH, "GB/s",
            CollectiveMetric.TOTAL_LATENCY, "ms");
    private static final List<Integer> AORTA_RUNS =
            List.of(0xe63946, 0x2a9d8f, 0xe9c46a, 0x264653, 0xf4a261, 0x8338ec, 0x06d6a0, 0xff006e);

    /** Right units, changes as test minus baseline everywhere, and gaps where there is nothing. */
    public static final RunLook RIGHT = new RunLook(
            true,
            "Above 0: more than the baseline. Blue: better, orange: worse",
            Map.of(CollectiveMetric.ALGORITHM_BANDWIDTH, "GB/s", CollectiveMetric.BUS_BANDWIDTH, "GB/s"),
            RunLook::whole,
            RunLook::whole,
            Palette::series,
            Palette.BETTER,
            Palette.WORSE,
            Double.NaN,
            MOST,
            true);

    /** AORTA's pictures of two runs: latencies in µs said to be ms, changes of collectives by number of elements alone. */
    public static final RunLook AORTA_TWO = new RunLook(
            false,
            "(Positive = Test is better)",
            AORTA_UNITS,
            facts -> facts.name() + "\n" + facts.elements(),
            Calls::elements,
            i -> Colour.of(i == 0 ? 0x3498db : 0xe67e22),
            Colour.of(0x2ecc71),
            Colour.of(0xe74c3c),
            Double.NaN,
            Integer.MAX_VALUE,
            false);

    /** AORTA's pictures of many runs: the opposite sign, zero for ranks that a run lacks. */
    public static final RunLook AORTA_ALL = new RunLook(
            true,
            "(Negative = Improvement)",
            AORTA_UNITS,
            facts -> facts.name() + "\n" + facts.elements(),
            Calls::elements,
            i -> Colour.of(AORTA_RUNS.get(i % AORTA_RUNS.size())),
            Colour.of(0x2ecc71),
            Colour.of(0xe74c3c),
            0,
            Integer.MAX_VALUE,
            false);

    public RunLook {
        units = Map.copyOf(units);
    }

    String unit(CollectiveMetric metric) {
        return units.getOrDefault(metric, metric.unit);
    }

    /** A series of changes of times. */
    Series changesOfTime(String name, double[] changes) {
        return new Series(name, changes, moreTimeIsPositive ? worse : better, moreTimeIsPositive ? better : worse);
    }

    /** A series of changes of a metric of collectives; of bandwidths, more is better in every tool. */
    Series changes(CollectiveMetric metric, String name, double[] changes) {
        boolean time = metric == CollectiveMetric.LATENCY || metric == CollectiveMetric.TOTAL_LATENCY;
        return time ? changesOfTime(name, changes) : new Series(name, changes, better, worse);
    }

    private static String whole(Calls facts) {
        return facts.name() + "\n" + facts.elements() + (facts.what().isEmpty() ? "" : "\n" + facts.what());
    }
}
