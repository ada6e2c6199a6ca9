// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.hardware;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.hardware.KernelOccupancy.Row;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.testkit.TestTraces;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KernelOccupancyTest {
    private static String properties(int capability, int processors, int threads, int shared) {
        return "\"deviceProperties\": [{\"id\": 0, \"name\": \"X\", \"computeMajor\": " + capability / 10
                + ", \"computeMinor\": " + capability % 10 + ", \"maxThreadsPerMultiprocessor\": " + threads
                + ", \"regsPerMultiprocessor\": 65536, \"warpSize\": 32, \"numSms\": " + processors
                + ", \"sharedMemPerMultiprocessor\": " + shared + "}]";
    }

    private static String kernel(String name, int ts, int dur, int stream, String more) {
        return "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"" + name + "\", \"pid\": 0, \"tid\": " + stream
                + ", \"ts\": " + ts + ", \"dur\": " + dur + ", \"args\": {\"device\": 0, \"stream\": " + stream + more
                + "}}";
    }

    private static String launch(long blocks, int threads, int registers, int shared) {
        return ", \"grid\": [" + blocks + ", 1, 1], \"block\": [" + threads + ", 1, 1], \"registers per thread\": "
                + registers + ", \"shared memory\": " + shared;
    }

    private static KernelOccupancy.Result occupancy(String properties, String... events) {
        return new KernelOccupancy(AnalysisRules.standard())
                .run(new DerivedCache(
                        TestTraces.parse("{" + properties + ", \"traceEvents\": [" + String.join(",", events) + "]}")));
    }

    /** What PyTorch's profiler wrote on V100, T4, A100 and H100. */
    @ParameterizedTest
    @CsvSource({
        "70,  80, 2048,  98304, 21,     0,  128,     7,   1",
        "70,  80, 2048,  98304, 72, 13824,   64,   128,   5",
        "70,  80, 2048,  98304, 16,     0,  128,   367,  29",
        "75,  68, 1024,  65536, 16,     0,  128,  2048, 100",
        "75,  68, 1024,  65536, 118, 16384, 256,    64,  24",
        "80, 108, 2048, 167936, 42, 32768, 1024, 15412,  50",
        "80, 108, 2048, 167936, 40,     0,  128, 10240,  75",
        "80, 108, 2048, 167936, 56, 31744,  384,  4103,  56",
        "90, 132, 2048, 233472, 40, 33792,  256,  3552,  75",
        "90, 132, 2048, 233472, 90,     0,  128,  4096,  31",
        "90, 132, 2048, 233472, 29,     0,  512,   528, 100",
    })
    void occupancyIsThatOfTheProfiler(
            int capability,
            int processors,
            int threads,
            int shared,
            int registers,
            int sharedOfBlock,
            int threadsOfBlock,
            long blocks,
            double recorded) {
        Row row = occupancy(
                        properties(capability, processors, threads, shared),
                        kernel("k", 0, 9, 7, launch(blocks, threadsOfBlock, registers, sharedOfBlock)))
                .rows()
                .getFirst();

        assertThat(row.occupancy()).isCloseTo(recorded, within(0.51));
    }

    /** 2048 threads hold 5 blocks of 384; 40 registers would do for 4 blocks, 16 KiB and 1 KiB reserved for 9. */
    @Test
    void whatLimitsIsNamedAndWavesAreCounted() {
        Row row = occupancy(properties(80, 100, 2048, 167936), kernel("k", 0, 9, 7, launch(1000, 384, 40, 16384)))
                .rows()
                .getFirst();

        assertThat(row.fill().limit()).isEqualTo("registers");
        assertThat(row.fill().fitting()).isEqualTo(100.0 * 4 * 384 / 2048);
        assertThat(row.fill().waves()).isEqualTo(2.5);
        assertThat(row.fill().empty()).isCloseTo(100.0 / 6, within(1e-9));
        assertThat(row.fill().warps()).isEqualTo(12);
    }

    /** A damaged number asks for more than any device has, however large it is. */
    @ParameterizedTest
    @CsvSource({"144115188075855872, 0", "9223372036854775807, 0", "32, 9223372036854775807", "32, 9223372036854775000"
    })
    void whatAsksForTooMuchDoesNotFit(String registers, String shared) {
        String launch =
                launch(1000, 384, -1, -2).replace(": -1", ": " + registers).replace(": -2", ": " + shared);

        Row row = occupancy(properties(80, 100, 2048, 167936), kernel("k", 0, 9, 7, launch))
                .rows()
                .getFirst();

        assertThat(row.fill().fitting()).isNaN();
        assertThat(row.fill().limit()).isEqualTo(shared.equals("0") ? "registers" : "shared memory");
    }

    /** Of 100 multiprocessors 25 have a block; what runs beside another kernel says nothing of the device. */
    @Test
    void emptyMultiprocessorsCountWhereNothingRunsBeside() {
        KernelOccupancy.Result result = occupancy(
                properties(80, 100, 2048, 167936),
                kernel("small", 0, 40, 7, launch(25, 128, 16, 0)),
                kernel("small", 100, 40, 7, launch(25, 128, 16, 0)),
                kernel("beside", 120, 40, 8, launch(25, 128, 16, 0)),
                kernel("ncclDevKernel_AllReduce", 200, 40, 8, launch(2, 128, 16, 0)));

        assertThat(result.rows().stream().mapToLong(Row::emptyNs).sum()).isEqualTo(30_000);
        assertThat(result.kernelNs()).isEqualTo(160_000);
    }

    @Test
    void recordedZerosThatCannotBeAreMissing() {
        String zero = ", \"est. achieved occupancy %\": 0";
        List<Row> rows = occupancy(
                        properties(90, 132, 2048, 233472),
                        kernel("failed", 0, 9, 7, launch(1320, 384, 168, 231424) + zero),
                        kernel("tiny", 20, 8, 7, launch(1, 32, 16, 0) + zero))
                .rows();

        assertThat(rows.get(0).recorded()).isNaN();
        assertThat(rows.get(0).occupancy()).isEqualTo(18.75);
        assertThat(rows.get(1).recorded()).isZero();
    }

    @Test
    void withoutLimitsTheProfilersEstimateStands() {
        Row row = occupancy(
                        "\"schemaVersion\": 1",
                        kernel("k", 0, 9, 7, launch(100, 128, 16, 0) + ", \"est. achieved occupancy %\": 31"))
                .rows()
                .getFirst();

        assertThat(row.fill().occupancy()).isNaN();
        assertThat(row.occupancy()).isEqualTo(31);
    }

    @ParameterizedTest
    @CsvSource({
        "'sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize64x64x64', MATRIX, bf16",
        "'void cutlass::Kernel2<cutlass_80_tensorop_f16_s16816gemm_relu_f16_128x128_32x5_tn_align8>(X)', MATRIX, fp16",
        "'void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_64x64_32x6_tn_align4>(X)', MATRIX, tf32",
        "'ampere_fp16_s16816gemm_fp16_128x64_ldg8_f2f_tn', MATRIX, fp16",
        "'sm80_xmma_fprop_implicit_gemm_indexed_tf32f32_tf32f32_f32_nhwckrsc_nchw', MATRIX, tf32",
        "'nvjet_hsh_192x192_64x4_1x2_h_bz_coopA_TNT', MATRIX, fp16",
        "'nvjet_tst_192x192_64x4_1x2_h_bz_coopA_TNT', MATRIX, bf16",
        "'volta_sgemm_64x64_tn', VECTOR, fp32",
        "'ampere_sgemm_128x64_nn', VECTOR, fp32",
        "'void cutlass::Kernel<cutlass_80_simt_sgemm_128x64_8x5_nn_align1>(X)', VECTOR, fp32",
        "'Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT256x256x64_MI16x16x1_SN', MATRIX, bf16",
        "'Cijk_Ailk_Bjlk_SB_MT64x64x8_SN', VECTOR,",
        "'void paged_attention_ll4mi_QKV_mfma16_kernel<0, __hip_bfloat16>(X)', MATRIX,",
        "'Cijk_SB_SBH_Bias_HA_S_SAV_PostGSU4_VW4.kd', NONE,",
        "'cask_cudnn::computeWgradSplitKOffsetsKernel(X)', NONE,",
        "'void fbgemm_gpu::permute_2D_lengths_kernel<int>(int)', NONE,",
        "'void at::native::vectorized_elementwise_kernel<4, X>(int)', NONE,",
    })
    void namesTellWhatMultiplies(String name, MatrixUnits.Unit unit, String precision) {
        assertThat(new MatrixUnits().of(name)).isEqualTo(new MatrixUnits.Use(unit, precision));
    }
}
