// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.schedule;

import java.util.Map;
import java.util.TreeMap;

/**
 * Costs of reducing and copying where nobody has measured them: means of what ATLAHS measured with NPKit on GH200, to some
 * sizes between which durations are interpolated.
 */
public final class UsualCosts {
    private static final long[][] SIMPLE_REDUCE = {
        {4, 2349}, {512, 1399}, {32768, 1737}, {65536, 2032}, {131072, 3947}, {524288, 14293}, {1048576, 28148}
    };
    private static final long[][] SIMPLE_COPY = {
        {4, 2274}, {512, 1290}, {32768, 1294}, {65536, 2396}, {131072, 4731}, {524288, 18957}, {1048576, 38169}
    };
    private static final long[][] FLAGS_REDUCE = {{4, 176}, {512, 131}, {4096, 142}, {8192, 258}, {32768, 1016}};
    private static final long[][] FLAGS_COPY = {{4, 105}, {512, 107}, {4096, 118}, {8192, 165}, {32768, 459}};

    private UsualCosts() {}

    /** The costs. */
    public static Costs get() {
        Map<String, CostTable> flags = Map.of(CostTable.REDUCE, table(FLAGS_REDUCE), CostTable.COPY, table(FLAGS_COPY));
        return new Costs(
                Map.of(CostTable.REDUCE, table(SIMPLE_REDUCE), CostTable.COPY, table(SIMPLE_COPY)),
                flags,
                flags,
                true,
                false,
                0);
    }

    private static CostTable table(long[][] points) {
        Map<Long, long[]> bySize = new TreeMap<>();
        for (long[] point : points) {
            bySize.put(point[0], new long[] {point[1]});
        }
        return CostTable.of(bySize);
    }
}
