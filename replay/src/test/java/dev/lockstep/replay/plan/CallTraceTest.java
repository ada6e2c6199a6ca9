// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.Trace;
import dev.lockstep.read.TraceInput;
import dev.lockstep.session.Session;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CallTraceTest {
    @TempDir
    Path folder;

    @Test
    void whatWasWrittenIsPlannedAsItWasCalled() throws IOException {
        TensorSpec matrix =
                new TensorSpec(List.of(4L, 6L), ElementType.BFLOAT16, false, List.of(1L, 4L), 0, 0, 24, null);
        List<Argument> arguments = List.of(
                new Argument.Tensor(matrix),
                new Argument.Values(List.of(new Argument.Whole(0))),
                new Argument.Truth(true),
                Argument.NONE);
        CallTrace written = new CallTrace();
        for (int i = 0; i < 2; i++) {
            written.call("aten::sum", arguments, 5_000 + 100_000 * i, 8_500 + 100_000 * i);
            written.call(
                    "aten::add",
                    List.of(new Argument.Tensor(matrix), new Argument.Tensor(matrix), new Argument.Real(0.5)),
                    10_000 + 100_000 * i,
                    12_000 + 100_000 * i);
            written.step(i, 4_000 + 100_000 * i, 20_000 + 100_000 * i);
        }
        Path file = folder.resolve("trace.json");
        written.write(file);

        ReplayPlan plan = plan(file);

        assertThat(plan.steps().count()).isEqualTo(2);
        assertThat(plan.operators()).hasSize(2);
        PlannedOperator sum = plan.operators().getFirst();
        assertThat(sum.call().name()).isEqualTo("aten::sum");
        assertThat(sum.counts().calls()).isEqualTo(2);
        assertThat(sum.recorded().cpuNs()).isEqualTo(7_000);
        assertThat(sum.call().arguments()).hasSize(4).endsWith(arguments.get(1), arguments.get(2), Argument.NONE);
        assertThat(Argument.tensors(sum.call().arguments()))
                .extracting(TensorSpec::shape, TensorSpec::type, TensorSpec::strides)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(matrix.shape(), ElementType.BFLOAT16, List.of(1L, 4L)));
        assertThat(plan.operators().getLast().call().arguments()).last().isEqualTo(new Argument.Real(0.5));
    }

    private static ReplayPlan plan(Path file) throws IOException {
        try (Session session = new Session(1)) {
            Trace trace = session.read(TraceInput.of(file), bytes -> {}).getFirst();
            return KinetoPlan.of(new DerivedCache(trace));
        }
    }
}
