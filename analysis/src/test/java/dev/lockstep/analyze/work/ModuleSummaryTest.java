// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.WorkRules;
import dev.lockstep.analyze.work.ModuleSummary.Row;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.perfmodel.OpModels;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ModuleSummaryTest {
    private static String host(String category, String name, int thread, int ts, int dur, String arguments) {
        return "{\"ph\": \"X\", \"cat\": \"" + category + "\", \"name\": \"" + name + "\", \"pid\": 9, \"tid\": "
                + thread + ", \"ts\": " + ts + ", \"dur\": " + dur + ", \"args\": {" + arguments + "}}";
    }

    private static String module(String name, int thread, int ts, int dur) {
        return host("python_function", "nn.Module: " + name, thread, ts, dur, "");
    }

    private static String call(int thread, int ts, int correlation) {
        return host("cuda_runtime", "cudaLaunchKernel", thread, ts, 2, "\"correlation\": " + correlation);
    }

    private static String kernel(int ts, int dur, int correlation) {
        return "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"pid\": 0, \"tid\": 7, \"ts\": " + ts
                + ", \"dur\": " + dur + ", \"args\": {\"device\": 0, \"stream\": 7, \"correlation\": " + correlation
                + "}}";
    }

    private static ModuleSummary.Result modules(List<String> events) throws IOException {
        return new ModuleSummary(WorkRules.standard(AnalysisRules.standard(), OpModels.standard(), null), null)
                .run(new DerivedCache(TestTraces.of(String.join(",", events))));
    }

    /** Path: calls, host, device, host and device of the backward pass, in µs. */
    private static List<String> said(ModuleSummary.Result result) {
        return result.rows().stream()
                .map(r -> String.join(
                        " ",
                        r.path(),
                        String.valueOf(r.calls()),
                        String.valueOf(r.forward().host() / 1000),
                        String.valueOf(r.forward().device() / 1000),
                        String.valueOf(r.backward().host() / 1000),
                        String.valueOf(r.backward().device() / 1000)))
                .toList();
    }

    /**
     * Net calls Linear_0 twice and ReLU_0 once; the backward node of the linear operator runs on another thread, that of the
     * activation calls Linear_0 again, as checkpointing does.
     */
    @Test
    void forwardAndBackwardBelongToTheModuleThatAskedForThem() throws IOException {
        ModuleSummary.Result result = modules(List.of(
                module("Net_0", 1, 0, 100),
                module("Linear_0", 1, 10, 20),
                host("cpu_op", "aten::linear", 1, 12, 10, "\"Sequence number\": 5"),
                call(1, 14, 1),
                module("Linear_0", 1, 40, 10),
                module("ReLU_0", 1, 60, 10),
                host("cpu_op", "aten::relu", 1, 62, 5, "\"Sequence number\": 6"),
                host(
                        "cpu_op",
                        "autograd::engine::evaluate_function: ReluBackward0",
                        2,
                        200,
                        50,
                        "\"Sequence number\": 6"),
                module("Linear_0", 2, 210, 30),
                call(2, 215, 3),
                host(
                        "cpu_op",
                        "autograd::engine::evaluate_function: AddmmBackward0",
                        2,
                        300,
                        20,
                        "\"Sequence number\": 5"),
                call(2, 305, 2),
                call(1, 400, 4),
                kernel(20, 7, 1),
                kernel(310, 11, 2),
                kernel(220, 13, 3),
                kernel(410, 17, 4),
                kernel(500, 19, 99)));

        assertThat(said(result))
                .containsExactly(
                        "Net_0 1 100 7 70 24",
                        "Net_0/Linear_0 3 30 7 50 24",
                        "Net_0/ReLU_0 1 10 0 20 0",
                        "(outside of modules) 0 2 36 0 0");
        assertThat(result.kinds())
                .extracting(kind ->
                        kind.name() + " " + kind.instances() + " " + kind.own().device() / 1000)
                .containsExactly("Linear 1 31", "Net 1 0", "ReLU 1 0");
    }

    private static String scripted(String name, int thread, int ts, int dur, String hierarchy, int sequence) {
        return host(
                "cpu_op",
                name,
                thread,
                ts,
                dur,
                "\"Module Hierarchy\": \"" + hierarchy + "\", \"Sequence number\": " + sequence);
    }

    /**
     * TorchScript notes the calls around each operator. Methods of a module and free functions belong to the module around; what
     * notes nothing outside of such operators, and the engine, belong to none, but for nodes of their operators.
     */
    @Test
    void hierarchiesOfTorchScriptAreModules() throws IOException {
        ModuleSummary.Result result = modules(List.of(
                scripted("aten::mul", 1, 10, 20, "TOP(C)::forward.A0(A)::forward.SELF(A)::forward_impl_.", 5),
                call(1, 14, 1),
                scripted("aten::sub", 1, 40, 10, "TOP(C)::forward.A0(A)::forward.", 6),
                scripted("aten::add", 1, 60, 10, "TOP(C)::forward.SELF(C)::call_b.B0(B)::forward.::helper.", 7),
                scripted("aten::relu", 1, 80, 10, "TOP(C)::forward.B1(B)::forward.", 8),
                scripted("aten::neg", 1, 95, 3, "TOP(C)::forward.", 9),
                scripted("aten::sum", 1, 120, 10, "", 10),
                host(
                        "cpu_op",
                        "autograd::engine::evaluate_function: MulBackward0",
                        2,
                        200,
                        50,
                        "\"Module Hierarchy\": \"\", \"Sequence number\": 5"),
                call(2, 215, 2),
                kernel(20, 7, 1),
                kernel(220, 13, 2)));

        assertThat(said(result))
                .containsExactly(
                        "TOP(C) -1 53 7 50 13",
                        "TOP(C)/A0(A) -1 30 7 50 13",
                        "TOP(C)/B0(B) -1 10 0 0 0",
                        "TOP(C)/B1(B) -1 10 0 0 0",
                        "(outside of modules) 0 10 0 0 0");
        assertThat(result.kinds())
                .extracting(kind ->
                        kind.name() + " " + kind.instances() + " " + kind.own().host() / 1000)
                .containsExactly("A 1 80", "B 2 20", "C 1 3");
        assertThat(result.tables().getFirst().longs(3).isMissing(0)).isTrue();
    }

    /** Frames say more than hierarchies, and tell calls. */
    @Test
    void framesGoBeforeHierarchies() throws IOException {
        ModuleSummary.Result result =
                modules(List.of(module("Net_0", 1, 0, 100), scripted("aten::mul", 1, 10, 20, "TOP(C)::forward.", 5)));

        assertThat(said(result)).containsExactly("Net_0 1 100 0 0 0", "(outside of modules) 0 0 0 0 0");
    }

    @Test
    void withoutModulesTheReasonIsSaid() throws IOException {
        ModuleSummary.Result result = modules(List.of(host("python_function", "train.py(9): walk", 1, 0, 5, "")));

        assertThat(result.tables()).isEmpty();
        assertThat(result.notApplicable()).contains("with_stack=True");
    }

    /** Modules that hold one another thousands of times neither run out of stack nor of memory. */
    @Test
    void deepNestingEndsSomewhere() throws IOException {
        List<String> events = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            events.add(module("A_" + i, 1, i, 100_000 - 2 * i));
        }

        assertThat(modules(events).rows()).hasSizeLessThan(200);
    }

    /** Against a search for the frames around every launch, on trees drawn at random. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void ownTimeIsThatOfLaunchesWhoseInnermostModuleItIs(long seed) throws IOException {
        Random random = new Random(seed);
        List<int[]> frames = new ArrayList<>();
        List<String> events = new ArrayList<>();
        grow(random, 0, 100_000, 0, frames, events);
        Map<String, Long> expected = new TreeMap<>();
        long all = 0;
        for (int launch = 1; launch <= 200; launch++) {
            int ts = random.nextInt(99_990);
            String path = "";
            for (int[] frame : frames) {
                if (frame[0] <= ts && ts < frame[1] && ts + 2 <= frame[1]) {
                    path += (path.isEmpty() ? "" : "/") + "M_" + frame[2];
                }
            }
            if (frames.stream()
                    .anyMatch(frame -> frame[0] > ts && frame[0] < ts + 2 || frame[1] > ts && frame[1] < ts + 2)) {
                continue;
            }
            int dur = 1 + random.nextInt(50);
            events.add(call(1, ts, launch));
            events.add(kernel(200_000 + 100 * launch, dur, launch));
            expected.merge(path.isEmpty() ? "(outside of modules)" : path, dur * 1000L, Long::sum);
            all += dur * 1000L;
        }

        ModuleSummary.Result result = modules(events);

        Map<String, Long> own = new TreeMap<>();
        for (Row row : result.rows()) {
            if (row.own().device() > 0) {
                own.put(row.path(), row.own().device());
            }
        }
        assertThat(own).isEqualTo(expected);
        assertThat(own.values().stream().mapToLong(Long::longValue).sum())
                .isEqualTo(all)
                .isEqualTo(result.device());
        assertThat(result.rows().stream()
                        .filter(row -> row.depth() >= 0)
                        .mapToLong(row -> row.own().host())
                        .sum())
                .isEqualTo(result.rows().stream()
                        .filter(row -> row.depth() == 0)
                        .mapToLong(row -> row.forward().host())
                        .sum());
    }

    private static void grow(Random random, int from, int to, int depth, List<int[]> frames, List<String> events) {
        int at = from;
        while (depth < 5 && to - at > 500) {
            int start = at + 1 + random.nextInt((to - at) / 4);
            int end = start + 200 + random.nextInt((to - start) / 2);
            if (end >= to) {
                return;
            }
            int number = random.nextInt(4);
            frames.add(new int[] {start, end, number});
            events.add(module("M_" + number, 1, start, end - start));
            grow(random, start, end, depth + 1, frames, events);
            at = end;
        }
    }
}
