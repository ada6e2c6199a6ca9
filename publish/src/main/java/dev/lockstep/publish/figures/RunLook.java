// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.figures;

import dev.lockstep.publish.figures.RunFacts.CollectiveFacts;
import dev.lockstep.publish.figures.RunFacts.CollectiveMetric;
import dev.lockstep.publish.plot.Colour;
import dev.lockstep.publish.plot.Palette;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * How the pictures of {@link RunFigures} are worded, coloured and signed.
 *
 * @param positiveIsBetter the sign of changes of times that are handed in; of bandwidths more is always better
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
        boolean positiveIsBetter,
        String signs,
        Map<CollectiveMetric, String> units,
        Function<CollectiveFacts, String> collective,
        Function<CollectiveFacts, String> collectiveOfChange,
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

    /** Right units, one sign everywhere, and gaps where there is nothing. */
    public static final RunLook RIGHT = new RunLook(
            false,
            "Test minus baseline: above 0 is more; the colour says whether that is better",
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
            true,
            "(Positive = Test is better)",
            AORTA_UNITS,
            facts -> facts.name() + "\n" + facts.elements(),
            CollectiveFacts::elements,
            i -> Colour.of(i == 0 ? 0x3498db : 0xe67e22),
            Colour.of(0x2ecc71),
            Colour.of(0xe74c3c),
            Double.NaN,
            Integer.MAX_VALUE,
            false);

    /** AORTA's pictures of many runs: the opposite sign, zero for ranks that a run lacks. */
    public static final RunLook AORTA_ALL = new RunLook(
            false,
            "(Negative = Improvement)",
            AORTA_UNITS,
            facts -> facts.name() + "\n" + facts.elements(),
            CollectiveFacts::elements,
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

    Colour positive() {
        return positiveIsBetter ? better : worse;
    }

    Colour negative() {
        return positiveIsBetter ? worse : better;
    }

    /** Of a metric of collectives: more bandwidth is always better. */
    Colour positive(CollectiveMetric metric) {
        return isBandwidth(metric) ? better : positive();
    }

    Colour negative(CollectiveMetric metric) {
        return isBandwidth(metric) ? worse : negative();
    }

    private static boolean isBandwidth(CollectiveMetric metric) {
        return metric == CollectiveMetric.ALGORITHM_BANDWIDTH || metric == CollectiveMetric.BUS_BANDWIDTH;
    }

    private static String whole(CollectiveFacts facts) {
        return facts.name() + "\n" + facts.elements() + (facts.what().isEmpty() ? "" : "\n" + facts.what());
    }
}
