// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.replay.plan.OperatorRun;
import dev.lockstep.replay.plan.PlannedOperator;
import dev.lockstep.replay.plan.PlannedOperator.Call;
import dev.lockstep.replay.plan.PlannedOperator.Counts;
import dev.lockstep.replay.plan.PlannedOperator.Recorded;
import dev.lockstep.replay.plan.ReplayGap;
import dev.lockstep.replay.plan.ReplayPlan;
import dev.lockstep.replay.plan.ReplayPlan.Source;
import dev.lockstep.replay.plan.ReplayPlan.StepCount;
import dev.lockstep.replay.plan.ReplayPlan.TimeBasis;
import dev.lockstep.replay.plan.ReplayResult;
import dev.lockstep.replay.plan.ReplaySequence;
import dev.lockstep.replay.plan.ReplaySettings.Cache;
import dev.lockstep.replay.plan.ReplaySettings.Repeats;
import dev.lockstep.replay.plan.SequenceRun;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a worker that has no libtorch. */
class LibtorchExecutorTest {
    private static final long SECONDS = 60;
    private static final long MEMORY = 4L << 30;

    private final AtomicBoolean stop = new AtomicBoolean();

    private LibtorchExecutor executor(String device, long seconds, long memory) {
        return executor(device, seconds, memory, null);
    }

    /** @param once where a worker notes that it started: none starts after that; null for no such thing */
    private LibtorchExecutor executor(String device, long seconds, long memory, @Nullable String once) {
        return new LibtorchExecutor(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx768m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FakeWorker.class.getName()),
                new WorkerSettings(device, 1, Repeats.chosen(seconds * 1_000_000_000), MEMORY, Cache.HOT, once, "0.1"),
                memory,
                stop::get);
    }

    private static PlannedOperator operator(String name) {
        return operator(0, name);
    }

    private static PlannedOperator operator(int id, String name) {
        return new PlannedOperator(
                id,
                new Call("test::" + name, null, List.of()),
                null,
                null,
                new Counts(1, 0, 0),
                new Recorded(-1, -1, List.of()));
    }

    @Test
    void aWorkerThatEndsIsReplacedAndTheNextOperatorRuns() throws IOException {
        try (LibtorchExecutor executor = executor("cpu", SECONDS, MEMORY)) {
            assertThat(executor.run(operator("a")).executed()).isEqualTo(2);
            OperatorRun ended = executor.run(operator("end"));
            assertThat(ended.gap()).isEqualTo(ReplayGap.CRASHED);
            assertThat(ended.detail()).contains("exit status 7").contains("libnative.so+0x12");
            assertThat(executor.run(operator("refuse")).gap()).isEqualTo(ReplayGap.FAILED);
            OperatorRun fault = executor.run(operator("fault"));
            assertThat(fault.gap()).isEqualTo(ReplayGap.CRASHED);
            assertThat(fault.detail()).contains("signal 11");
            assertThat(executor.run(operator("b")).gap()).isNull();
            assertThat(executor.facts()).containsEntry("worker_restarts", "2").containsEntry("framework", "fake 0.1");
        }
    }

    @Test
    void aSequenceThatEndsTheWorkerSaysSoAndTheNextOneRuns() throws IOException {
        try (LibtorchExecutor executor = executor("cpu", SECONDS, MEMORY)) {
            ReplaySequence fatal = new ReplaySequence(List.of(operator("a"), operator("fault")), List.of(0, 0), null);
            assertThat(executor.run(fatal).failure()).contains("signal 11");
            SequenceRun run = executor.run(new ReplaySequence(List.of(operator("a")), List.of(0), null));
            assertThat(run.failure()).isNull();
            assertThat(run.operators()).containsOnlyKeys(0);
        }
    }

    @Test
    void oneThatHangsIsEnded() throws IOException {
        try (LibtorchExecutor executor = executor("cpu", 4, MEMORY)) {
            assertThat(executor.run(operator("hang")).gap()).isEqualTo(ReplayGap.TIMED_OUT);
            assertThat(executor.run(operator("a")).gap()).isNull();
        }
    }

    @Test
    void oneThatGrowsTooLargeIsEnded() throws IOException {
        try (LibtorchExecutor executor = executor("cpu", SECONDS, 300L << 20)) {
            assertThat(executor.run(operator("grow")).gap()).isEqualTo(ReplayGap.MEMORY);
            assertThat(executor.run(operator("a")).gap()).isNull();
        }
    }

    @Test
    void oneThatDoesNotStartIsAnErrorWithItsLastWords() {
        try (LibtorchExecutor executor = executor("cuda", SECONDS, MEMORY)) {
            assertThatThrownBy(() -> executor.run(operator("a"))).isInstanceOfSatisfying(UserException.class, e -> {
                assertThat(e.code()).isEqualTo(ErrorCode.TOOL_FAILED);
                assertThat(e.hint()).contains("no such device");
            });
        }
    }

    @Test
    void aLimitBelowWhatTheProcessItselfHoldsIsRefused() {
        try (LibtorchExecutor executor = executor("cpu", SECONDS, 1L << 20)) {
            assertThatThrownBy(() -> executor.run(operator("a"))).isInstanceOfSatisfying(UserException.class, e -> {
                assertThat(e.code()).isEqualTo(ErrorCode.OPTION_INVALID);
                assertThat(e.setting()).isEqualTo("memory limit");
            });
        }
    }

    @Test
    void oneThatDoesNotStartAgainLeavesWhatRan(@TempDir Path folder) throws IOException {
        ReplayPlan plan = new ReplayPlan(
                new Source(null, null, -1, TimeBasis.NONE),
                new StepCount(0, "none"),
                List.of(operator(0, "a"), operator(1, "fault"), operator(2, "b")),
                List.of(),
                0,
                List.of());
        try (LibtorchExecutor executor =
                executor("cpu", SECONDS, MEMORY, folder.resolve("started").toString())) {
            ReplayResult result = ReplayResult.of(plan, executor, done -> {});

            assertThat(result.runs())
                    .extracting(OperatorRun::gap)
                    .containsExactly(null, ReplayGap.CRASHED, ReplayGap.NOT_RUN);
            assertThat(result.runs().get(2).detail()).contains("did not start");
        }
    }

    @Test
    void aRunThatIsStoppedEndsItsWorker() {
        Set<Long> before = children();
        try (LibtorchExecutor executor = executor("cpu", SECONDS, MEMORY)) {
            Thread.ofVirtual().start(() -> {
                while (children().equals(before)) {
                    Thread.onSpinWait();
                }
                stop.set(true);
            });
            assertThatThrownBy(() -> executor.run(operator("hang"))).isInstanceOf(InterruptedIOException.class);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(children()).isEqualTo(before);
        }
    }

    private static Set<Long> children() {
        return ProcessHandle.current()
                .children()
                .filter(ProcessHandle::isAlive)
                .map(ProcessHandle::pid)
                .collect(Collectors.toSet());
    }

    @Test
    void settingsSurviveACommandLine() {
        WorkerSettings settings =
                new WorkerSettings("cuda", 3, new Repeats(4, 5, 7, 8), 6, Cache.ROTATED, "folder", "2.10");

        assertThat(WorkerSettings.parse(settings.words().toArray(String[]::new)))
                .isEqualTo(settings);
    }
}
