// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.work.OpSummary;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.testkit.TestTraces;
import org.junit.jupiter.api.Test;

class OperatorsWithoutArgumentsTest {
    private static String event(String category, String name, int thread, int ts, int dur, String arguments) {
        return "{\"ph\": \"X\", \"cat\": \"" + category + "\", \"name\": \"" + name + "\", \"pid\": 1, \"tid\": "
                + thread + ", \"ts\": " + ts + ", \"dur\": " + dur + ", \"args\": {" + arguments + "}}";
    }

    private static String launch(int ts, int number, String opArguments) {
        String correlation = "\"correlation\": " + number;
        return String.join(
                ",",
                event("cpu_op", "op", 1, ts, 10, opArguments),
                event("cuda_runtime", "cudaLaunchKernel", 1, ts + 1, 2, correlation),
                event("kernel", "k", 7, ts + 5, 3, correlation + ", \"stream\": 7"));
    }

    @Test
    void aSequenceNumberAloneMakesNoRowOfItsOwn() {
        String events = launch(0, 1, "") + "," + launch(100, 2, "\"Sequence number\": 4");

        OpSummary.Result result = new OpSummary(AnalysisRules.standard(), new OpSummary.Options(false, false, false))
                .run(new DerivedCache(TestTraces.of(events)));

        assertThat(result.byArguments())
                .singleElement()
                .satisfies(row -> assertThat(row.direct().count()).isEqualTo(2));
    }
}
