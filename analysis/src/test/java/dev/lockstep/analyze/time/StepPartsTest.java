// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.time.StepParts.Part;
import dev.lockstep.analyze.time.StepParts.Row;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.testkit.TestTraces;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StepPartsTest {
    /** Category and name of what makes each part, in their order. */
    private static final String[][] KINDS = {
        {"kernel", "gemm"},
        {"gpu_memcpy", "Memcpy HtoD (Pinned -> Device)"},
        {"gpu_memset", "Memset (Device)"},
        {"kernel", "ncclDevKernel_AllReduce_Sum_f32_RING_LL"},
        {"cuda_runtime", "cudaLaunchKernel"},
        {"user_annotation", "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"},
        {"cpu_op", "aten::mm"},
    };

    private static String slice(int kind, int ts, int dur, String more) {
        boolean device = kind < Part.RUNTIME.ordinal();
        return "{\"ph\": \"X\", \"cat\": \"" + KINDS[kind][0] + "\", \"name\": \"" + KINDS[kind][1] + "\", \"pid\": "
                + (device ? 0 : 9) + ", \"tid\": " + (10 + kind) + ", \"ts\": " + ts + ", \"dur\": " + dur
                + ", \"args\": {" + (device ? "\"device\": 0, \"stream\": " + (10 + kind) : "") + more + "}}";
    }

    private static String step(int number, int ts, int dur) {
        return "{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"ProfilerStep#" + number
                + "\", \"pid\": 9, \"tid\": 1, \"ts\": " + ts + ", \"dur\": " + dur + "}";
    }

    private static List<Row> rows(List<String> events) {
        return new StepParts(AnalysisRules.standard(), null)
                .run(new DerivedCache(TestTraces.of(String.join(",", events))))
                .rows();
    }

    /** Against counting microsecond by microsecond. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void everyMomentCountsForTheFirstPartThatIsActive(long seed) {
        Random random = new Random(seed);
        int[] first = new int[1000];
        Arrays.fill(first, Part.OTHER.ordinal());
        List<String> events = new ArrayList<>(List.of(step(4, 0, 300), step(5, 350, 300), step(6, 700, 300)));
        for (int i = 0; i < 60; i++) {
            int kind = random.nextInt(KINDS.length);
            int ts = random.nextInt(980);
            int dur = 1 + random.nextInt(20);
            events.add(slice(kind, ts, dur, ""));
            for (int t = ts; t < ts + dur && t < 1000; t++) {
                first[t] = Math.min(first[t], kind);
            }
        }
        events.add(slice(0, 20, 5, ""));
        for (int t = 20; t < 25; t++) {
            first[t] = 0;
        }

        List<Row> rows = rows(events);

        assertThat(rows).extracting(Row::label).containsExactly("all", "4", "5", "6");
        int[] edges = {0, 350, 700, 1000};
        for (int step = 0; step < 3; step++) {
            long[] expected = new long[Part.values().length];
            for (int t = edges[step]; t < edges[step + 1]; t++) {
                expected[first[t]] += 1000;
            }
            assertThat(rows.get(step + 1).ns()).isEqualTo(expected);
        }
        assertThat(rows.getFirst().total()).isEqualTo(1_000_000);
    }

    /** The kernel that the last step launched ends 40 µs behind the host. */
    @Test
    void theLastStepEndsWithWhatItLaunched() {
        List<Row> rows = rows(List.of(
                step(1, 0, 100),
                slice(4, 90, 5, "\"correlation\": 7"),
                slice(0, 110, 30, ", \"correlation\": 7"),
                slice(0, 200, 30, "")));

        assertThat(rows.get(1).total()).isEqualTo(140_000);
        assertThat(rows.get(1).of(Part.KERNEL)).isEqualTo(30_000);
    }

    @Test
    void withoutStepsTheRecordingIsOne() {
        List<Row> rows = rows(List.of(slice(6, 0, 10, ""), slice(0, 20, 10, "")));

        assertThat(rows).hasSize(1);
        assertThat(rows.getFirst().total()).isEqualTo(30_000);
        assertThat(rows.getFirst().of(Part.OTHER)).isEqualTo(10_000);
    }
}
