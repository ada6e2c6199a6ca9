// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import static dev.lockstep.testkit.TestTraces.slice;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.Trace;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SubtreeActivityTest {
    private final EventText events = new EventText();

    private static SubtreeActivity of(Trace trace) {
        return new DerivedCache(trace)
                .get(new SubtreeActivity.Key(new CallTree.Key(Nesting.BY_TIME, false), LaunchRule.CORRELATION));
    }

    private static List<String> below(Trace trace, String node) {
        SubtreeActivity activity = of(trace);
        int slice = slice(trace, node);
        List<String> names = new ArrayList<>();
        for (int i = activity.from(slice); i < activity.to(slice); i++) {
            names.add(trace.name(activity.activity(i)));
        }
        return names;
    }

    @Test
    void activitiesBelongToAllNodesAroundTheirLaunch() {
        events.op("outer", 0, 100_000).op("inner", 20_000, 30_000);
        events.launch("first", 5_000, 200_000, 10_000, 1, 7);
        events.launch("second", 25_000, 210_000, 10_000, 2, 7);
        events.launch("third", 60_000, 220_000, 10_000, 3, 7);
        events.op("idle", 150_000, 10_000);
        Trace trace = TestTraces.of(events);
        assertThat(below(trace, "outer")).containsExactly("first", "second", "third");
        assertThat(below(trace, "inner")).containsExactly("second");
        assertThat(below(trace, "idle")).isEmpty();
        assertThat(of(trace).hasAny(slice(trace, "idle"))).isFalse();
        assertThat(of(trace).size()).isEqualTo(3);
    }

    @Test
    void busyTimeIsTheUnionInWhateverOrderActivitiesWereLaunched() {
        events.op("op", 0, 100_000);
        events.launch("late", 5_000, 215_000, 10_000, 1, 7);
        events.launch("early", 25_000, 200_000, 20_000, 2, 8);
        events.launch("apart", 45_000, 300_000, 1_000, 3, 8);
        Trace trace = TestTraces.of(events);
        SubtreeActivity activity = of(trace);
        int op = slice(trace, "op");
        assertThat(below(trace, "op")).containsExactly("late", "early", "apart");
        assertThat(activity.busy(activity.from(op), activity.to(op))).isEqualTo(25_000 + 1_000);
    }
}
