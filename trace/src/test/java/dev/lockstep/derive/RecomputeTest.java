// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import static dev.lockstep.testkit.TestTraces.slice;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.Trace;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import org.junit.jupiter.api.Test;

class RecomputeTest {
    @Test
    void everythingBelowTheRecomputeFunctionIsRecomputation() {
        EventText events = new EventText();
        events.op("first", 0, 10_000).launch("k1", 1_000, 100_000, 1_000, 1, 7);
        events.python("torch/utils/checkpoint.py(1200): recompute_fn", 20_000, 30_000);
        events.op("again", 25_000, 10_000).launch("k2", 26_000, 110_000, 1_000, 2, 7);
        events.python("torch/utils/checkpoint.py(400): forward", 60_000, 30_000).op("other", 61_000, 10_000);
        Trace trace = TestTraces.of(events);
        Recompute recompute = new DerivedCache(trace)
                .get(new Recompute.Key(new CallTree.Key(Nesting.BY_TIME, true), LaunchRule.CORRELATION));
        assertThat(recompute.contains(slice(trace, "first"))).isFalse();
        assertThat(recompute.contains(slice(trace, "k1"))).isFalse();
        assertThat(recompute.contains(slice(trace, "again"))).isTrue();
        assertThat(recompute.contains(slice(trace, "k2"))).isTrue();
        assertThat(recompute.contains(slice(trace, "other"))).isFalse();
    }
}
