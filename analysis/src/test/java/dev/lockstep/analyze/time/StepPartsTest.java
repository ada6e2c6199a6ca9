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
    /** What ran, the part that it counts for, and whether it runs on a device; of those on the host the last is the innermost. */
    private enum What {
        GEMM("kernel", "gemm", Part.KERNEL),
        COPY("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", Part.MEMCPY),
        FILL("gpu_memset", "Memset (Device)", Part.MEMSET),
        REDUCE("kernel", "ncclDevKernel_AllReduce_Sum_f32_RING_LL", Part.COMMUNICATION),
        RANGE("user_annotation", "range", Part.RANGES),
        OPERATOR("cpu_op", "aten::mm", Part.HOST),
        CALL("cuda_runtime", "cudaMalloc", Part.RUNTIME);

        private final String category;
        private final String name;
        private final Part part;

        What(String category, String name, Part part) {
            this.category = category;
            this.name = name;
            this.part = part;
        }

        private boolean onDevice() {
            return ordinal() < RANGE.ordinal();
        }
    }

    private static String slice(What what, int ts, int dur, String more) {
        return "{\"ph\": \"X\", \"cat\": \"" + what.category + "\", \"name\": \"" + what.name + "\", \"pid\": "
                + (what.onDevice() ? 0 : 9) + ", \"tid\": " + (what.onDevice() ? 10 + what.ordinal() : 1)
                + ", \"ts\": " + ts + ", \"dur\": " + dur + ", \"args\": {"
                + (what.onDevice() ? "\"device\": 0, \"stream\": " + (10 + what.ordinal()) : "") + more + "}}";
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
    void everyMomentCountsOnceForTheDeviceBeforeTheHost(long seed) {
        Random random = new Random(seed);
        Part[] device = new Part[1000];
        Part[] host = new Part[1000];
        List<String> events = new ArrayList<>(List.of(step(4, 0, 300), step(5, 350, 300), step(6, 700, 300)));
        for (int i = 0; i < 60; i++) {
            What what = What.values()[random.nextInt(What.RANGE.ordinal())];
            int ts = 20 + random.nextInt(950);
            int dur = 1 + random.nextInt(20);
            events.add(slice(what, ts, dur, ""));
            for (int t = ts; t < ts + dur; t++) {
                device[t] = device[t] == null || what.part.compareTo(device[t]) < 0 ? what.part : device[t];
            }
        }
        int at = 0;
        while (at < 900) {
            int left = 100;
            for (What what : List.of(What.RANGE, What.OPERATOR, What.CALL)) {
                left = 1 + random.nextInt(left);
                events.add(slice(what, at, left, ""));
                Arrays.fill(host, at, at + left, what.part);
            }
            at += 100 + random.nextInt(20);
        }

        List<Row> rows = rows(events);

        assertThat(rows).extracting(Row::label).containsExactly("all", "4", "5", "6");
        int[] edges = {0, 350, 700, 1000};
        for (int step = 0; step < 3; step++) {
            long[] expected = new long[Part.values().length];
            for (int t = edges[step]; t < edges[step + 1]; t++) {
                Part part = device[t] != null ? device[t] : host[t] != null ? host[t] : Part.OTHER;
                expected[part.ordinal()] += 1000;
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
                slice(What.CALL, 90, 5, "\"correlation\": 7"),
                slice(What.GEMM, 110, 30, ", \"correlation\": 7"),
                slice(What.GEMM, 200, 30, "")));

        assertThat(rows.get(1).total()).isEqualTo(140_000);
        assertThat(rows.get(1).of(Part.KERNEL)).isEqualTo(30_000);
        assertThat(rows.get(1).of(Part.QUEUED)).isEqualTo(15_000);
    }

    @Test
    void withoutStepsTheRecordingIsOne() {
        List<Row> rows = rows(List.of(slice(What.OPERATOR, 0, 10, ""), slice(What.GEMM, 20, 10, "")));

        assertThat(rows).hasSize(1);
        assertThat(rows.getFirst().total()).isEqualTo(30_000);
        assertThat(rows.getFirst().of(Part.HOST)).isEqualTo(10_000);
        assertThat(rows.getFirst().of(Part.OTHER)).isEqualTo(10_000);
    }

    /** What the profiler itself takes, and its marks on devices, are no part of a recording. */
    @Test
    void theRecordingBeginsWithWork() {
        List<Row> rows = rows(List.of(
                "{\"ph\": \"X\", \"cat\": \"overhead\", \"name\": \"Buffer Flush\", \"pid\": -1, \"tid\": 0,"
                        + " \"ts\": -500, \"dur\": 100}",
                slice(What.OPERATOR, 0, 10, ""),
                slice(What.GEMM, 20, 10, "")));

        assertThat(rows.getFirst().total()).isEqualTo(30_000);
    }
}
