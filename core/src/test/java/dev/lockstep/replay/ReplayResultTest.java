// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplayResultTest {
    @TempDir
    Path folder;

    /** Answers with what it was given, then fails. */
    private static final class Answers implements ReplayExecutor {
        private final List<OperatorRun> answers;
        private final List<String> asked = new ArrayList<>();

        private Answers(OperatorRun... answers) {
            this.answers = new ArrayList<>(List.of(answers));
        }

        @Override
        public OperatorRun run(PlannedOperator operator) throws IOException {
            asked.add(operator.call().name());
            if (answers.isEmpty()) {
                throw new IOException("no more");
            }
            return answers.removeFirst();
        }

        @Override
        public Map<String, String> facts() {
            return Map.of("framework", "none");
        }

        @Override
        public void close() {}
    }

    private static OperatorRun ran(long... samples) {
        return new OperatorRun(null, null, "s", null, 1, samples.length, Timing.of(samples), null, null);
    }

    @Test
    void sumsAreMediansTimesCallsOfWhatRan() throws IOException {
        Answers answers = new Answers(ran(30, 10, 20));
        ReplayResult result = ReplayResult.of(PlanFileTest.plan(), answers, done -> {});

        assertThat(answers.asked).containsExactly("aten::x");
        assertThat(result.sums()).isEqualTo(new ReplayResult.Sums(9 * 20, 100, 200));
        assertThat(result.coverage().callsPercent()).isEqualTo(100.0 * 12 / 13);
        assertThat(result.coverage().timePercent()).isEqualTo(100);
        result.write(folder.resolve("r.json"));
        assertThat(Files.readString(folder.resolve("r.json")))
                .contains("\"coverage\": {\"calls_percent\":92.3", "\"time_percent\":100.0")
                .contains("\"reason\":\"collective\"", "\"c10d::send\":1")
                .contains("\"executed\":3", "\"median_ns\":20", "\"total_ns\":180");
    }

    @Test
    void anExecutorThatGivesUpLeavesTheRestNotRun() {
        ReplayResult result = ReplayResult.of(PlanFileTest.plan(), new Answers(), done -> {});

        assertThat(result.runs()).extracting(OperatorRun::gap).containsExactly(Gap.NOT_RUN, Gap.COLLECTIVE);
        assertThat(result.coverage().callsPercent()).isZero();
    }

    @Test
    void runsSurviveTheirLines() throws IOException {
        OperatorRun run = new OperatorRun(
                null,
                null,
                "schema",
                "run as b",
                5,
                30,
                Timing.of(new long[] {5, 6, 9}),
                null,
                new OperatorRun.Window(7, 19));

        assertThat(OperatorRun.read(run.line())).isEqualTo(run);
        OperatorRun failed = OperatorRun.failed(Gap.CRASHED, "signal 11");
        assertThat(OperatorRun.read(failed.line())).isEqualTo(failed);
    }

    @Test
    void figuresOfSamples() {
        Timing timing = Timing.of(new long[] {50, 10, 40, 20, 30, 1000, 60, 70, 80, 90});

        assertThat(timing).isEqualTo(new Timing(10, 50, 10, 10, 90, 20));
        assertThat(timing.isNoisy()).isTrue();
        assertThat(Timing.of(new long[] {7})).isEqualTo(new Timing(1, 7, 7, 7, 7, 0));
        assertThat(Timing.of(new long[] {10, 10, 11}).isNoisy()).isFalse();
    }

    @Test
    void aRoundTripSaysWhatTheProfilerCost() {
        ReplayResult result = ReplayResult.of(PlanFileTest.plan(), new Answers(ran(10)), done -> {});
        RoundTrip trip = RoundTrip.of(result, 2, 0.8);

        assertThat(trip.recorded()).isEqualTo(100);
        assertThat(trip.replayed()).isEqualTo(90);
        assertThat(trip.differencePercent()).isEqualTo(-10);
        assertThat(trip.profiler()).isEqualTo(2 * 12);
        assertThat(trip.unexplained()).isEqualTo(100 - 24 - 90);
    }
}
