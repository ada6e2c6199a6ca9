// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ForwardPassesTest {
    @Test
    void whatRunsOnceInEachPassGivesTheirNumber() {
        Map<String, Long> calls = new HashMap<>();
        for (int i = 0; i < 5; i++) {
            calls.put("once" + i, 7L);
            calls.put("layer" + i, 7L * 12);
        }
        calls.put("setup", 1L);
        calls.put("odd", 13L);
        assertThat(ForwardPasses.fromCounts(calls))
                .hasValueSatisfying(f -> assertThat(f.count()).isEqualTo(7));
    }

    @Test
    void countsWithoutACommonMeasureTellNothing() {
        assertThat(ForwardPasses.fromCounts(Map.of("a", 3L, "b", 5L, "c", 7L, "d", 11L)))
                .isEmpty();
        assertThat(ForwardPasses.fromCounts(Map.of("a", 1L, "b", 1L, "c", 1L))).isEmpty();
    }
}
