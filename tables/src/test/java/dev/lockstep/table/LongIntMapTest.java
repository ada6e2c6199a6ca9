// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LongIntMapTest {
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void agreesWithAHashMap(long seed) {
        Random random = new Random(seed);
        long[] special = {0, -1, 1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32};
        LongIntMap map = new LongIntMap(random.nextInt(100));
        Map<Long, Integer> oracle = new HashMap<>();
        for (int i = 0; i < 50_000; i++) {
            long key = switch (random.nextInt(4)) {
                case 0 -> special[random.nextInt(special.length)];
                case 1 -> random.nextInt(1000);
                case 2 -> random.nextInt(1000) * (1L << 40);
                default -> random.nextLong();
            };
            if (random.nextInt(3) == 0) {
                assertThat(map.get(key)).isEqualTo(oracle.getOrDefault(key, -1));
            } else {
                int value = random.nextInt(Integer.MAX_VALUE);
                Integer before = oracle.put(key, value);
                assertThat(map.put(key, value)).isEqualTo(before == null ? -1 : before);
            }
        }
        assertThat(map.size()).isEqualTo(oracle.size());
        oracle.forEach((key, value) -> assertThat(map.get(key)).isEqualTo(value));
    }
}
