// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.Trace;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KernelRulesTest {
    private static KernelClass classOf(KernelRules rules, String category, String name) {
        Trace trace = TestTraces.of(new EventText().device(category, name, 0, 1, 1, 7, ""));
        return new DerivedCache(trace).get(new DeviceActivity.Key(rules, null)).classOf(0);
    }

    @ParameterizedTest
    @CsvSource({
        "kernel, ampere_sgemm_128x64_nn, COMPUTE",
        "kernel, ncclDevKernel_AllReduce_Sum_f32_RING_LL, COMMUNICATION",
        "kernel, void vllm::cross_device_reduce_1stage<float>, COMMUNICATION",
        "kernel, void deep_ep::dispatch, COMMUNICATION",
        "kernel, my_AllGather_kernel, COMMUNICATION",
        "kernel, oneShotAllReduceKernel, COMMUNICATION",
        "kernel, multimem_all_reduce_kernel, COMMUNICATION",
        "kernel, userbuffers_fp16_sum_inplace_gpu_rr_rs_oop<4>, COMMUNICATION",
        "kernel, kuserbuffers_pushsend, COMMUNICATION",
        "kernel, triton_poi_fused_all_reduce_0, COMPUTE",
        "kernel, triton_poi_fused_all_reduce_lift_fresh_0.kd, COMPUTE",
        "kernel, triton_red_fused__to_copy_reduce_scatter_tensor_1, COMPUTE",
        "kernel, triton_split_scan_fused_all_gather_into_tensor_wait_tensor_3, COMPUTE",
        "kernel, triton_all_reduce_kernel, COMMUNICATION",
        "kernel, permute_all_to_all_layout, COMPUTE",
        "kernel, all_gather_copy_in_kernel, COMPUTE",
        "kernel, all_to_all_unpack, COMPUTE",
        "kernel, ncclDevKernel_AllGather_unpack, COMMUNICATION",
        "kernel, __amd_rocclr_fillBufferAligned.kd, MEMORY",
        "kernel, __amd_rocclr_copyBuffer.kd, MEMORY",
        "kernel, Memcpy HtoD, MEMORY",
        "gpu_memcpy, anything, MEMORY",
        "gpu_memset, Memset (Device), MEMORY",
        "kernel, Context Sync, OTHER",
        "kernel, runFunction, OTHER",
        "mtia_ccp_events, some_kernel, COMPUTE"
    })
    void standardRulesKnowTheVendorsNames(String category, String name, KernelClass wanted) {
        assertThat(classOf(KernelRules.standard(), category, name)).isEqualTo(wanted);
    }

    @Test
    void firstRuleThatMatchesWins() {
        KernelRules rules = new KernelRules("# comment\n\nOTHER kernel ^special\nMEMORY * special\n");
        assertThat(classOf(rules, "kernel", "special one")).isEqualTo(KernelClass.OTHER);
        assertThat(classOf(rules, "kernel", "a special one")).isEqualTo(KernelClass.MEMORY);
        assertThat(classOf(rules, "gpu_memcpy", "special")).isEqualTo(KernelClass.MEMORY);
        assertThat(classOf(rules, "kernel", "plain")).isEqualTo(KernelClass.COMPUTE);
    }
}
