// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.lockstep.model.Trace;
import dev.lockstep.replay.plan.OperatorRun;
import dev.lockstep.replay.plan.PlannedOperator;
import dev.lockstep.replay.plan.ReplayCoverage;
import dev.lockstep.replay.plan.ReplayExecutor;
import dev.lockstep.replay.plan.ReplayPlan;
import dev.lockstep.replay.plan.ReplayResult;
import dev.lockstep.replay.plan.ReplaySequence;
import dev.lockstep.replay.plan.SequenceRun;
import dev.lockstep.replay.plan.Timing;
import dev.lockstep.replay.reconcile.MeasuredParts;
import dev.lockstep.replay.reconcile.Part;
import dev.lockstep.replay.reconcile.PartsPower;
import dev.lockstep.replay.reconcile.Reconciliation;
import dev.lockstep.replay.reconcile.ReplayResultFile;
import dev.lockstep.replay.reconcile.WholeSources;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Golden case of {@code replay plan}, from the recording to the comparison: two steps of 100 us, each with a linear layer of
 * 20 us that calls a product of 10 us, an addition of 4 us that allocates its result, and a send of 6 us. The linear layer
 * only calls the product, so that it is no operator of the plan; the allocation runs again inside the addition.
 */
class ReplayTest {
    private static final String SHAPES = "\"Input Dims\": [[4,4],[4,4]], \"Input type\": [\"float\",\"float\"],"
            + " \"Concrete Inputs\": [\"\",\"\"]";

    @TempDir
    Path folder;

    private static Trace trace() {
        EventText events = new EventText();
        for (int step = 0; step < 2; step++) {
            long at = step * 200_000L;
            events.annotation("ProfilerStep#" + step, at, 100_000)
                    .op("aten::linear", at + 10_000, 20_000, SHAPES)
                    .op("aten::mm", at + 12_000, 10_000, SHAPES)
                    .op("aten::add", at + 40_000, 4_000, SHAPES)
                    .op("aten::empty", at + 41_000, 1_000, SHAPES)
                    .op("c10d::send", at + 50_000, 6_000);
        }
        return TestTraces.of(events);
    }

    /** Runs nothing: each operator takes so many us. */
    private static final class Fixed implements ReplayExecutor {
        private final Map<String, Long> calls = new HashMap<>();

        @Override
        public OperatorRun run(PlannedOperator operator) {
            String name = operator.call().name();
            long ns = 1_000 * name.length() - 500 * Math.min(2, calls.merge(name, 1L, Long::sum) - 1);
            return new OperatorRun(null, null, name, null, 1, 3, 0, Timing.of(new long[] {ns, ns, ns}), null, null);
        }

        @Override
        public SequenceRun run(ReplaySequence sequence) {
            return new SequenceRun(null, 3, Map.of(), Timing.of(new long[] {50_000}));
        }

        @Override
        public Map<String, String> facts() {
            return Map.of("device", "cpu");
        }

        @Override
        public void close() {}
    }

    @Test
    void aPlanHoldsEachOperatorOnceWithItsCalls() throws IOException {
        Path file = folder.resolve("plan.json");
        Replay.write(Replay.plan(trace()), file);

        assertThat(Files.readString(file)).isEqualTo("""
            {"format": "lockstep-replay-plan", "version": 1,
            "source": {"trace":"trace.json","execution_trace":null,"time_basis":"cpu","unattributed_device_ns":0},
            "steps": {"count":2,"source":"annotation"},
            "coverage": {"calls_percent":75.0,"time_percent":70.0,"calls":8,"calls_inside":2,"calls_covered":6,\
            "time_ns":40000,"time_covered_ns":28000,"gaps":[{"reason":"collective",\
            "meaning":"communication between ranks; a single process has nobody to talk to","calls":2,\
            "time_ns":12000,"operators":{"c10d::send":2}}]},
            "operators": [
            {"id":0,"name":"aten::mm","arguments":[{"tensor":{"shape":[4,4],"dtype":"float32","offset":0,\
            "storage":0,"storage_elements":16}},{"tensor":{"shape":[4,4],"dtype":"float32","offset":0,"storage":1,\
            "storage_elements":16}}],"status":"replay","calls":2,"calls_in_steps":2,"calls_per_step":1.0,\
            "inside_calls":0,"recorded":{"cpu_ns":20000}},
            {"id":1,"name":"aten::add","arguments":[{"tensor":{"shape":[4,4],"dtype":"float32","offset":0,\
            "storage":0,"storage_elements":16}},{"tensor":{"shape":[4,4],"dtype":"float32","offset":0,"storage":1,\
            "storage_elements":16}}],"status":"replay","calls":2,"calls_in_steps":2,"calls_per_step":1.0,\
            "inside_calls":2,"recorded":{"cpu_ns":8000}},
            {"id":2,"name":"c10d::send","arguments":[],"status":"unsupported","reason":"collective","calls":2,\
            "calls_in_steps":2,"calls_per_step":1.0,"inside_calls":0,"recorded":{"cpu_ns":12000}}
            ],
            "containers": [
            {"name":"aten::linear","calls":2}
            ],
            "order": [0,1,2]}
            """);
    }

    @Test
    void plansAndResultsCountTheSameCalls() throws IOException {
        ReplayPlan plan = Replay.plan(trace());
        ReplayCoverage planned = ReplayCoverage.planned(plan);
        ReplayCoverage run =
                Replay.run(plan, new Fixed(), Replay.Mode.ISOLATED, done -> {}).coverage();

        assertThat(run).isEqualTo(planned);
        // product, addition and send twice each; two allocations inside the additions
        assertThat(planned.operatorCalls()).isEqualTo(6);
        assertThat(planned.callsInside()).isEqualTo(2);
        assertThat(planned.calls()).isEqualTo(8);
        assertThat(planned.callsCovered()).isEqualTo(6);
    }

    @Test
    void aResultIsComparedWithItsRecording() throws IOException {
        ReplayPlan plan = Replay.plan(trace());
        ReplayResult result = Replay.run(plan, new Fixed(), Replay.Mode.SEQUENCE, done -> {});
        Path file = folder.resolve("result.json");
        result.write(file);
        MeasuredParts parts = ReplayResultFile.read(file);

        Reconciliation reconciled = Replay.compare(parts, WholeSources.recorded(trace()), PartsPower.NONE);

        assertThat(parts.parts())
                .extracting(Part::name, Part::ns, Part::recordedNs)
                .containsExactly(
                        tuple("aten::mm", 8_000.0, 20_000.0),
                        tuple("aten::add", 9_000.0, 8_000.0),
                        tuple("c10d::send", Double.NaN, 12_000.0));
        assertThat(reconciled.predicted()).isEqualTo(17_000);
        assertThat(reconciled.whole().ns()).isEqualTo(100_000);
        assertThat(reconciled.energy()).isNull();
    }

    @Test
    void ofSeveralRoundsTheLeastDisturbedCounts() throws IOException {
        ReplayPlan plan = Replay.plan(trace());
        ReplayResult result = Replay.runLeastDisturbed(plan, new Fixed(), 3, done -> {});

        assertThat(result.runs())
                .extracting(run -> run.timing() == null ? -1 : run.timing().median())
                .containsExactly(7_000L, 8_000L, -1L);
        assertThat(result.inOrder()).isNotNull();
    }

    @Test
    void aPlanIsReadBackAndExported() throws IOException {
        ReplayPlan plan = Replay.plan(trace());
        Path file = folder.resolve("plan.json");
        Replay.write(plan, file);
        assertThat(Replay.read(file)).isEqualTo(plan);

        Path script = folder.resolve("plan.py");
        Replay.export(plan, Replay.Language.PYTHON, script);
        Path program = Files.createDirectory(folder.resolve("cpp"));
        Replay.export(plan, Replay.Language.CPP, program);

        assertThat(Files.readString(script)).contains("aten::add");
        assertThat(List.of("CMakeLists.txt", "plan.cpp"))
                .allSatisfy(name -> assertThat(program.resolve(name)).exists());
    }
}
