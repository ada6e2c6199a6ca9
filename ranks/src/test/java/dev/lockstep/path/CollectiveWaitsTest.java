// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.Trace;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Collectives behind kernels of another stream, some of which end too early to hold them up. */
class CollectiveWaitsTest {
    private static final long US = 1_000;
    private static final String REDUCE = "ncclDevKernel_Generic_1";

    private final EventText events = new EventText();
    private long at = US;
    private int number;

    /**
     * A kernel, then a collective, launched 10 us later.
     *
     * @param kernelUs how long the kernel runs
     * @param waits whether the collective starts behind it
     */
    private void pair(String operator, long kernelUs, boolean waits) {
        long end = at + (5 + kernelUs) * US;
        long start = waits ? Math.max(at + 15 * US, end + 1_200) : at + 15 * US;
        events.launch("k" + number, at, at + 5 * US, kernelUs * US, 2L * number + 1, 7)
                .op(operator, at + 8 * US, 6 * US)
                .op("record_param_comms", at + 9 * US, 4 * US)
                .launch(REDUCE, at + 10 * US, start, 50 * US, 2L * number + 2, 13);
        at += (kernelUs + 400) * US;
        number++;
    }

    /** Which collectives wait for which kernels, by number. */
    private List<String> inferred() {
        Trace trace = TestTraces.of(events);
        GraphBuilder builder = new GraphBuilder();
        RankGraph rank = RankGraph.of(new DerivedCache(trace), AnalysisRules.standard(), new int[0], builder);
        Map<Integer, Long> vertices = new HashMap<>();
        for (int a = 0; a < rank.activity.size(); a++) {
            long correlation = trace.slices().correlation(rank.activity.slice(a));
            vertices.put(rank.startVertex(a), correlation);
            vertices.put(rank.endVertex(a), correlation);
        }
        TreeSet<Long> found = new TreeSet<>();
        for (int e = 0; e < builder.targets.size(); e++) {
            if (EdgeKind.of(builder.kinds.get(e)) == EdgeKind.INFERRED) {
                long to = vertices.getOrDefault(builder.targets.get(e), -1L);
                assertThat(vertices).containsEntry(builder.sources.get(e), to - 1);
                assertThat(found.add(to)).as("twice").isTrue();
            }
        }
        List<String> names = new ArrayList<>();
        found.forEach(to -> names.add("k" + (to / 2 - 1)));
        return names;
    }

    @ParameterizedTest
    @CsvSource({"3, false", "4, true", "30, true"})
    void theyWaitForWhatEndedEarlyToo(int heldUp, boolean known) {
        for (int i = 0; i < heldUp; i++) {
            pair("c10d::allreduce_", 200, true);
        }
        pair("c10d::allreduce_", 2, true);
        pair("c10d::allreduce_", 3, true);

        assertThat(inferred()).hasSize(heldUp + (known ? 2 : 0));
    }

    /** One that started while the kernel ran shows that they do not wait; one in twenty may be an error of the recording. */
    @ParameterizedTest
    @CsvSource({"10, 1, 0", "19, 1, 0", "20, 1, 1", "39, 2, 0", "40, 2, 1"})
    void noneOfThemWaitsWhereSomeDoNot(int heldUp, int started, int more) {
        for (int i = 0; i < heldUp; i++) {
            pair("c10d::allreduce_", 200, true);
        }
        for (int i = 0; i < started; i++) {
            pair("c10d::allreduce_", 200, false);
        }
        pair("c10d::allreduce_", 2, true);

        assertThat(inferred()).hasSize(heldUp + more);
    }

    /** Kernels of one name do different things for different operators. */
    @Test
    void operatorsAreToldApart() {
        for (int i = 0; i < 8; i++) {
            pair("c10d::_reduce_scatter_base_", 200, true);
            pair("c10d::_allgather_base_", 200, false);
        }
        pair("c10d::_reduce_scatter_base_", 2, true);
        pair("c10d::_allgather_base_", 2, true);

        assertThat(inferred()).hasSize(9).contains("k16").doesNotContain("k17");
    }

    /** Collectives that start when they please: where kernels of all lengths are before them, no waits are made up. */
    @Test
    void chanceIsNotTakenForWaiting() {
        Random random = new Random(3);
        for (int i = 0; i < 300; i++) {
            pair("c10d::allreduce_", 2 + random.nextInt(60), false);
        }
        assertThat(inferred()).isEmpty();
    }
}
