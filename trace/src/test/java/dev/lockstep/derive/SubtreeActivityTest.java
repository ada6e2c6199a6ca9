// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import static dev.lockstep.testkit.TestTraces.slice;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.Trace;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
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

    /** Ranges of nested calls are joined at once; each of them alone is the same. */
    @Test
    void manyRangesAreAsLongTogetherAsOneByOne() {
        RandomGenerator random = new SplittableRandom(7);
        for (int round = 0; round < 40; round++) {
            EventText made = new EventText();
            int count = 1 + random.nextInt(200);
            made.op("op", 0, 1_000L * (count + 1));
            for (int i = 0; i < count; i++) {
                long start = 1_000_000 + random.nextLong(20_000);
                made.launch("kernel", 1_000L * i + 10, start, random.nextLong(round % 2 == 0 ? 200 : 20_000), i + 1, i);
            }
            SubtreeActivity activity = of(TestTraces.of(made));
            assertThat(activity.size()).isEqualTo(count);
            int[] from = new int[20_000];
            int[] to = new int[from.length];
            long[] alone = new long[from.length];
            for (int i = 0; i < from.length; i++) {
                from[i] = random.nextInt(count + 1);
                to[i] = from[i] + random.nextInt(count + 1 - from[i]);
                alone[i] = activity.busy(from[i], to[i]);
            }
            assertThat(activity.busy(from, to)).isEqualTo(alone);
        }
    }
}
