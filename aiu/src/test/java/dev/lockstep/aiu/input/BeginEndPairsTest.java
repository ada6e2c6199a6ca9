// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.input;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BeginEndPairsTest {
    private static AiuEvent at(AiuName name, double ts) {
        AiuEvent event = new AiuEvent('B', name);
        event.ts = ts;
        return event;
    }

    @Test
    void anEndBelongsToTheLatestBeginOfItsName() {
        AiuName a = new AiuName("a");
        AiuName b = new AiuName("b");
        List<@Nullable AiuEvent> events = new ArrayList<>();
        BeginEndPairs pairs = new BeginEndPairs(events);

        pairs.begin(at(a, 1));
        pairs.begin(at(a, 2));
        pairs.begin(at(b, 3));
        pairs.begin(at(b, 4));
        pairs.end(at(a, 10));
        pairs.end(at(b, 11));
        pairs.end(at(a, 12));
        pairs.end(at(a, 13));

        assertThat(pairs.finish()).isEqualTo(2);
        assertThat(events)
                .extracting(event -> event == null ? "none" : event.phase + " " + event.ts + "+" + event.dur)
                .containsExactly("X 1.0+11.0", "X 2.0+8.0", "none", "X 4.0+7.0");
    }

    /** First in, first out, where a search from the latest on would look at all of them. */
    @Test
    void manyOpenBeginsTakeNoTime() {
        int n = 100_000;
        List<@Nullable AiuEvent> events = new ArrayList<>();
        BeginEndPairs pairs = new BeginEndPairs(events);
        AiuName[] names = new AiuName[n];
        for (int i = 0; i < n; i++) {
            names[i] = new AiuName("k" + i);
            pairs.begin(at(names[i], i));
        }
        for (int i = 0; i < n; i++) {
            pairs.end(at(names[i], n + i));
        }

        assertThat(pairs.finish()).isZero();
        assertThat(events).allMatch(event -> event != null && event.dur == n);
    }
}
