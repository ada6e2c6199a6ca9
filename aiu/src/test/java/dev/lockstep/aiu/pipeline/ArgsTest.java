// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ArgsTest {
    private static Map<String, Object> content(Args args) {
        Map<String, Object> content = new LinkedHashMap<>();
        for (int i = 0; i < args.size(); i++) {
            content.put(args.key(i), args.value(i));
        }
        return content;
    }

    /** Against a map that keeps its order. */
    @Test
    void valuesAreFoundReplacedAndTakenAwayInTheOrderInWhichTheyCame() {
        Random random = new Random(3);
        Args args = new Args();
        Map<String, Object> expected = new LinkedHashMap<>();
        for (int i = 0; i < 5000; i++) {
            String key = "k" + random.nextInt(9);
            if (random.nextInt(3) == 0) {
                assertThat(args.remove(key)).isEqualTo(expected.remove(key));
            } else {
                args.put(key, (long) i);
                expected.put(key, (long) i);
            }
            assertThat(List.copyOf(content(args).entrySet())).isEqualTo(new ArrayList<>(expected.entrySet()));
            assertThat(args.get(key)).isEqualTo(expected.get(key));
        }
    }

    @Test
    void copiesGoTheirOwnWay() {
        Args args = Args.of("a", 0.0);
        args.put("b", "text");
        Args copy = args.copy();
        copy.put("c", 7L);
        args.remove("a");

        assertThat(content(args)).containsExactly(Map.entry("b", "text"));
        assertThat(content(copy)).containsExactly(Map.entry("a", 0.0), Map.entry("b", "text"), Map.entry("c", 7L));
        assertThat(Args.of("z", -0.0).value(0)).isEqualTo(-0.0);
    }
}
