// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.kernels.UniqueKernels.Result;
import dev.lockstep.kernels.UniqueKernels.Selection;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Trace;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.execution.ExecutionTrace;
import dev.lockstep.read.execution.ExecutionTraceReader;
import dev.lockstep.replay.plan.ExecutedWork.Counts;
import dev.lockstep.replay.plan.ExecutionTracePlan;
import dev.lockstep.session.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Recorded execution traces are sought at {@code -Dlockstep.shared}, else at {@code ../shared} of the checkout. */
class SharedExecutionTracesTest {
    private static Path data(String name) {
        String named = System.getProperty("lockstep.shared");
        Path shared =
                named != null ? Path.of(named) : Path.of(System.getProperty("basedir", "."), "..", "..", "shared");
        Path file = shared.resolve("data/et").resolve(name).toAbsolutePath().normalize();
        assumeTrue(Files.exists(file), () -> "no execution trace at " + file);
        return file;
    }

    private static ExecutionTrace read(String name) throws IOException {
        return ExecutionTraceReader.read(TraceInput.of(data(name)), new Diagnostics());
    }

    private static Result operators(ExecutionTrace trace) {
        Selection selection =
                new Selection(KeyField.standard(), Set.of(), List.of(), null, 0, KernelCategories.operators());
        return ExecutedKernels.of(trace, selection).result();
    }

    /** Counted anew from the files by a script of a few lines. */
    @ParameterizedTest
    @CsvSource({
        "linear_et.json.gz, 344, 130, 457, 0, 41, 21, 0",
        "resnet_1gpu_et.json.gz, 5316, 4053, 4971, 51, 6, 3, 3"
    })
    void everyCallIsCountedOnceAndAsInThePlan(
            String name, long work, long inside, long containers, long marks, long mm, long addmm, int steps)
            throws IOException {
        ExecutionTrace trace = read(name);
        Result result = operators(trace);

        assertThat(result.content().executed().nodes()).isEqualTo(new Counts(work, inside, containers, marks));
        assertThat(work + inside + containers + marks).isEqualTo(trace.nodes().size());
        assertThat(result.calls())
                .isEqualTo(work)
                .isEqualTo(ExecutionTracePlan.of(trace, null).operators().stream()
                        .mapToLong(o -> o.counts().calls())
                        .sum());
        assertThat(calls(result, "aten::mm")).isEqualTo(mm);
        assertThat(calls(result, "aten::addmm")).isEqualTo(addmm);
        assertThat(result.steps()).isEqualTo(steps);
        assertThat(result.kernels()).noneMatch(k -> k.category().equals("other"));
        assertThat(result.kernels().stream()
                        .filter(k -> !k.identity().name().equals("record_param_comms"))
                        .flatMap(k -> k.places().stream()))
                .allMatch(p -> p.device().equals("cuda:0"));
    }

    private static long calls(Result result, String name) {
        return result.kernels().stream()
                .filter(k -> k.identity().name().equals(name))
                .mapToLong(UniqueKernel::calls)
                .sum();
    }

    @Test
    void kernelsOfAllRepetitionsGetTheShapesOfTheRecordedOne() throws IOException {
        ExecutionTrace executed = read("linear_et.json.gz");
        try (Session session = new Session(1)) {
            Trace trace = session.readAlone(TraceInput.of(data("linear_kineto.json.gz")))
                    .getFirst();
            Result result = new UniqueKernels(AnalysisRules.standard(), Selection.standard(), executed)
                    .run(new DerivedCache(trace));

            Content.Joined joined = result.content().joined();
            assertThat(joined.found()).isEqualTo(860);
            assertThat(joined.operators()).isEqualTo(39 * 860);
            assertThat(joined.launched()).isEqualTo(10_356);
            assertThat(joined.withInputs()).isEqualTo(10_179);
            assertThat(result.calls()).isEqualTo(10_356);
        }
    }
}
