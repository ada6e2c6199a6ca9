// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.gemm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.analyze.gemm.Slowdown.Verdict;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.List;
import org.junit.jupiter.api.Test;

class GemmVarianceTest {
    private static final String KERNEL = "Cijk_Ailk_Bjlk_BBS_MT256x208x64_K1";
    private static final String COLLECTIVE = "\"Collective name\": \"allreduce\", \"dtype\": \"Float\","
            + " \"In msg nelems\": 3000, \"Out msg nelems\": 3000, \"Group size\": 2";

    private final EventText events = new EventText();
    private long now;
    private long correlation;

    private static String shape(int rows) {
        return "\"Input Dims\": [[" + rows + ", 64], [64, 32]], \"Input type\": [\"c10::BFloat16\", \"c10::BFloat16\"],"
                + " \"Input Strides\": [[64, 1], [32, 1]], \"Concrete Inputs\": [\"\", \"\"]";
    }

    /** An operator with one kernel, which begins 5 µs after it. */
    private void multiply(String operator, int rows, String kernel, long duration) {
        correlation++;
        events.op(operator, now, 3_000, shape(rows)).launch(kernel, now + 500, now + 5_000, duration, correlation, 7);
        now += 200_000;
    }

    /** A collective during the next operator's kernel. */
    private void communicate() {
        correlation++;
        events.call("cudaLaunchKernel", now - 50_000, 1_000, correlation)
                .device("kernel", "ncclDevKernel_AllReduce", now, 190_000, correlation, 20, COLLECTIVE);
    }

    private RankGemms gemms() {
        return gemms(events);
    }

    private static RankGemms gemms(EventText events) {
        return GemmVariance.standard().run(new DerivedCache(TestTraces.of(events)));
    }

    @Test
    void shapesThatShareAKernelStayApart() {
        for (int i = 0; i < 4; i++) {
            multiply("aten::mm", 128, KERNEL, 40_000 + i);
            multiply("aten::mm", 512, KERNEL, 90_000 + 10 * i);
            multiply("aten::mm", 512, KERNEL + "0", 70_000);
        }

        List<Gemm> rows = gemms().gemms();

        assertThat(rows).hasSize(3);
        Gemm large = rows.getFirst();
        assertThat(large.shape().kernel()).isEqualTo(KERNEL);
        assertThat(large.shape().dims()).isEqualTo("[[512, 64], [64, 32]]");
        assertThat(large.spread().min()).isEqualTo(90_000);
        assertThat(large.spread().max()).isEqualTo(90_030);
        assertThat(large.longest().duration()).isEqualTo(90_030);
        assertThat(large.longest().start()).isEqualTo(10 * 200_000 + 5_000);
        assertThat(large.operators().count()).isEqualTo(4);
        assertThat(large.work()).isNotNull();
        assertThat(large.work().flops()).isEqualTo(2.0 * 512 * 64 * 32);
    }

    /**
     * One name for large and small products, of which the large ones meet communication in each step. Nothing slows them; where none of
     * them has a like without communication, nothing is said.
     */
    @Test
    void sizesThatWereNotRecordedAreNoEffectOfCommunication() {
        for (int step = 0; step < 12; step++) {
            events.annotation("ProfilerStep#" + step, now, 8 * 200_000);
            for (int i = 0; i < 8; i++) {
                boolean large = i % 2 == 0;
                if (large) {
                    communicate();
                }
                correlation++;
                events.op("aten::mm", now, 3_000, "")
                        .launch(KERNEL, now + 500, now + 5_000, (large ? 90_000 : 40_000) + 7 * step, correlation, 7);
                now += 200_000;
            }
        }

        Gemm row = gemms().gemms().getFirst();

        assertThat(row.shape().dims()).isNull();
        assertThat(row.overlap().byPosition()).isTrue();
        assertThat(row.overlap().slowdown().isKnown()).isFalse();
    }

    /** What meets communication in every other step is compared with the same product in the other steps. */
    @Test
    void withoutSizesTheSamePlaceOfOtherStepsIsCompared() {
        for (int step = 0; step < 40; step++) {
            events.annotation("ProfilerStep#" + step, now, 8 * 200_000);
            for (int i = 0; i < 8; i++) {
                boolean large = i % 2 == 0;
                boolean meets = large && (step * 7 + i) % 3 == 0;
                if (meets) {
                    communicate();
                }
                correlation++;
                double factor = (meets ? 1.05 : 1) * (1 + 0.001 * ((step * 5 + i * 3) % 7));
                events.op("aten::mm", now, 3_000, "")
                        .launch(
                                KERNEL,
                                now + 500,
                                now + 5_000,
                                Math.round((large ? 90_000 : 40_000) * factor),
                                correlation,
                                7);
                now += 200_000;
            }
        }

        Slowdown found = gemms().gemms().getFirst().overlap().slowdown();

        assertThat(found.verdict()).isEqualTo(Verdict.SLOWER);
        assertThat(found.low()).isBetween(4.0, 5.0);
        assertThat(found.high()).isBetween(5.0, 6.0);
    }

    /** Two operators with two kernels each, which run by turns. */
    @Test
    void operatorsCountOnceWhateverRunsBetweenTheirKernels() {
        for (int op = 0; op < 2; op++) {
            events.op("aten::mm", 10_000 * op, 3_000, shape(128));
            for (int kernel = 0; kernel < 2; kernel++) {
                long from = 100_000 + 20_000 * op + 50_000 * kernel;
                events.launch(KERNEL, 10_000 * op + 500 + 1_000 * kernel, from, 10_000, ++correlation, 7);
            }
        }

        Gemm row = gemms().gemms().getFirst();

        assertThat(row.spread().count()).isEqualTo(4);
        assertThat(row.operators().count()).isEqualTo(2);
        assertThat(row.operators().sum()).isEqualTo(40_000);
    }

    @Test
    void operatorsThatMultiplyNothingAreLeftOut() {
        multiply("aten::add", 128, "void at::native::vectorized_elementwise_kernel<4>", 9_000);
        multiply("aten::convolution", 128, KERNEL, 9_000);
        multiply("fbgemm::permute", 128, "void fbgemm_gpu::permute_kernel<int>", 9_000);
        multiply("mylib::fused", 128, "void at::native::vectorized_elementwise_kernel<4>", 9_000);
        multiply("mylib::fused", 128, KERNEL, 9_000);
        multiply("aten::mm", 128, "some_vendor_kernel", 9_000);

        assertThat(gemms().gemms())
                .extracting(g -> g.shape().operator() + " " + g.shape().kernel())
                .containsExactlyInAnyOrder("mylib::fused " + KERNEL, "aten::mm some_vendor_kernel");
    }

    @Test
    void kernelsWithoutALaunchAreKnownByName() {
        events.kernel(KERNEL, 1_000, 500, 77, 7).kernel("reduce_kernel", 3_000, 500, 78, 7);

        List<Gemm> rows = gemms().gemms();

        assertThat(rows).hasSize(1);
        assertThat(rows.getFirst().shape().operator()).isNull();
        assertThat(rows.getFirst().operators().count()).isZero();
    }

    @Test
    void theEffectOfCommunicationIsThatAgainstTheControlGroup() {
        for (int i = 0; i < 12; i++) {
            boolean busy = i % 3 == 0;
            if (busy) {
                communicate();
            }
            multiply("aten::mm", 128, KERNEL, (busy ? 112_000 : 100_000) + 100 * (i % 4));
        }

        Gemm row = gemms().gemms().getFirst();
        Slowdown slowdown = row.overlap().slowdown();

        assertThat(slowdown.overlapped()).isEqualTo(4);
        assertThat(slowdown.alone()).isEqualTo(8);
        assertThat(slowdown.percent()).isCloseTo(12, within(0.1));
        assertThat(slowdown.low()).isLessThan(12).isGreaterThan(11);
        assertThat(slowdown.high()).isGreaterThan(12).isLessThan(13);
        assertThat(slowdown.verdict()).isEqualTo(Verdict.SLOWER);
        assertThat(row.overlap().atStart().percent()).isEqualTo(slowdown.percent());
        assertThat(row.overlap().coveredNs()).isEqualTo(4 * 112_000 + 100 * (0 + 3 + 2 + 1));
        assertThat(row.longest().communication().names()).containsExactly("allreduce");
        assertThat(row.shortest().communication()).isEqualTo(Concurrent.NONE);
    }

    @Test
    void communicationOnOtherDevicesDoesNotCount() {
        multiply("aten::mm", 128, KERNEL, 100_000);
        events.complete(
                "kernel",
                "ncclDevKernel_AllReduce",
                "1",
                "20",
                0,
                190_000,
                "\"device\": 1, \"stream\": 20, \"correlation\": 99");

        assertThat(gemms().gemms().getFirst().overlap().slowdown().overlapped()).isZero();
    }

    /** In every step the second kernel is longer, and nearly always it alone meets communication, which changes nothing. */
    @Test
    void kernelsAreComparedWithThoseAtTheSamePlaceOfOtherSteps() {
        for (int step = 0; step < 12; step++) {
            long start = now;
            for (int place = 0; place < 2; place++) {
                if (place == 1 && step % 2 == 0 || place == 0 && step % 4 == 0) {
                    communicate();
                }
                multiply("aten::mm", 128, KERNEL, 50_000 + 50_000 * place + step % 3);
            }
            events.annotation("ProfilerStep#" + step, start, now - start - 1);
        }

        Gemm.Overlap overlap = gemms().gemms().getFirst().overlap();

        assertThat(overlap.byPosition()).isTrue();
        assertThat(overlap.slowdown().percent()).isCloseTo(0, within(0.01));
        assertThat(overlap.slowdown().overlapped()).isEqualTo(9);
        assertThat(overlap.slowdown().alone()).isEqualTo(15);
    }

    @Test
    void warmUpStepsAreLeftOutAndCounted() {
        for (int step = 0; step < 5; step++) {
            long start = now;
            multiply("aten::mm", 128, KERNEL, step == 0 ? 90_000 : 50_000 + step);
            multiply("aten::mm", 512, KERNEL, step == 0 ? 80_000 : 60_000);
            events.annotation("ProfilerStep#" + step, start, now - start - 1);
        }

        RankGemms gemms = gemms();

        assertThat(gemms.warmSteps()).isEqualTo(1);
        assertThat(gemms.gemms()).allSatisfy(row -> {
            assertThat(row.warmup()).isEqualTo(1);
            assertThat(row.spread().count()).isEqualTo(4);
        });
        assertThat(gemms.gemms().getFirst().spread().max()).isEqualTo(50_004);
        assertThat(gemms.gemms().getFirst().longest().step()).isEqualTo(4);
    }

    @Test
    void fewStepsAreNeverTakenForWarmUp() {
        for (int step = 0; step < 3; step++) {
            long start = now;
            multiply("aten::mm", 128, KERNEL, step == 0 ? 90_000 : 50_000);
            events.annotation("ProfilerStep#" + step, start, now - start - 1);
        }

        assertThat(gemms().warmSteps()).isZero();
        assertThat(gemms().gemms().getFirst().spread().max()).isEqualTo(90_000);
    }

    @Test
    void theOrderOfEventsInTheFileDoesNotMatter() {
        for (int i = 0; i < 9; i++) {
            if (i % 2 == 0) {
                communicate();
            }
            multiply("aten::mm", 128 * (1 + i % 3), KERNEL, 60_000 + 700 * (i % 4));
        }
        List<Gemm> rows = gemms().gemms();

        assertThat(gemms(events.shuffled(3)).gemms()).isEqualTo(rows);
        assertThat(gemms(events.shuffled(4)).gemms()).isEqualTo(rows);
    }

    @Test
    void aTraceWithoutMultiplicationsSaysSo() {
        multiply("aten::add", 128, "void at::native::vectorized_elementwise_kernel<4>", 9_000);

        assertThat(gemms().tables()).isEmpty();
        assertThat(gemms().notApplicable()).contains("no kernel of a matrix multiplication");
    }

    @Test
    void ranksAndConfigurationsArePutTogether() {
        for (int i = 0; i < 12; i++) {
            if (i % 3 == 0) {
                communicate();
            }
            multiply("aten::mm", 128, KERNEL, (i % 3 == 0 ? 112_000 : 100_000) + 100 * (i % 4));
        }
        RankGemms rank = gemms();
        GemmPool pool = new GemmPool();
        pool.add("a", rank);
        pool.add("a", rank);
        pool.add("b", rank);

        GemmPool.Result result = pool.result();

        assertThat(result.all().kernels()).isEqualTo(36);
        assertThat(result.all().during().overlapped()).isEqualTo(12);
        assertThat(result.all().during().percent())
                .isCloseTo(rank.gemms().getFirst().overlap().slowdown().percent(), within(1e-9));
        assertThat(result.configurations())
                .extracting(GemmPool.Pooled::configuration)
                .containsExactly("a", "b");
        assertThat(result.shapes()).hasSize(1);
        assertThat(result.findings().getFirst().text())
                .startsWith("All matrix multiplications while communication runs: slowed by 12.0 % (95 % CI 11.")
                .contains("12 runs against 24 without");
        assertThat(result.tables())
                .extracting(t -> t.name() + " " + t.rows())
                .containsExactly("gemm_communication 1", "gemm_communication_by_configuration 3");
    }
}
