// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

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
        return new OperatorRun(null, null, "s", null, 1, samples.length, 0, Timing.of(samples), null, null);
    }

    @Test
    void sumsAreMediansTimesCallsOfWhatRan() throws IOException {
        Answers answers = new Answers(ran(30, 10, 20));
        ReplayResult result = ReplayResult.of(PlanFileTest.plan(), answers, done -> {});

        assertThat(answers.asked).containsExactly("aten::x");
        assertThat(result.sums()).isEqualTo(new ReplayResult.Sums(9 * 20, 100, 200, -1));
        assertThat(result.coverage().callsPercent()).isEqualTo(100.0 * 12 / 13);
        assertThat(result.coverage().timePercent()).isEqualTo(100);
        result.write(folder.resolve("r.json"));
        assertThat(Files.readString(folder.resolve("r.json")))
                .contains("\"coverage\": {\"calls_percent\":92.3", "\"time_percent\":100.0")
                .contains("\"reason\":\"collective\"", "\"c10d::send\":1")
                .contains("\"executed\":3", "\"median_ns\":20", "\"total_ns\":180");
    }

    @Test
    void operatorsOfOneNameAreToldApart() throws IOException {
        ReplayResult.of(PlanFileTest.plan(), new Answers(ran(20)), done -> {}).write(folder.resolve("r.json"));
        String text = Files.readString(folder.resolve("r.json"));

        assertThat(text)
                .contains("\"steps_source\": \"annotation\"")
                .contains("\"shapes\":[[2,3],[[],null],null,null,null,null,null,null,null,null]")
                .contains("\"types\":[\"bfloat16\",[\"int64\",null],null,")
                .contains("\"values\":[null,null,-9223372036854775808,1.0,{\"real\":\"nan\"},");
        assertThat(PlanFileTest.plan().operators().getFirst().call().shapes()).isEqualTo("[2,3] []");
    }

    @Test
    void anExecutorThatGivesUpLeavesTheRestNotRun() {
        ReplayResult result = ReplayResult.of(PlanFileTest.plan(), new Answers(), done -> {});

        assertThat(result.runs()).extracting(OperatorRun::gap).containsExactly(ReplayGap.NOT_RUN, ReplayGap.COLLECTIVE);
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
                29,
                Timing.of(new long[] {5, 6, 9}),
                Timing.of(new long[] {3, 4, 5}),
                new OperatorRun.Window(7, 19));

        assertThat(OperatorRun.read(run.line())).isEqualTo(run);
        OperatorRun failed = OperatorRun.failed(ReplayGap.CRASHED, "signal 11");
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
    void inOrderCountsWhatRanSoAndTheRestAlone() throws IOException {
        ReplayResult alone = ReplayResult.of(PlanFileTest.plan(), new Answers(ran(20)), done -> {});
        Timing step = Timing.of(new long[] {99});
        ReplayResult result = alone.with(new SequenceRun(null, 4, Map.of(0, Timing.of(new long[] {23})), step));
        result.write(folder.resolve("r.json"));

        assertThat(result.sums().inOrder()).isEqualTo(9 * 23);
        assertThat(alone.with(new SequenceRun(null, 4, Map.of(), step)).sums().inOrder())
                .isEqualTo(9 * 20);
        assertThat(alone.with(SequenceRun.failed("signal 11")).sums().inOrder()).isEqualTo(-1);
        assertThat(Files.readString(folder.resolve("r.json")))
                .contains("\"in_order_ns\":207", "\"in_order\": {\"calls\":3,\"passes\":4,\"step\":{")
                .contains("\"in_order\":{\"runs\":1,\"median_ns\":23");
    }

    @Test
    void aSequenceIsWhatRanAsAStepCallsIt() throws IOException {
        ReplayResult result = ReplayResult.of(PlanFileTest.plan(), new Answers(ran(20)), done -> {});
        ReplaySequence sequence = ReplaySequence.of(result, "t.json");

        assertThat(sequence.order()).containsExactly(0, 0); // the collective did not run
        assertThat(sequence.operators()).extracting(PlannedOperator::id).containsExactly(0);
        ReplaySequence read = ReplaySequence.read(sequence.line());
        assertThat(read.order()).isEqualTo(sequence.order());
        assertThat(read.profile()).isEqualTo("t.json");
        assertThat(read.operators().getFirst().call())
                .isEqualTo(sequence.operators().getFirst().call());
    }

    @Test
    void sequenceRunsSurviveTheirLines() throws IOException {
        SequenceRun run = new SequenceRun(null, 3, Map.of(7, Timing.of(new long[] {1, 2})), Timing.of(new long[] {8}));

        assertThat(SequenceRun.read(run.line())).isEqualTo(run);
        assertThat(SequenceRun.read(SequenceRun.failed("signal 11").line())).isEqualTo(SequenceRun.failed("signal 11"));
    }

    @Test
    void aRoundTripSplitsTheGapByCause() throws IOException {
        ReplayResult alone = ReplayResult.of(PlanFileTest.plan(), new Answers(ran(6)), done -> {});
        RoundTrip trip =
                RoundTrip.of(alone.with(new SequenceRun(null, 4, Map.of(0, Timing.of(new long[] {7})), null)), 1, 0.6);
        trip.write(folder.resolve("t.json"));

        assertThat(trip.recorded()).isEqualTo(100);
        assertThat(trip.waited()).isEqualTo(40);
        assertThat(trip.profiler()).isEqualTo(12);
        assertThat(trip.surroundings()).isEqualTo(9 * 7 - 9 * 6);
        assertThat(trip.replayed()).isEqualTo(9 * 6);
        assertThat(trip.unexplained()).isEqualTo(100 - 40 - 12 - 9 - 54);
        assertThat(trip.differencePercent()).isEqualTo(-10);
        assertThat(trip.operators())
                .containsExactly(
                        new RoundTrip.Operator(PlanFileTest.plan().operators().getFirst(), 9, 60, 63, 54));
        assertThat(dev.lockstep.codec.Json.parse(Files.readString(folder.resolve("t.json"))))
                .isInstanceOfSatisfying(dev.lockstep.codec.Json.Members.class, document -> {
                    assertThat(document.whole("unexplained_ns", 0)).isEqualTo(-15);
                    assertThat(document.items("operators")).hasSize(1);
                });
    }

    @Test
    void withoutASequenceSurroundingsAreNotKnown() {
        ReplayResult alone = ReplayResult.of(PlanFileTest.plan(), new Answers(ran(6)), done -> {});
        RoundTrip trip = RoundTrip.of(alone, 0, 2);

        assertThat(trip.surroundings()).isZero();
        assertThat(trip.waited()).isZero(); // a clock that counts too much must not give time back
        assertThat(trip.operators().getFirst().inOrder()).isEqualTo(-1);
    }
}
