// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import static dev.lockstep.aiu.stage.StageEvents.counted;
import static dev.lockstep.aiu.stage.StageEvents.mapped;
import static dev.lockstep.aiu.stage.StageEvents.x;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuOption;
import dev.lockstep.aiu.pipeline.AiuOptions;
import dev.lockstep.aiu.pipeline.AiuRules;
import dev.lockstep.aiu.pipeline.EventOrigin;
import dev.lockstep.aiu.pipeline.Job;
import dev.lockstep.error.UserException;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cycles to microseconds, and clocks of several devices to one. */
class ClockStagesTest {
    private final StageEvents stages = new StageEvents();

    /** Counters at 0, 2, 6, 106 and 107 us of the device's clock; the host saw the end at 1,200 us. */
    private static AiuEvent job(String name) {
        return counted(x(name, 0, 1090, 110), 0, 1000, 3000, 53000, 53500);
    }

    @ParameterizedTest
    @CsvSource({
        // Ends at TS2, TS3, TS4, TS5: begins so much before 1,200 as its last counter lies behind TS1.
        "a DmaI, 1198, 2",
        "a Cmpt Prep, 1194, 6",
        "a Cmpt Exec, 1094, 106",
        "a DmaO, 1093, 107",
        "a, 1093, 107"
    })
    void anEventEndsWithTheCounterOfItsStep(String name, double ts, double dur) {
        AiuEvent event =
                stages.events(List.of(new CyclesToClock(500)), job(name)).get(0);

        assertThat(event.ts).isEqualTo(ts);
        assertThat(event.dur).isEqualTo(dur);
        assertThat(event.device.adjustedTs).isEqualTo(ts - 1090);
        assertThat(event.device.adjustedDur).isEqualTo(dur - 110);
        assertThat(event.device.host[4] - event.device.host[0]).isEqualTo(107);
        assertThat(event.device.host[0]).isEqualTo(ts);
    }

    @Test
    void whatTheCyclesConfirmIsNotAdjusted() {
        AiuEvent event = stages.events(List.of(new CyclesToClock(500)), counted(x("a", 0, 10, 2), 0, 0, 0, 0, 1000))
                .get(0);

        assertThat(event.device.adjustedTs).isNaN();
        assertThat(stages.said()).isEmpty();
    }

    @Test
    void eventsThatBeginBeforeTimeZeroAreSaid() {
        stages.through(
                List.of(new CyclesToClock(500)),
                counted(x("a", 0, 1, 1), 0, 0, 0, 0, 1000),
                counted(x("b", 0, 1, 1), 0, 0, 0, 0, 1001),
                x("host", 0, -5, 1));

        assertThat(stages.said()).singleElement().asString().startsWith("WARNING TS CONV: 1 event(s) begin before");
    }

    @ParameterizedTest
    @CsvSource({
        "a DmaI, 1198, 2",
        "a Cmpt Prep, 1196, 4",
        "a Cmpt Exec, 1100, 100",
        "a DmaO, 1199, 1",
        // No step: starts where it did, and lasts from TS1 to TS5.
        "a, 1090, 107"
    })
    void anEventLastsAsLongAsItsStep(String name, double ts, double dur) {
        AiuEvent event =
                stages.events(List.of(new TightenByStep(500)), job(name)).get(0);

        assertThat(event.ts).isEqualTo(ts);
        assertThat(event.dur).isEqualTo(dur);
        int step = Math.max(event.name.step(), 0);
        assertThat(event.device.host[step]).isEqualTo(ts);
        assertThat(event.device.host[4] - event.device.host[0]).isEqualTo(107);
    }

    private static AiuEvent transfer(String name, long pid, String group, double received, double sent) {
        return mapped(
                x(name, pid, received, sent - received, "CollGroup", group),
                received,
                received,
                received,
                received,
                sent);
    }

    /** Shifts that were said, in microseconds. */
    private String shifts() {
        String line = stages.said().stream()
                .filter(s -> s.contains("dts_shifts"))
                .findFirst()
                .orElseThrow();
        return line.substring(line.indexOf('['));
    }

    @Test
    void inATreeAllReceiversGetTheLastSendersTime() {
        // TS2 of a transfer is when data has come, TS5 when it was sent. Rank 0 sends at 30; the others have it at 100
        // and 107.
        List<String> out = stages.through(
                List.of(new MpSync(AiuRules.OWN.sync(), stages.log())),
                transfer("AllReduce_all_reduce DmaO", 0, "AllReduce_1", 10, 30),
                transfer("a DmaI", 1, "AllReduce_1", 100, 120),
                transfer("a DmaI", 2, "AllReduce_1", 107, 127),
                x("host", 1, 50, 1));

        assertThat(shifts()).isEqualTo("[0.0, -70.0, -77.0]");
        assertThat(out)
                .containsExactly(
                        "X AllReduce_all_reduce DmaO 0 10.0+20.0 {CollGroup=AllReduce_1}",
                        "X a DmaI 1 30.0+20.0 {CollGroup=AllReduce_1}",
                        "X a DmaI 2 30.0+20.0 {CollGroup=AllReduce_1}",
                        "X host 1 50.0+1.0");
    }

    @Test
    void inAChainTheLastRankSendsAndTheOthersFollow() {
        stages.through(
                List.of(new MpSync(AiuRules.OWN.sync(), stages.log())),
                transfer("c DmaI", 0, "AllReduce_1", 10, 30),
                transfer("c DmaI", 1, "AllReduce_1", 100, 120),
                transfer("c DmaO", 2, "AllReduce_1", 107, 127));

        // Receivers are compared with rank 1: rank 0 lies 90 before it. Rank 1 has at 100 what rank 2 has sent at 127.
        assertThat(shifts()).isEqualTo("[90.0, 0.0, -27.0]");
    }

    @Test
    void receiversAreComparedWhereTheyDeviateLeast() {
        // In the first group rank 2 is 10 late, in the two others it is 4 late.
        AiuEvent[] events = {
            transfer("AllReduce_all_reduce DmaO", 0, "AllReduce_1", 10, 30),
            transfer("AllReduce_all_reduce DmaO", 0, "AllReduce_2", 210, 230),
            transfer("AllReduce_all_reduce DmaO", 0, "AllReduce_3", 410, 430),
            transfer("a DmaI", 1, "AllReduce_1", 100, 120),
            transfer("a DmaI", 1, "AllReduce_2", 300, 320),
            transfer("a DmaI", 1, "AllReduce_3", 500, 520),
            transfer("a DmaI", 2, "AllReduce_1", 110, 120),
            transfer("a DmaI", 2, "AllReduce_2", 304, 320),
            transfer("a DmaI", 2, "AllReduce_3", 504, 520)
        };

        stages.through(List.of(new MpSync(AiuRules.OWN.sync(), stages.log())), events);

        assertThat(shifts()).isEqualTo("[0.0, -70.0, -74.0]");
    }

    @Test
    void aRankWithoutCollectivesCannotBeAligned() {
        AiuEvent[] events = {
            transfer("a DmaI", 0, "AllReduce_1", 10, 30), transfer("a DmaI", 1, "AllReduce_2", 10, 30),
        };

        assertThat(stages.through(List.of(new MpSync(AiuRules.OWN.sync(), stages.log())), events))
                .hasSize(2);
        assertThat(stages.said()).singleElement().asString().startsWith("ERROR Detected an event/process");
        AiuRules.Sync all =
                new AiuRules.Sync(n -> n, AiuRules.SyncReference.FIRST, AiuRules.SyncGroups.ALL, false, false);
        assertThatThrownBy(() -> stages.through(List.of(new MpSync(all, stages.log())), events))
                .isInstanceOf(UserException.class);
    }

    @Test
    void aSingleDeviceNeedsNoAlignment() {
        assertThat(stages.through(
                        List.of(new MpSync(AiuRules.OWN.sync(), stages.log())),
                        transfer("a DmaI", 0, "AllReduce_1", 10, 30),
                        x("b", 0, 5, 1)))
                .containsExactly("X b 0 5.0+1.0", "X a DmaI 0 10.0+20.0 {CollGroup=AllReduce_1}");
        assertThat(stages.said())
                .containsExactly("INFO MP SYNC: no collective group detected or single process, no action");
    }

    @Test
    void endsOfAllReducesTellHowMuchFasterAClockIs() {
        // From the first to the second all-reduce pass 100 us on rank 0, 110 on rank 1, whose clock is at 1,000 when
        // the other is at 40.
        List<AiuEvent> out = stages.events(
                List.of(new MpCalibration(stages.log())),
                transfer("a", 0, "AllReduce_1", 20, 40),
                transfer("a", 0, "AllReduce_2", 120, 140),
                transfer("a", 1, "AllReduce_1", 980, 1000),
                transfer("a", 1, "AllReduce_2", 1090, 1110),
                mapped(x("k", 1, 0, 10), 1055, 1055, 1055, 1055, 1055),
                x("host", 1, 7, 1));

        assertThat(out)
                .extracting(e -> e.ts + e.dur)
                .usingElementComparator(ClockStagesTest::near)
                .containsExactly(40.0, 140.0, 40.0, 140.0, 90.0, 8.0);
        assertThat(stages.said()).isEmpty();
    }

    private static int near(double a, double b) {
        return Math.abs(a - b) < 1e-9 ? 0 : Double.compare(a, b);
    }

    @Test
    void calibrationNeedsAGroupOfAllRanks() {
        stages.through(
                List.of(new MpCalibration(stages.log())),
                transfer("a", 0, "AllReduce_1", 20, 40),
                transfer("a", 1, "AllReduce_2", 20, 40));

        assertThat(stages.said())
                .containsExactly("INFO MP SYNC: no collective group detected or single process, no action");
    }

    @Test
    void whatRanOutsideOfTheHostsWaitIsMovedIntoIt() {
        Job second = new Job(1, "b.json", EventOrigin.FLEX);
        AiuEvent wide = counted(x("k", 0, 2040, 200), 0, 0, 0, 0, 0);
        wide.job = second;
        AiuEvent wait = x("AIU Roundtrip", 0, 2000, 100);
        wait.job = second;
        JobOffsets offsets = new JobOffsets(AiuRules.OWN.clocks());

        List<String> out = stages.through(
                List.of(offsets.collect(), new Barrier(), offsets.apply()),
                x("AIU Roundtrip", 0, 1000, 100),
                counted(x("k", 0, 970, 20), 0, 0, 0, 0, 0),
                counted(x("k", 0, 1050, 20), 0, 0, 0, 0, 0),
                wait,
                wide);

        assertThat(out)
                .contains("X k 0 1000.0+20.0 {ts_adj=30.0}", "X k 0 1080.0+20.0 {ts_adj=30.0}", "X k 0 2040.0+200.0");
        assertThat(stages.said())
                .containsExactly(
                        "WARNING FREQ: job: ('a.json', 30.0) has AIU events outside of corresponding CPU range",
                        "WARNING FREQ: aiu event range of b.json is wider than cpu range");
    }

    @Test
    void jobsThatLieWithinTheirWaitStayAndOverlapsOfWaitsAreSaid() {
        Job second = new Job(1, "b.json", EventOrigin.FLEX);
        AiuEvent wait = x("AIU Roundtrip", 0, 1050, 100);
        AiuEvent inside = counted(x("k", 0, 1060, 20), 0, 0, 0, 0, 0);
        wait.job = second;
        inside.job = second;
        JobOffsets offsets = new JobOffsets(AiuRules.OWN.clocks());

        assertThat(stages.through(
                        List.of(offsets.collect(), new Barrier(), offsets.apply()),
                        x("AIU Roundtrip", 0, 1000, 100),
                        counted(x("k", 0, 1000, 100), 0, 0, 0, 0, 0),
                        wait,
                        inside))
                .contains("X k 0 1000.0+100.0", "X k 0 1060.0+20.0");
        assertThat(stages.said()).containsExactly("WARNING FREQ: Detected a job timestamp overlap");
    }

    @Test
    void frequenciesComeFromDurationsAndFromDistances() {
        // 50,000 cycles in 100 us: 500 MHz; 110,000 cycles between starts that are 200 us apart: 550 MHz.
        Normalization normalization = new Normalization(
                new AiuOptions.Builder().with(AiuOption.SOC_MHZ, 500.0).build(), stages.log());

        stages.through(
                List.of(normalization.first(), new Barrier(), normalization.second()),
                counted(x("a Cmpt Exec", 0, 1000, 100), 0, 0, 0, 50000, 50000),
                counted(x("b Cmpt Exec", 0, 1200, 100), 110000, 110000, 110000, 160000, 160000),
                counted(x("b Cmpt Exec", 0, 1200, 100), 110000, 110000, 110000, 160000, 160000));

        assertThat(stages.said())
                .contains(
                        "INFO FREQ: Detected Event-duration-based frequency (min/mean/max): 500.0 500.0 500.0 ;"
                                + " rel_range=0.0, input_soc_freq/detected=1.0",
                        "INFO FREQ: Detected Event-interval-based frequency (min/mean/max): 500.0 516.67 550.0 ;"
                                + " rel_range=0.097, input_soc_freq/detected=0.968")
                .anyMatch(line -> line.startsWith("WARNING Detected 1 identical timestamps"));
    }

    @Test
    void aFrequencyThatIsFarOffIsAWarning() {
        Normalization normalization = new Normalization(
                new AiuOptions.Builder().with(AiuOption.SOC_MHZ, 600.0).build(), stages.log());
        AiuEvent other = counted(x("c Cmpt Exec", 0, 1400, 100), 200000, 200000, 200000, 250000, 250000);
        other.job = new Job(3, "c.json", EventOrigin.FLEX);

        stages.through(
                List.of(normalization.first(), new Barrier(), normalization.second()),
                counted(x("a Cmpt Exec", 0, 1000, 100), 0, 0, 0, 50000, 50000),
                other);

        // The epoch of the second job lies 1400 - 200000 / 600 = 1066.67 us, 66 us behind that of the first.
        assertThat(stages.said())
                .anyMatch(line -> line.startsWith("WARNING FREQ: Detected Event-duration-based frequency")
                        && line.endsWith("input_soc_freq/detected=1.2"))
                .contains("WARNING FREQ: Recommendation: to minimize event time drift (max: 66us) between CPU and"
                        + " Accelerator, use: --freq=500.0");
    }

    @Test
    void anEarlierEpochReplacesTheReference() {
        Normalization normalization = new Normalization(
                new AiuOptions.Builder().with(AiuOption.SOC_MHZ, 500.0).build(), stages.log());

        stages.through(
                List.of(normalization.first(), new Barrier(), normalization.second()),
                counted(x("a DmaI", 2, 1000, 100), 0, 0, 0, 0, 0),
                counted(x("a DmaI", 2, 900, 100), 100000, 100000, 100000, 100000, 100000),
                counted(x("a DmaI", 2, 900, 9e6), 100000, 100000, 100000, 100000, 100000));

        assertThat(stages.said())
                .contains("INFO OVC: Reference Epoch for 2 0 0.0 1000.0")
                .anyMatch(line ->
                        line.contains("had to be updated 1 times") && line.endsWith("(pid={2}, job={'0'}, start=0.0)"))
                .anyMatch(line -> line.startsWith("WARNING OVC: Detected 1 event(s) with long duration"));
    }

    @Test
    void torchAndFlexAreComparedByTheirFirstEnds() {
        assertThat(AlignTorch.offset(new double[] {90, 200}, new double[] {1040, 1149, 7}))
                .isEqualTo(-950);
        assertThat(AlignTorch.offset(new double[0], new double[] {5})).isZero();
    }

    @Test
    void runningMeansKnowTheirEnds() {
        RunningMean mean = new RunningMean();
        assertThat(mean.min()).isEqualTo(1e99);
        for (double value : new double[] {4, 1, 7}) {
            mean.add(value);
        }

        assertThat(mean.mean()).isCloseTo(4, Offset.offset(1e-12));
        assertThat(List.of(mean.min(), mean.max())).containsExactly(1.0, 7.0);
        assertThat(mean.count()).isEqualTo(3);
    }
}
