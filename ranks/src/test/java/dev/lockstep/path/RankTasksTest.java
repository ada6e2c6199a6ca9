// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.WorkRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.model.Trace;
import dev.lockstep.perfmodel.OpModels;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.Arrays;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Tasks are what was recorded, each once, and wait for what the graph says. */
class RankTasksTest {
    private static final long US = 1_000;

    private static RankTasks of(Trace trace) {
        return RankTasks.of(
                new DerivedCache(trace), WorkRules.standard(AnalysisRules.standard(), OpModels.standard(), null));
    }

    private static String before(RankTasks tasks, String name) {
        for (int t = 0; t < tasks.size(); t++) {
            if (tasks.name(t).equals(name)) {
                return String.join(
                        ",",
                        Arrays.stream(tasks.before(t))
                                .mapToObj(tasks::name)
                                .sorted()
                                .toList());
            }
        }
        return "no task " + name;
    }

    @Test
    void activitiesWaitForTheirLaunchesAndTheirStreams() {
        RankTasks tasks = of(TestTraces.of(new EventText()
                .op("aten::first", 0, 8 * US)
                .call("cudaLaunchKernel", 8 * US, 4 * US, 1)
                .op("aten::second", 12 * US, 7 * US)
                .call("cudaLaunchKernel", 20 * US, 10 * US, 2)
                .kernel("a", 15 * US, 100 * US, 1, 7)
                .kernel("b", 116 * US, 300 * US, 2, 7)));
        assertThat(before(tasks, "a")).isEqualTo("aten::first");
        assertThat(before(tasks, "b")).isEqualTo("a,aten::second");
        assertThat(tasks.shortest()).isBetween(400 * US, 416 * US);
    }

    /** Every activity is a task of its length; all wait for tasks before them alone, and none for the same twice. */
    @Test
    void everyActivityIsATask() {
        for (Trace trace : SyntheticTraces.synthetic(SyntheticTraces.smallRecipe(2))) {
            RankTasks tasks = of(trace);
            TreeMap<Integer, Long> recorded = new TreeMap<>();
            DeviceActivity activity =
                    new DerivedCache(trace).get(AnalysisRules.standard().activity());
            for (int a = 0; a < activity.size(); a++) {
                recorded.put(
                        trace.slices().index(activity.slice(a)), trace.slices().dur(activity.slice(a)));
            }
            TreeMap<Integer, Long> made = new TreeMap<>();
            for (int t = 0; t < tasks.size(); t++) {
                int task = t;
                assertThat(tasks.before(t)).isSorted().doesNotHaveDuplicates();
                assertThat(Arrays.stream(tasks.before(t))).allMatch(other -> other < task);
                if (tasks.onDevice(t)) {
                    made.put(tasks.event(t), tasks.duration(t));
                    assertThat(tasks.before(t)).isNotEmpty();
                }
            }
            assertThat(made).isEqualTo(recorded);
            long length = trace.slices().end(trace.slices().size() - 1)
                    - trace.slices().ts(0);
            assertThat(tasks.shortest()).isBetween(length * 17 / 20, length);
        }
    }
}
