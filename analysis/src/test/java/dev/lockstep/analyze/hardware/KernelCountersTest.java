// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.hardware;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.hardware.KernelCounters.Row;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import org.junit.jupiter.api.Test;

class KernelCountersTest {
    private static EventText range(EventText events, String kernel, long ts, String counters) {
        return events.complete("cuda_profiler_range", kernel, "0", "0", ts, 1_000, counters);
    }

    /** Two matrix products and an addition; a call of the runtime that launches nothing, an operator that does not, either. */
    private static EventText recording() {
        EventText events = new EventText();
        for (int i = 0; i < 2; i++) {
            long ts = 10_000L * i;
            events.op("aten::linear", ts, 9_000).op("aten::mm", ts + 1_000, 7_000);
            events.call("cudaLaunchKernel", ts + 2_000, 100, i + 1);
        }
        events.op("aten::empty", 21_000, 100).call("cudaMalloc", 22_000, 100, 9);
        events.call("cuLaunchKernelEx", 30_000, 100, 3);
        range(events, "gemm", 100_000, "\"dram__bytes.sum\": 100, \"sm__throughput\": 80.5");
        range(events, "gemm", 102_000, "\"dram__bytes.sum\": 300, \"sm__throughput\": 70.5");
        return range(events, "add", 104_000, "\"dram__bytes.sum\": 1000, \"note\": \"text\"");
    }

    private static KernelCounters.Result run(EventText events) {
        return new KernelCounters(AnalysisRules.standard()).run(new DerivedCache(TestTraces.of(events)));
    }

    @Test
    void rangesBelongToLaunchesInTheirOrder() {
        KernelCounters.Result result = run(recording());

        assertThat(result.isMatched()).isTrue();
        assertThat(result.rows())
                .extracting(Row::counter, Row::kernel, Row::operator, Row::sum)
                .containsExactly(
                        tuple("dram__bytes.sum", "add", "", 1000.0),
                        tuple("dram__bytes.sum", "gemm", "aten::mm", 400.0),
                        tuple("sm__throughput", "gemm", "aten::mm", 151.0));
        Row products = result.rows().get(1);
        assertThat(products.values().count()).isEqualTo(2);
        assertThat(products.values().min()).isEqualTo(100);
        assertThat(products.values().max()).isEqualTo(300);
    }

    @Test
    void withOtherNumbersOfLaunchesOperatorsAreNotKnown() {
        KernelCounters.Result result = run(recording().call("cudaLaunchKernel", 40_000, 100, 4));

        assertThat(result.isMatched()).isFalse();
        assertThat(result.ranges()).isEqualTo(3);
        assertThat(result.launches()).isEqualTo(4);
        assertThat(result.rows()).extracting(Row::operator).containsOnly("");
    }

    @Test
    void aTraceWithoutSuchCountersHasNoSheet() {
        KernelCounters.Result result = run(new EventText().op("aten::mm", 0, 10));

        assertThat(result.tables()).isEmpty();
        assertThat(result.notApplicable()).contains("nothing was counted");
    }
}
