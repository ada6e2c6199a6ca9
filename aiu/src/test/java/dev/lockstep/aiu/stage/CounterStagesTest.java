// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import static dev.lockstep.aiu.stage.StageEvents.counted;
import static dev.lockstep.aiu.stage.StageEvents.mapped;
import static dev.lockstep.aiu.stage.StageEvents.phase;
import static dev.lockstep.aiu.stage.StageEvents.x;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuName;
import dev.lockstep.aiu.pipeline.AiuOption;
import dev.lockstep.aiu.pipeline.AiuOptions;
import dev.lockstep.aiu.pipeline.AiuRules;
import dev.lockstep.aiu.pipeline.Args;
import dev.lockstep.aiu.pipeline.Stage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Power, bandwidth, queues, and how well the arrays are used. */
class CounterStagesTest {
    private final StageEvents stages = new StageEvents();

    private static AiuEvent charged(AiuEvent event, long charge) {
        if (event.device != null) {
            event.device.power = charge;
        }
        return event;
    }

    private List<String> counters(List<Stage> of, AiuEvent... events) {
        return stages.through(of, events).stream()
                .filter(line -> line.startsWith("C"))
                .toList();
    }

    private static List<Stage> power(AiuOptions.Builder options, String counter) {
        AiuOptions built = options.with(AiuOption.COUNTERS, List.of(counter)).build();
        return List.of(new PowerSamples(counter.equals("power_ts4")), new SortSamples(), new ComputePower(built));
    }

    /** A kernel whose TS3 and TS4 lie so many microseconds after zero. */
    private static AiuEvent kernel(String name, double from, double to, long charge) {
        return charged(mapped(x(name, 0, from, to - from), from, from, from, to, to), charge);
    }

    @Test
    void byTs4PowerIsChargeOverTheTimeBetweenEnds() {
        // 12 V / 512 = 0.0234375: 1,000 in 50 us are 0.46875 W, 2,000 in 100 us likewise; the last sample ends it.
        assertThat(counters(
                        power(new AiuOptions.Builder(), "power_ts4"),
                        kernel("a Cmpt Exec", 0, 100, 5000),
                        kernel("b Cmpt Exec", 110, 150, 6000),
                        kernel("c Cmpt Exec", 160, 250, 8000)))
                .containsExactly(
                        "C Power 0 100.0 {Watts=0.46875}",
                        "C Power 0 150.0 {Watts=0.46875}",
                        "C Power 0 250.0 {Watts=0.0}");
        assertThat(stages.said()).contains("INFO PEC event stats o/i: 2 / 4");
    }

    @Test
    void whereNoChargeFlowsThereIsNoPower() {
        // A whole wrap in the 10 s between the ends would be 10.07 W.
        AiuEvent[] idle = {kernel("a Cmpt Exec", 0, 100, 5000), kernel("b Cmpt Exec", 1e7, 1e7 + 100, 5000)};

        assertThat(counters(power(new AiuOptions.Builder(), "power_ts4"), idle))
                .containsExactly("C Power 0 100.0 {Watts=0.0}", "C Power 0 1.00001E7 {Watts=0.0}");
        assertThat(stages.said()).noneMatch(line -> line.contains("bad power"));
    }

    @Test
    void chargeWrapsAt32BitsAndImpossiblePowerIsZero() {
        // 1,000 beyond a wrap in 100 us: 0.234375 W; then 2,000,000,000 in 50 us, which no supply gives.
        assertThat(counters(
                        power(new AiuOptions.Builder(), "power_ts4"),
                        kernel("a Cmpt Exec", 0, 100, (1L << 32) - 400),
                        kernel("b Cmpt Exec", 110, 200, 600),
                        kernel("c Cmpt Exec", 210, 250, 2_000_000_600L)))
                .containsExactly(
                        "C Power 0 100.0 {Watts=0.234375}",
                        "C Power 0 200.0 {Watts=0.0}",
                        "C Power 0 250.0 {Watts=0.0}");
        assertThat(stages.said()).anyMatch(line -> line.startsWith("WARNING PEC encountered 1 bad power events"));
    }

    @Test
    void preparationsAndInstantsHaveNoSample() {
        assertThat(counters(
                        power(new AiuOptions.Builder(), "power_ts4"),
                        kernel("a Cmpt Prep", 0, 100, 5000),
                        kernel("b Cmpt Exec", 110, 110.1, 6000),
                        kernel("c Cmpt Exec", 160, 250, -1),
                        x("host", 0, 1, 1)))
                .isEmpty();
    }

    @Test
    void byTs3PowerIsChargePerCycleAndEndsBeforeTheNextEvent() {
        // 3,000 in 55,000 cycles of 110 us: 0.055 (rounded to three decimals).
        assertThat(counters(
                        power(new AiuOptions.Builder(), "power_ts3"),
                        kernel("x DmaI", 0, 100, 1000),
                        kernel("y AllReduce", 110, 200, 4000),
                        kernel("z", 210, 300, 4500)))
                .containsExactly(
                        "C Power DmaI 0 0.0 {Watts=0.055}",
                        "C Power DmaI 0 109.999 {Watts=0.0}",
                        "C Power AllReduce 0 110.0 {Watts=0.01}",
                        "C Power AllReduce 0 209.999 {Watts=0.0}",
                        "C Power Other 0 210.0 {Watts=0.0}");
    }

    @Test
    void someNeighboursMayBeLeftOut() {
        // The execution that follows another one is passed over: 2,000 between ends 300 us apart.
        assertThat(counters(
                        power(new AiuOptions.Builder().with(AiuOption.SKIP_EVENTS, true), "power_ts4"),
                        kernel("a Cmpt Exec", 0, 100, 5000),
                        kernel("b Cmpt Exec", 110, 150, 6000),
                        kernel("c DmaI", 160, 250, 6500),
                        kernel("d DmaO", 260, 400, 7000)))
                .containsExactly("C Power 0 100.0 {Watts=0.15625}", "C Power 0 400.0 {Watts=0.0}");
    }

    private static AiuEvent watts(long pid, double ts, double watts) {
        return AiuEvent.counter(new AiuName("Power"), ts, pid, "Power4", Args.of("Watts", watts));
    }

    @Test
    void statisticsOfPowerWeighByTime() {
        // 100 us at 2 W, 300 at 4 W, 100 at 0: a kernel runs from 50 to 250, another within it, so that with kernels 50
        // us have
        // 2 W and 150 have 4 W; without, 50 have 2 W, 150 have 4 W, 100 nothing.
        stages.through(
                List.of(new PowerStats(AiuRules.OWN.power(), stages.log())),
                watts(0, 1, 2),
                watts(0, 101, 4),
                watts(0, 401, 0),
                watts(0, 501, 9),
                x("k Cmpt Exec", 0, 51, 200),
                x("l Cmpt Exec", 0, 61, 20));

        assertThat(stages.said())
                .containsExactly(
                        "INFO Power with kernels: min_non_zero=2.00W, max=4.00W, mean_non_zero=3.50W, median_non_zero=4.00W,"
                                + " avg_total=3.50W (time-weighted, dur_total=0.20ms, dur_non_zero=0.20ms)",
                        "INFO Power without kernels: min_non_zero=2.00W, max=4.00W, mean_non_zero=3.50W, median_non_zero=4.00W,"
                                + " avg_total=2.33W (time-weighted, dur_total=0.30ms, dur_non_zero=0.20ms)");
    }

    @Test
    void oneSampleOfPowerTellsNothing() {
        stages.through(List.of(new PowerStats(AiuRules.OWN.power(), stages.log())), watts(0, 5, 1));

        assertThat(stages.said()).singleElement().asString().startsWith("WARNING Insufficient power data");
    }

    @Test
    void powerWithoutKernelsHasNoDataWithThem() {
        stages.through(List.of(new PowerStats(AiuRules.OWN.power(), stages.log())), watts(0, 5, 1), watts(0, 6, 1));

        assertThat(stages.said()).startsWith("INFO Power with kernels: No data");
    }

    @Test
    void bytesOverDurationAreBandwidth() {
        assertThat(stages.through(
                        List.of(new TransferBandwidth()),
                        x("a DmaI", 0, 10, 20, "bytes", "40000"),
                        x("b DmaO", 1, 40, 3, "bytes", 1000L),
                        x("c DmaI", 0, 50, 20, "bytes", "none"),
                        x("d DmaI", 0, 60, 0, "bytes", 5L),
                        x("e Cmpt Exec", 0, 70, 5, "bytes", 5L)))
                .filteredOn(line -> line.startsWith("C"))
                .containsExactly(
                        "C BW DmaI 0 10.0 {GB/s=2.0}",
                        "C BW DmaI 0 30.0 {GB/s=0.0}",
                        "C BW DmaO 1 40.0 {GB/s=0.333}",
                        "C BW DmaO 1 43.0 {GB/s=0.0}");
    }

    @ParameterizedTest
    @CsvSource({"4000,4000", "' 4000B ',4000", "4kB,0", "'',0"})
    void sizesAreTextsWithOrWithoutUnit(String text, double bytes) {
        assertThat(ReduceBandwidth.bytes(Args.of("bytes", text))).isEqualTo(bytes);
    }

    @Test
    void concurrentCollectivesAreSaid() {
        assertThat(counters(
                        List.of(new CollectiveBandwidth(stages.log())),
                        x("G_2", 0, 25, 10, "Coll_data_size", 1000L),
                        x("G_1", 0, 10, 20, "Coll_data_size", 8000L),
                        x("G_3", 0, 50, 0, "Coll_data_size", 8L)))
                .containsExactly(
                        "C Coll_Bandwidth -1 10.0 {GBps=0.4}",
                        "C Coll_Bandwidth -1 25.0 {GBps=0.1}",
                        "C Coll_Bandwidth -1 35.0 {GBps=0.0}",
                        "C Coll_Bandwidth -1 50.0 {GBps=0.0}",
                        "C Coll_Bandwidth -1 50.0 {GBps=0.0}");
        assertThat(stages.said()).containsExactly("WARNING CBW: Concurrent collective ops detected");
    }

    @Test
    void openPreparationsAreCountedByProcess() {
        assertThat(stages.through(
                        List.of(new PrepQueue(false, AiuRules.OWN.preparations())),
                        x("a Cmpt Prep", 0, 1, 9),
                        x("b Cmpt Prep", 0, 4, 2),
                        x("c Cmpt Prep", 1, 4, 2),
                        x("d Cmpt Prep", 0, 10, 5),
                        x("e", 0, 11, 1)))
                .containsExactly(
                        "X e 0 11.0+1.0",
                        "C ConcurrentPreps 1 4.0 {Concurrency=1}",
                        "C ConcurrentPreps 1 6.0 {Concurrency=0}",
                        "C ConcurrentPreps 0 1.0 {Concurrency=1}",
                        "C ConcurrentPreps 0 4.0 {Concurrency=2}",
                        "C ConcurrentPreps 0 6.0 {Concurrency=1}",
                        "C ConcurrentPreps 0 10.0 {Concurrency=1}",
                        "C ConcurrentPreps 0 15.0 {Concurrency=0}");
    }

    @Test
    void preparationsOfNoPlaceInTimeAreNotCounted() {
        assertThat(stages.through(
                        List.of(new PrepQueue(false, AiuRules.OWN.preparations())),
                        x("a Cmpt Prep", 0, 1, Double.NaN),
                        x("b Cmpt Prep", 0, 4, 2)))
                .containsExactly("C ConcurrentPreps 0 4.0 {Concurrency=1}", "C ConcurrentPreps 0 6.0 {Concurrency=0}");
    }

    @Test
    void jobsOfAnAutopilotAreSpansOfTheirKernels() {
        AutopilotCounters counters = new AutopilotCounters(stages.log());
        List<AiuEvent> out = new ArrayList<>();

        counters.add(0, "first", new AutopilotCounters.Span(5, 100, 20, 30), out::add);
        counters.add(0, "first", new AutopilotCounters.Span(5, 130, 20, 30), out::add);
        counters.add(0, "first", new AutopilotCounters.Span(5, 145, 15, 30), out::add);
        counters.add(0, "second", new AutopilotCounters.Span(5, 200, 40, 20), out::add);
        counters.finish(out::add);

        // 20 + 20 + 15 us of kernels between 100 and 160: 30 of 55 us; then 20 of 40 us.
        assertThat(out.stream().map(StageEvents::spelled))
                .containsExactly(
                        "C PT Active 5 100.0 {Percent=" + 30.0 / 55 * 100 + "}",
                        "C PT Active 5 160.0 {Percent=0.0}",
                        "C PT Active 5 200.0 {Percent=50.0}",
                        "C PT Active 5 240.0 {Percent=0.0}");
        assertThat(stages.said())
                .containsExactly("WARNING UTL: Overlapping kernel events detected. Overlap time[us]: 5.0");
    }

    @Test
    void aJobWithinAnotherOneIsDropped() {
        AutopilotCounters counters = new AutopilotCounters(stages.log());
        List<AiuEvent> out = new ArrayList<>();

        counters.add(0, "a", new AutopilotCounters.Span(5, 100, 100, 50), out::add);
        counters.add(0, "b", new AutopilotCounters.Span(5, 120, 20, 10), out::add);
        counters.finish(out::add);

        assertThat(out.stream().map(StageEvents::spelled)).containsExactly("C PT Active 5 100.0 {Percent=50.0}");
        assertThat(stages.said()).singleElement().asString().startsWith("WARNING UTL: Counter embedding detected.");
    }

    @Test
    void executionsOfADeviceThatOverlapByTheirCyclesAreSaid() {
        stages.through(
                List.of(new SequenceCheck(false, stages.log())),
                counted(x("a Cmpt Exec", 0, 10, 5), 0, 0, 100, 200, 200),
                counted(x("b Cmpt Exec", 0, 20, 5), 0, 0, 150, 300, 300),
                counted(x("c Cmpt Exec", 0, 30, 5), 0, 0, 290, 400, 400),
                counted(x("d Cmpt Exec", 1, 40, 5), 0, 0, 0, 400, 400));

        assertThat(stages.said())
                .singleElement()
                .asString()
                .endsWith("within the same PID  2 / 4 max overlap cycles:  50");
    }

    @Test
    void eventsOutOfOrderAreSaidByRow() {
        stages.through(
                List.of(new SequenceCheck(false, stages.log())),
                x("a", 0, 10, 5),
                x("b", 1, 5, 5),
                x("c", 0, 9, 5),
                x("d", 0, 9, 6),
                phase('C', x("e", 0, 1, 1)));

        assertThat(stages.said())
                .containsExactly(
                        "ERROR Events out of order: 10.0 > 9.0", "ERROR Secondary key (dur) out of order: 5.0 < 6.0");
    }

    @Test
    void overAllRowsTheFirstTwentyAreSaidEach() {
        AiuEvent[] events = new AiuEvent[26];
        for (int i = 0; i < events.length; i++) {
            events[i] = x("e", i, 100 - i, 1);
        }

        stages.through(List.of(new SequenceCheck(true, stages.log())), events);

        assertThat(stages.said()).hasSize(21).endsWith("ERROR Events out of order: 5 more");
    }
}
