// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.error.UserException;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Trace;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.execution.ExecutionTraceReader;
import dev.lockstep.replay.plan.ExecutionTracePlan;
import dev.lockstep.replay.plan.KinetoPlan;
import dev.lockstep.replay.plan.OperatorRun;
import dev.lockstep.replay.plan.PlannedOperator;
import dev.lockstep.replay.plan.ReplayCoverage;
import dev.lockstep.replay.plan.ReplayGap;
import dev.lockstep.replay.plan.ReplayPlan;
import dev.lockstep.replay.plan.ReplayResult;
import dev.lockstep.replay.plan.ReplaySequence;
import dev.lockstep.replay.plan.ReplaySettings.Cache;
import dev.lockstep.replay.plan.ReplaySettings.Repeats;
import dev.lockstep.replay.plan.RoundTrip;
import dev.lockstep.replay.plan.SequenceRun;
import dev.lockstep.replay.plan.Timing;
import dev.lockstep.session.Session;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * With libtorch, if its libraries are in the local Maven repository: a first {@code lockstep replay run} or {@code .ci/run
 * replay} fetches them. Structure is checked, never time.
 */
class LibtorchTest {
    private static final String ONE = "\"Input Dims\": [[%s]], \"Input type\": [\"%s\"], \"Concrete Inputs\": [\"\"]";
    private static final long MEMORY = 3L << 30;
    private static final long LIMIT_NS = 120_000_000_000L;

    private static List<String> program = List.of();
    private static String version = "";

    @TempDir
    Path folder;

    @BeforeAll
    static void needsLibraries() throws IOException {
        try {
            Natives natives = Natives.of("cpu");
            if (!natives.arePresent()) {
                skip("libtorch is not in the local Maven repository; .ci/run replay fetches it");
            }
            version = natives.version();
            program = WorkerCommand.of(natives.classPath(said -> {}));
        } catch (UserException e) {
            skip(e.getMessage());
        }
    }

    private static void skip(String why) {
        System.err.println("SKIPPED: LibtorchTest, " + why);
        abort(why);
    }

    private static WorkerSettings settings(String record) {
        return new WorkerSettings("cpu", 1, new Repeats(1, 2, 0, LIMIT_NS), MEMORY / 2, Cache.HOT, record, version);
    }

    private static ReplayResult run(ReplayPlan plan, List<String> started, Repeats repeats) {
        WorkerSettings settings = new WorkerSettings("cpu", 1, repeats, MEMORY / 2, Cache.HOT, null, version);
        try (LibtorchExecutor executor = new LibtorchExecutor(started, settings, MEMORY, () -> false)) {
            return ReplayResult.of(plan, executor, done -> {});
        }
    }

    private static ReplayResult run(ReplayPlan plan) {
        try (LibtorchExecutor executor = new LibtorchExecutor(program, settings(null), MEMORY, () -> false)) {
            return ReplayResult.of(plan, executor, done -> {});
        }
    }

    private static String op(String name, int ts, String arguments) {
        return "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"" + name + "\",\"pid\":1,\"tid\":1,\"ts\":" + ts
                + ",\"dur\":3,\"args\":{" + arguments + "}},\n";
    }

    /** The worker looks for itself, too, whatever it is asked. */
    @Test
    void filesAreNotTouched() throws IOException {
        Path file = folder.resolve("made");
        String arguments = "\"Input Dims\": [[],[],[]], \"Input type\": [\"Scalar\",\"Scalar\",\"Scalar\"],"
                + " \"Concrete Inputs\": [\"" + file + "\",\"True\",\"1000\"]";
        ReplayPlan plan = KinetoPlan.of(new DerivedCache(
                TestTraces.of(op("aten::from_file", 0, arguments) + op("script::define", 20, arguments))));
        try (LibtorchExecutor executor = new LibtorchExecutor(program, settings(null), MEMORY, () -> false)) {
            for (PlannedOperator operator : plan.operators()) {
                assertThat(executor.run(operator).gap()).isEqualTo(ReplayGap.REFUSED);
            }
        }
        assertThat(file).doesNotExist();
    }

    @Test
    void operatorsRunAreReplacedOrSayWhyNot() {
        ReplayPlan plan = KinetoPlan.of(new DerivedCache(TestTraces.of(op(
                        "aten::sum",
                        0,
                        "\"Input Dims\": [[4,6],[],[],[]], \"Input type\": [\"c10::BFloat16\",\"ScalarList\",\"Scalar\",\"\"],"
                                + " \"Concrete Inputs\": [\"\",\"[0]\",\"True\",\"\"]")
                + op(
                        "aten::cudnn_convolution",
                        10,
                        "\"Input Dims\": [[1,2,6,6],[3,2,3,3],[],[],[],[],[],[],[]], \"Input type\": [\"float\",\"float\","
                                + "\"ScalarList\",\"ScalarList\",\"ScalarList\",\"Scalar\",\"Scalar\",\"Scalar\",\"Scalar\"],"
                                + " \"Concrete Inputs\": [\"\",\"\",\"[1, 1]\",\"[1, 1]\",\"[1, 1]\",\"1\",\"False\",\"False\",\"True\"]")
                + op(
                        "aten::view",
                        20,
                        "\"Input Dims\": [[1048576,1048576],[]], \"Input type\": [\"float\",\"ScalarList\"],"
                                + " \"Concrete Inputs\": [\"\",\"[-1]\"]")
                + op("aten::neg", 30, ONE.formatted("1048576,1048576", "float"))
                + op("aten::unheard_of", 40, ONE.formatted("2", "float"))
                + op("aten::mm", 50, ONE.formatted("2", "float"))
                + op("aten::relu", 60, ONE.formatted("", "double"))
                + op("aten::view", 70, "\"Input Dims\": [[4],[]], \"Input type\": [\"float\",\"\"]"))));
        ReplayResult result = run(plan);

        assertThat(result.runs())
                .extracting(OperatorRun::gap)
                .containsExactly(
                        null,
                        null,
                        null,
                        ReplayGap.MEMORY,
                        ReplayGap.NO_SUCH_OPERATOR,
                        ReplayGap.ARGUMENTS,
                        null,
                        ReplayGap.VALUES_MISSING);
        assertThat(result.runs().get(0).schema()).startsWith("aten::sum.dim_IntList(");
        assertThat(result.runs().get(1).substitution()).isEqualTo("run as aten::convolution");
        assertThat(result.runs().get(2).substitution()).startsWith("run without data");
        assertThat(result.runs().get(6).executed()).isEqualTo(2);
        assertThat(result.facts().get("framework")).startsWith("libtorch 2.");
    }

    @Test
    void sharedMemoryAndStridesReachTheOperator() throws IOException {
        java.nio.file.Files.writeString(folder.resolve("et.json"), """
                {"schema": "1.0.1", "nodes": [
                {"name": "aten::set_", "id": 5, "rf_id": 3, "parent": 2, "tid": 1, "op_schema": "",
                 "inputs": [[7,8,4,6,4,"cuda:0"],[9,8,0,3,4,"cuda:0"]], "input_shapes": [[2,3],[3]], "input_types": ["Tensor(float)","Tensor(float)"]},
                {"name": "aten::add_", "id": 6, "rf_id": 4, "parent": 2, "tid": 1, "op_schema": "aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)",
                 "inputs": [[7,8,0,6,4,"cuda:0"],[9,8,0,3,4,"cuda:0"],1], "input_shapes": [[2,3],[3],[]], "input_types": ["Tensor(float)","Tensor(float)","Int"]}
                ]}
                """);
        ReplayPlan plan = ExecutionTracePlan.of(
                ExecutionTraceReader.read(TraceInput.of(folder.resolve("et.json")), new Diagnostics()), null);
        ReplayResult result = run(plan);

        assertThat(result.runs().get(0).gap()).isNull();
        // the framework itself refuses to write into memory that it reads elsewhere: only shared memory shows that
        assertThat(result.runs().get(1).gap()).isEqualTo(ReplayGap.FAILED);
        assertThat(result.runs().get(1).detail()).contains("memory");
    }

    /** The framework says nothing when it cannot write. */
    @Test
    void aTraceThatCannotBeWrittenIsSaid() throws IOException {
        Path nowhere = folder.resolve("no/folder");
        assertThatThrownBy(() -> DemoRecording.make(program, settings(nowhere.toString()), nowhere, () -> false))
                .isInstanceOf(UserException.class)
                .hasMessageStartingWith("recording failed: the profiler could not write all of its trace")
                .extracting(e -> ((UserException) e).hint())
                .isNull();
        ReplayPlan plan =
                KinetoPlan.of(new DerivedCache(TestTraces.of(op("aten::relu", 0, ONE.formatted("4", "float")))));
        try (LibtorchExecutor executor = new LibtorchExecutor(program, settings(null), MEMORY, () -> false)) {
            ReplayResult alone = ReplayResult.of(plan, executor, done -> {});
            assertThat(executor.run(ReplaySequence.of(
                                    alone, nowhere.resolve("p.json").toString()))
                            .failure())
                    .contains("could not write all of its trace");
        }
    }

    @Test
    void aRecordingOfItsOwnIsPlannedAndReplayed() throws IOException {
        DemoRecording.Facts facts = DemoRecording.make(program, settings(folder.toString()), folder, () -> false);
        ReplayPlan plan = plan(folder.resolve(WorkerSettings.TRACE));
        Diagnostics odd = new Diagnostics();
        ReplayPlan inputs = ExecutionTracePlan.of(
                ExecutionTraceReader.read(TraceInput.of(folder.resolve(WorkerSettings.EXECUTION_TRACE)), odd), null);

        assertThat(plan.steps()).isEqualTo(new ReplayPlan.StepCount(5, "annotation"));
        assertThat(odd.problems()).isEmpty();
        assertThat(ReplayCoverage.planned(plan).callsPercent()).isEqualTo(100);
        assertThat(ReplayCoverage.planned(inputs).callsPercent()).isEqualTo(100);
        assertThat(calls(inputs, "aten::addmm"))
                .isEqualTo(calls(plan, "aten::addmm"))
                .isEqualTo(5 * 2 * 4);

        assertThat(plan.order()).hasSize(Math.toIntExact(calls(plan, "") / 5));
        Path profile = folder.resolve("replayed.json");
        ReplayResult result;
        try (LibtorchExecutor executor = new LibtorchExecutor(program, settings(null), MEMORY, () -> false)) {
            ReplayResult alone = ReplayResult.of(plan, executor, done -> {});
            result = alone.with(executor.run(ReplaySequence.of(alone, null)));
            assertThat(executor.run(ReplaySequence.of(alone, profile.toString()))
                            .failure())
                    .isNull();
        }
        RoundTrip trip = RoundTrip.of(result, facts.costPerCall(), facts.running());

        assertThat(result.coverage().callsPercent()).isEqualTo(100);
        assertThat(result.runs()).allMatch(r -> r.executed() == 2 && r.substitution() == null);
        assertThat(facts.running()).isGreaterThan(0).isLessThanOrEqualTo(1);
        assertThat(trip.replayed()).isPositive();
        assertThat(trip.recorded()).isGreaterThan(trip.waited());
        assertThat(trip.recorded() - trip.waited() - trip.profiler() - trip.surroundings() - trip.unexplained())
                .isEqualTo(trip.replayed());
        SequenceRun inOrder = Objects.requireNonNull(result.inOrder());
        assertThat(inOrder.operators()).hasSameSizeAs(plan.operators());
        assertThat(inOrder.operators().get(plan.order().getFirst()).runs()).isGreaterThanOrEqualTo(inOrder.passes());
        ReplayPlan again = plan(profile);
        assertThat(again.steps().count()).isPositive();
        assertThat(calls(again, "aten::addmm") / again.steps().count()).isEqualTo(2 * 4);
    }

    @Test
    void windowsAreAsLongAsAskedForUnlessTimeIsUp() {
        ReplayPlan plan = KinetoPlan.of(new DerivedCache(TestTraces.of(
                op("aten::relu", 0, ONE.formatted("8", "float")) + op("aten::neg", 10, ONE.formatted("8", "float")))));
        long window = 150_000_000;
        for (OperatorRun run :
                run(plan, program, new Repeats(-1, 0, window, LIMIT_NS)).runs()) {
            Timing host = Objects.requireNonNull(run.host());
            assertThat(length(run)).isGreaterThanOrEqualTo(window);
            assertThat(run.executed()).isGreaterThan(30).isGreaterThanOrEqualTo(host.runs());
            assertThat(host.median() * run.executed()).isLessThan(10 * length(run));
        }
        long limit = 2_000_000_000;
        OperatorRun cut = cutAfter(plan, limit);
        while (cut.gap() == ReplayGap.TIMED_OUT && limit < LIMIT_NS) { // a busy machine did not even begin
            limit *= 2;
            cut = cutAfter(plan, limit);
        }
        assertThat(cut.gap()).isNull(); // what was measured is told
        assertThat(cut.executed()).isLessThan(Integer.MAX_VALUE);
    }

    private OperatorRun cutAfter(ReplayPlan plan, long limit) {
        return run(plan, program, new Repeats(1, Integer.MAX_VALUE, 0, limit))
                .runs()
                .getFirst();
    }

    private static long length(OperatorRun run) {
        OperatorRun.Window window = Objects.requireNonNull(run.window());
        return window.endNs() - window.startNs();
    }

    @Test
    void aFirstStartUnpacksLibrariesThatNeedEachOther() {
        ReplayPlan plan =
                KinetoPlan.of(new DerivedCache(TestTraces.of(op("aten::relu", 0, ONE.formatted("8", "float")))));
        List<String> fresh = new ArrayList<>(program);
        fresh.add(1, "-Dorg.bytedeco.javacpp.cachedir=" + folder);

        assertThat(run(plan, fresh, new Repeats(1, 1, 0, LIMIT_NS))
                        .runs()
                        .getFirst()
                        .gap())
                .isNull();
    }

    @Test
    void whatOnlyDevicesHaveIsReplaced() {
        ReplayResult result = run(KinetoPlan.of(new DerivedCache(TestTraces.of(op(
                        "aten::empty",
                        0,
                        "\"Input Dims\": [[],[],[],[],[],[]],"
                                + " \"Input type\": [\"ScalarList\",\"Scalar\",\"Scalar\",\"\",\"Scalar\",\"\"],"
                                + " \"Concrete Inputs\": [\"[4]\",\"6\",\"0\",\"\",\"True\",\"\"]")
                + op(
                        "aten::to",
                        10,
                        "\"Input Dims\": [[4],[],[],[],[],[]],"
                                + " \"Input type\": [\"float\",\"\",\"Scalar\",\"Scalar\",\"Scalar\",\"\"],"
                                + " \"Concrete Inputs\": [\"\",\"\",\"15\",\"False\",\"False\",\"\"]")))));

        assertThat(result.runs()).extracting(OperatorRun::gap).containsExactly(null, null);
        assertThat(result.runs().get(0).substitution()).isEqualTo("run in memory that is not pinned");
        assertThat(result.runs().get(1).schema()).startsWith("aten::to.device(");
    }

    private static ReplayPlan plan(Path file) throws IOException {
        try (Session session = new Session(1)) {
            Trace trace = session.read(TraceInput.of(file), bytes -> {}).getFirst();
            return KinetoPlan.of(new DerivedCache(trace));
        }
    }

    /** Calls of a name, or of all. */
    private static long calls(ReplayPlan plan, String name) {
        return plan.operators().stream()
                .filter(o -> name.isEmpty() || o.call().name().equals(name))
                .mapToLong(o -> o.counts().calls())
                .sum();
    }
}
