// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IntTuplesTest {
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void equalTuplesShareANumberAndOthersDoNot(long seed) {
        Random random = new Random(seed);
        IntTuples tuples = new IntTuples();
        Map<List<Integer>, Integer> numbers = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            List<Integer> values = List.of(random.nextInt(6) - 1, random.nextInt(6) - 1, random.nextInt(6) - 1);
            int tuple = IntTuples.ROOT;
            for (int value : values) {
                tuple = tuples.then(tuple, value);
            }
            assertThat(numbers.computeIfAbsent(values, v -> -1)).isIn(-1, tuple);
            numbers.put(values, tuple);
        }
        assertThat(numbers.values()).doesNotHaveDuplicates().hasSizeGreaterThan(200);
    }
}
