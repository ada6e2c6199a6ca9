// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.error.UserException;
import dev.lockstep.kernels.ForwardPasses;
import dev.lockstep.power.PowerLog;
import dev.lockstep.power.PowerSeries;
import dev.lockstep.replay.reconcile.Part.Identity;
import dev.lockstep.replay.reconcile.Part.Window;
import dev.lockstep.replay.reconcile.PartsPower.Idle;
import dev.lockstep.replay.reconcile.WholeSources.Recorded;
import dev.lockstep.replay.reconcile.WholeSources.Stated;
import dev.lockstep.report.Finding;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WholeSourcesTest {
    private static final long S = 1_000_000_000;
    private static final Whole BESIDE = new Whole("beside", 500, 3, Whole.Activity.UNKNOWN);

    /** Four steps of 100 ns, 75 of them busy. */
    private static Recorded recorded(@Nullable String annotation) {
        return new Recorded(new RecordedSteps("trace.json", 4, 400, 300, 320, true), annotation);
    }

    private static MeasuredParts parts(int steps) {
        return parts(steps, List.of());
    }

    private static MeasuredParts parts(int steps, List<String> devices) {
        Part part = new Part(
                Identity.of("a", ""), 8, Double.NaN, 1, Double.NaN, 10, new Window(2 * S, 3 * S), Double.NaN, null);
        return new MeasuredParts(
                "result.json", List.of(part), steps, ForwardPasses.Source.ANNOTATION, devices, List.of());
    }

    private static PowerSeries series(String device, double first, double rest) {
        return new PowerSeries(
                device,
                new long[] {0, S / 2, S, 2 * S, 3 * S, 4 * S},
                new double[] {first, first, first, rest, rest, rest},
                new double[0]);
    }

    private static WholeSources sources(@Nullable Recorded recorded, @Nullable Stated stated, double ns, int forwards) {
        return new WholeSources(BESIDE, recorded, stated, ns, forwards);
    }

    @Test
    void eachSourceCountsMoreThanTheOneBefore() {
        MeasuredParts parts = parts(4);
        assertThat(sources(null, null, Double.NaN, 0).whole(parts, PartsPower.NONE))
                .isEqualTo(BESIDE);
        assertThat(sources(recorded(null), null, Double.NaN, 0).whole(parts, PartsPower.NONE))
                .isEqualTo(new Whole("trace.json", 100, 3, new Whole.Activity(75, 80)));
        Stated stated = new Stated(new Whole("full.json", 90, Double.NaN, Whole.Activity.UNKNOWN), null, Double.NaN);
        assertThat(sources(recorded(null), stated, Double.NaN, 0).whole(parts, PartsPower.NONE))
                .isEqualTo(new Whole("full.json", 90, 3, new Whole.Activity(75, 80)));
        assertThat(sources(recorded(null), stated, 70, 0).whole(parts, PartsPower.NONE))
                .isEqualTo(new Whole("--whole-ms", 70, 3, new Whole.Activity(75, 80)));
        assertThat(WholeSources.NONE.whole(parts, PartsPower.NONE)).isEqualTo(Whole.UNKNOWN);
    }

    @Test
    void energyByTheWindowCountsMoreThanTheStatedOne() {
        PartsPower power = new PartsPower(List.of(series("gpu0", 60, 60)), 10, List.of());
        Whole said = new Whole("full.json", Double.NaN, 7, Whole.Activity.UNKNOWN);

        // 50 W over 2 s in 5 passes; the time is that which is known already
        assertThat(sources(null, new Stated(said, new Window(S, 3 * S), 5), Double.NaN, 0)
                        .whole(parts(0), power))
                .isEqualTo(new Whole("full.json", 500, 20, Whole.Activity.UNKNOWN));
        assertThat(sources(null, new Stated(said, new Window(S, 3 * S), Double.NaN), Double.NaN, 0)
                        .whole(parts(0), power)
                        .joules())
                .isEqualTo(7);
        assertThat(sources(null, new Stated(said, new Window(S, 3 * S), 5), Double.NaN, 0)
                        .whole(parts(0), PartsPower.NONE)
                        .joules())
                .isEqualTo(7);
        assertThat(sources(null, new Stated(said, new Window(9 * S, 10 * S), 5), Double.NaN, 0)
                        .whole(parts(0), power)
                        .joules())
                .isEqualTo(7);
    }

    @Test
    void passesAreAsGivenElseByNamedMarksElseAsThePartsTell() {
        assertThat(sources(recorded("step"), null, Double.NaN, 3).passes(parts(2)))
                .isEqualTo(new ForwardPasses(3, ForwardPasses.Source.GIVEN, Double.NaN));
        assertThat(sources(recorded("step"), null, Double.NaN, 0).passes(parts(2)))
                .isEqualTo(new ForwardPasses(4, ForwardPasses.Source.ANNOTATION, Double.NaN));
        assertThat(sources(recorded(null), null, Double.NaN, 0).passes(parts(2)).count())
                .isEqualTo(2);
        assertThat(sources(recorded(null), null, Double.NaN, 0).passes(parts(0)).count())
                .isEqualTo(4);
        Recorded unmarked = new Recorded(new RecordedSteps("trace.json", 0, 400, 300, 320, true), "step");
        assertThat(sources(unmarked, null, Double.NaN, 0).passes(parts(2)).count())
                .isEqualTo(2);
        // a recording without marks holds as many passes as that of the parts
        assertThat(sources(unmarked, null, Double.NaN, 0)
                        .whole(parts(2), PartsPower.NONE)
                        .ns())
                .isEqualTo(200);
        assertThat(sources(recorded(null), null, Double.NaN, 8)
                        .whole(parts(2), PartsPower.NONE)
                        .ns())
                .isEqualTo(50);
    }

    @Test
    void stepsOfAnotherRecordingAreSaid() {
        assertThat(sources(recorded(null), null, Double.NaN, 0).remarks(parts(2)))
                .singleElement()
                .extracting(Finding::text)
                .isEqualTo("trace.json holds 4 steps, the trace of the parts 2. Steps of the one are compared with"
                        + " steps of the other.");
        assertThat(sources(recorded(null), null, Double.NaN, 0).remarks(parts(4)))
                .isEmpty();
        assertThat(sources(recorded(null), null, Double.NaN, 0).remarks(parts(0)))
                .isEmpty();
        assertThat(sources(recorded("step"), null, Double.NaN, 0).remarks(parts(2)))
                .isEmpty();
        assertThat(WholeSources.NONE.remarks(parts(2))).isEmpty();
    }

    @Test
    void stepsOfATraceHoldWhatWasLaunchedInThem() {
        EventText events = new EventText()
                .annotation("ProfilerStep#1", 0, 10_000)
                .annotation("ProfilerStep#2", 20_000, 10_000)
                .launch("inside", 1_000, 5_000, 4_000, 1, 7)
                .launch("inside", 21_000, 26_000, 2_000, 2, 7)
                .launch("beside it", 22_000, 27_000, 3_000, 3, 8)
                .launch("outside", 41_000, 45_000, 9_000, 4, 7);

        RecordedSteps steps =
                WholeSources.recorded(TestTraces.of(events)).recorded().steps();

        // 4 + 2 + 3 us, of which 1 us is at the same time
        assertThat(steps.marked()).isEqualTo(2);
        assertThat(steps.ns()).isEqualTo(20_000);
        assertThat(steps.sum()).isEqualTo(9_000);
        assertThat(steps.busy()).isEqualTo(8_000);
        assertThat(steps.device()).isTrue();
        assertThat(steps.whole(2).activity()).isEqualTo(new Whole.Activity(4_000, 4_500));
    }

    @Test
    void withoutMarksTheWholeRecordingCounts() {
        EventText busy = new EventText()
                .op("aten::mm", 0, 2_000)
                .launch("a", 1_000, 5_000, 4_000, 1, 7)
                .launch("b", 12_000, 20_000, 1_000, 2, 7);
        RecordedSteps steps = Recorded.of(TestTraces.of(busy), null).steps();
        assertThat(steps.marked()).isZero();
        assertThat(steps.ns()).isEqualTo(16_000);
        assertThat(steps.sum()).isEqualTo(5_000);

        EventText host = new EventText().op("aten::mm", 1_000, 2_000).op("aten::add", 4_000, 3_000);
        RecordedSteps alone = Recorded.of(TestTraces.of(host), null).steps();
        assertThat(alone.ns()).isEqualTo(6_000);
        assertThat(alone.device()).isFalse();
    }

    @Test
    void idlePowerIsGivenOrThatBeforeTheFirstWindow() {
        PowerLog log = new PowerLog(List.of(series("gpu0", 20, 90), series("gpu1", 5, 70)), 2);

        PartsPower both = PartsPower.of(log, "p.csv", "", new Idle.BeforeFirstWindow(), parts(0));
        assertThat(both.idleWatts()).isCloseTo(25, within(1e-9));
        assertThat(both.series()).hasSize(2);
        assertThat(both.remarks())
                .extracting(Finding::text)
                .contains(
                        "2 lines of p.csv hold no power. They are skipped, not counted as 0 W.",
                        "p.csv holds the power of gpu0, gpu1, which is added up. That is too much if the parts ran on"
                                + " one of them. The result does not say on which one they ran. --gpu chooses one.",
                        "Idle power is 25.00 W, the 10th percentile of the samples before the first window.");
        PartsPower one = PartsPower.of(log, "p.csv", "1", new Idle.Watts(3), parts(0));
        assertThat(one.idleWatts()).isEqualTo(3);
        assertThat(one.series()).extracting(PowerSeries::domain).containsExactly("gpu1");
        assertThat(one.remarks()).extracting(Finding::code).doesNotContain("power_added");
        assertThat(one.isKnown()).isTrue();
        assertThat(PartsPower.NONE.isKnown()).isFalse();
        assertThat(PartsPower.of(new PowerLog(log.series(), 0, 3, 1), "p.csv", "1", new Idle.Watts(3), parts(0))
                        .remarks())
                .extracting(Finding::text)
                .containsExactly(
                        "3 readings of energy counters in p.csv fell a little or stood out and are skipped. 1 fell by"
                                + " more than half, as after a counter restart.");
    }

    @Test
    void theDeviceOnWhichPartsRanCounts() {
        PowerSeries other = of("gpu0", "00000000:17:00.0");
        PowerSeries own = of("gpu1", "00000000:3B:00.0");
        PowerLog log = new PowerLog(List.of(other, own), 0);
        MeasuredParts ran = parts(0, List.of("0000:3b:00.0", "5e1f"));

        PartsPower power = PartsPower.of(log, "p.csv", "", new Idle.Watts(0), ran);

        assertThat(power.series()).containsExactly(own);
        assertThat(power.remarks())
                .extracting(Finding::text)
                .containsExactly(
                        "The power of gpu1 in p.csv counts, as the parts ran on that device (0000:3b:00.0). --gpu"
                                + " chooses another.");
        assertThat(PartsPower.of(log, "p.csv", "0", new Idle.Watts(0), ran).series())
                .containsExactly(other);
        assertThat(PartsPower.of(log, "p.csv", "17:00.0", new Idle.Watts(0), ran)
                        .series())
                .containsExactly(other);
        PartsPower elsewhere = PartsPower.of(log, "p.csv", "", new Idle.Watts(0), parts(0, List.of("0001:3b:00.0")));
        assertThat(elsewhere.series()).containsExactly(other, own);
        assertThat(elsewhere.remarks())
                .singleElement()
                .satisfies(remark -> assertThat(remark.text())
                        .contains(
                                "added up",
                                "They ran on 0001:3b:00.0, which the log does not name. --gpu chooses one"));
    }

    private static PowerSeries of(String domain, String id) {
        return new PowerSeries(domain, List.of(id), new long[] {S, 2 * S}, new double[] {5, 5}, new double[0]);
    }

    @Test
    void powerThatIsNotThereIsSaid() {
        PowerLog log = new PowerLog(List.of(series("gpu0", 20, 90)), 0);

        assertThatThrownBy(() -> PartsPower.of(log, "p.csv", "gpu7", new Idle.Watts(0), parts(0)))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("p.csv holds no power of gpu7");
        PowerLog late = new PowerLog(
                List.of(new PowerSeries("gpu0", new long[] {S, 2 * S, 3 * S}, new double[] {1, 1, 1}, new double[0])),
                0);
        assertThatThrownBy(() -> PartsPower.of(late, "p.csv", "", new Idle.BeforeFirstWindow(), parts(0)))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("fewer than three samples before the first window");
        assertThat(PartsPower.of(log, "p.csv", "", new Idle.Watts(0), parts(0)).remarks())
                .isEmpty();
    }
}
