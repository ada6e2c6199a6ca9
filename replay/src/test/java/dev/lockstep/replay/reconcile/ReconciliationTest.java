// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.codec.Json;
import dev.lockstep.codec.Json.Members;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.power.PowerSeries;
import dev.lockstep.replay.reconcile.Part.Identity;
import dev.lockstep.replay.reconcile.Part.Window;
import dev.lockstep.replay.reconcile.Reconciliation.Contribution;
import dev.lockstep.report.Finding;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReconciliationTest {
    private static final String RESULT = """
        {"format": "lockstep-replay-result", "version": 1, "steps": 2,
         "operators": [
          {"id": 0, "name": "aten::mm", "status": "ran", "executed": 30, "queued": 30, "host": {"median_ns": 900},
           "device": {"median_ns": 100}, "window": {"start_ns": 1000000000, "end_ns": 3000000000},
           "calls": 8, "calls_per_step": 4, "recorded_cpu_ns": 9000, "recorded_device_ns": 960},
          {"id": 1, "name": "c10d::allreduce_", "status": "not-run", "reason": "collective", "calls": 2,
           "calls_per_step": 1, "recorded_device_ns": 200}]}
        """;

    private static MeasuredParts isolated() throws IOException {
        return ReplayResultFile.read((Members) Json.parse(RESULT), "result.json");
    }

    @Test
    void contributionsLeadFromThePartsToTheWhole() throws IOException {
        Whole whole = new Whole("trace", 1000, Double.NaN, new Whole.Activity(650, 700));
        Reconciliation account =
                new Reconciliation(isolated(), whole, isolated().forwards(0), null);
        assertThat(account.passes()).isEqualTo(2);
        assertThat(account.predictedAll()).isEqualTo(800);
        assertThat(account.predicted()).isEqualTo(400);
        assertThat(account.contributions())
                .extracting(Contribution::label, Contribution::ns)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("other conditions in the recording", 80.0),
                        org.assertj.core.groups.Tuple.tuple("not replayed", 100.0),
                        org.assertj.core.groups.Tuple.tuple("device work of no listed part", 120.0),
                        org.assertj.core.groups.Tuple.tuple("overlap", -50.0),
                        org.assertj.core.groups.Tuple.tuple("launch gaps", 350.0));
        double sum =
                account.contributions().stream().mapToDouble(Contribution::ns).sum();
        assertThat(account.predicted() + sum).isCloseTo(whole.ns(), within(1e-9));
    }

    private static MeasuredParts read(String document) throws IOException {
        return ReplayResultFile.read((Members) Json.parse(document), "result.json");
    }

    @Test
    void timesThatHoldTheLaunchAreSaid() throws IOException {
        String queued = RESULT.replace("{\"median_ns\": 100}", "{\"runs\": 30, \"median_ns\": 100}");

        assertThat(read(queued).remarks()).extracting(Finding::code).doesNotContain("launch_included");
        assertThat(read(queued.replace("\"queued\": 30", "\"queued\": 3")).remarks())
                .extracting(Finding::text)
                .contains("Times on the device of 1 of 1 parts include their launch on the CPU. Short ones are measured"
                        + " too long.");
        MeasuredParts launched = read(queued.replace("\"queued\": 30", "\"queued\": 3"));
        assertThat(new ReconciliationFindings(new Reconciliation(launched, Whole.UNKNOWN, null, null)).ofEnergy())
                .extracting(Finding::code)
                .containsExactly("launch_included");
        assertThat(isolated().devices()).isEmpty();
        assertThat(read(queued.replace(
                                "\"steps\": 2,",
                                "\"steps\": 2, \"environment\": {\"bus_id\": \"0000:3b:00.0\", \"uuid\": \"5e1f\"},"))
                        .devices())
                .containsExactly("0000:3b:00.0", "5e1f");
    }

    @Test
    void whatRanInOrderSplitsCacheEffectsFromOtherConditions() throws IOException {
        MeasuredParts ordered =
                read(RESULT.replace("\"steps\": 2,", "\"steps\": 2, \"in_order\": {\"calls\": 5, \"passes\": 3},")
                        .replace("\"calls\": 8,", "\"in_order\": {\"median_ns\": 107}, \"calls\": 8,"));
        Whole whole = new Whole("trace", 1000, Double.NaN, new Whole.Activity(650, 700));
        Reconciliation account = new Reconciliation(ordered, whole, ordered.forwards(0), null);

        // alone 4 x 100, in order 4 x 107, recorded 480
        assertThat(account.contributions().subList(0, 3))
                .extracting(Contribution::label, Contribution::ns)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("cache effects", 28.0),
                        org.assertj.core.groups.Tuple.tuple("other conditions in the recording", 52.0),
                        org.assertj.core.groups.Tuple.tuple("not replayed", 100.0));
        double sum =
                account.contributions().stream().mapToDouble(Contribution::ns).sum();
        assertThat(account.predicted() + sum).isCloseTo(whole.ns(), within(1e-9));
        assertThat(ordered.remarks()).isEmpty();
    }

    @Test
    void withoutARunInOrderThereIsAWayToIt() throws IOException {
        assertThat(isolated().remarks()).singleElement().satisfies(finding -> {
            assertThat(finding.code()).isEqualTo("cache_effects_unknown");
            assertThat(finding.text()).contains("--mode sequence");
        });
        MeasuredParts failed = read(RESULT.replace("\"steps\": 2,", "\"in_order\": {\"failure\": \"signal 11\"},"));
        assertThat(failed.remarks().getFirst().text()).contains("signal 11");
    }

    @Test
    void timesOfACpuAgainstThoseOfADeviceAreUnlike() throws IOException {
        MeasuredParts onCpu = read(RESULT.replace("\"steps\": 2,", "\"environment\": {\"device\": \"cpu\"},"));
        assertThat(onCpu.remarks()).extracting(f -> f.code()).contains("unlike_devices");
        MeasuredParts onGpu = read(RESULT.replace("\"steps\": 2,", "\"environment\": {\"device\": \"cuda\"},"));
        assertThat(onGpu.remarks()).extracting(f -> f.code()).doesNotContain("unlike_devices");
    }

    @Test
    void partsOfOneNameAreToldApartAndOldResultsStillRead() throws IOException {
        Part old = isolated().parts().getFirst();
        assertThat(old.identity().id()).isZero();
        assertThat(old.identity().shapes()).isNull();
        Part now = read(RESULT.replace(
                        "\"status\": \"ran\",",
                        "\"status\": \"ran\", \"shapes\": [[8, 4], null], \"types\": [\"float32\", null], \"values\":"
                                + " [null, {\"real\": \"nan\"}],"))
                .parts()
                .getFirst();
        assertThat(now.identity().shapes()).isEqualTo("[[8,4],null]");
        assertThat(now.identity().types()).isEqualTo("[\"float32\",null]");
        assertThat(now.identity().values()).isEqualTo("[null,{\"real\":\"nan\"}]");
    }

    @Test
    void callsOfAPassAreThoseOfItsSteps() throws IOException {
        MeasuredParts isolated = read(RESULT.replace("\"calls\": 8,", "\"calls\": 10,"));
        Part part = isolated.parts().getFirst();

        assertThat(isolated.perPass(part, 2)).isEqualTo(4); // two more calls were outside of the steps
        assertThat(isolated.perPass(part, 4)).isEqualTo(2);
        assertThat(MeasuredParts.of("x", List.of(part)).perPass(part, 2)).isEqualTo(5);
        Reconciliation account =
                new Reconciliation(isolated, Whole.UNKNOWN, isolated.forwards(0), energy(isolated, 90));
        // 90 W over 2 s in 30 executions, 4 calls
        assertThat(account.predictedJoules()).isCloseTo(24, within(1e-9));
    }

    @Test
    void damagedNumbersAreNotBelieved() throws IOException {
        Part part = read("""
            {"format": "lockstep-replay-result", "version": 1, "operators": [
             {"id": -7, "name": 5, "status": 3, "host": {"median_ns": -4}, "in_order": {"median_ns": 1e999},
              "calls": -2, "calls_per_step": -1, "recorded_cpu_ns": -9, "window": {"start_ns": 9, "end_ns": 3}}, 4, null]}
            """).parts().getFirst();
        assertThat(part.isMeasured()).isFalse();
        assertThat(part.calls()).isZero();
        assertThat(part.identity().id()).isEqualTo(-1);
        assertThat(part.window()).isNull();
        assertThat(part.inOrderNs()).isNaN();
        assertThat(part.recordedNs()).isNaN();
        assertThatThrownBy(() -> read("{\"version\": 2}")).isInstanceOf(TraceFormatException.class);
    }

    @Test
    void windowsThatAreTooShortNameTheOptionForLongerOnes() throws IOException {
        String said = ReconciliationReport.energy(
                        new Reconciliation(isolated(), Whole.UNKNOWN, null, energy(isolated(), 90)), List.of())
                .sections()
                .toString();
        // samples every 0.1 s, 19 of them inside
        assertThat(said).contains("windows of 1 of 1 parts").contains("--window 2550");
        assertThat(energy(isolated(), 90).rows().getFirst().part().busy()).isCloseTo(30 * 100 / 2e9, within(1e-12));
        assertThat(said).contains("1 of 1 parts ran in less than half of their window");
    }

    /** Power that is sampled 20 times in the window and at its ends. */
    private static PartsEnergy energy(MeasuredParts isolated, double watts) {
        long[] ns = new long[21];
        double[] power = new double[ns.length];
        for (int i = 0; i < ns.length; i++) {
            ns[i] = 1_000_000_000L + i * 100_000_000L;
            power[i] = watts;
        }
        return PartsEnergy.of(isolated, List.of(new PowerSeries("gpu0", ns, power, new double[0])), 0);
    }

    @Test
    void stepsOfATraceAreMeans() {
        RecordedSteps steps = new RecordedSteps("t", 4, 400, 300, 320, true);

        assertThat(steps.whole(4)).isEqualTo(new Whole("t", 100, Double.NaN, new Whole.Activity(75, 80)));
        assertThat(steps.whole(8).ns()).isEqualTo(50);
        assertThat(new RecordedSteps("t", 0, 400, 0, 0, false).whole(1).activity())
                .isEqualTo(Whole.Activity.NONE);
    }

    @Test
    void withoutATraceTheRestIsNotToldApart() throws IOException {
        Whole whole = new Whole("stated", 1000, Double.NaN, Whole.Activity.UNKNOWN);
        List<Contribution> found =
                new Reconciliation(isolated(), whole, isolated().forwards(0), null).contributions();
        assertThat(found.getLast().ns()).isCloseTo(420, within(1e-9));
    }

    @Test
    void statedRunsThatCannotBeAreNotBelieved() {
        Part sound = new Part(
                Identity.of("a", ""),
                1,
                Double.NaN,
                1e6,
                Double.NaN,
                1000,
                new Window(0, 1_000_000_000),
                Double.NaN,
                null);
        Part wrong = new Part(
                Identity.of("a", ""),
                1,
                Double.NaN,
                1e6,
                Double.NaN,
                50_000,
                new Window(0, 1_000_000_000),
                Double.NaN,
                null);
        assertThat(sound.isMiscounted()).isFalse();
        assertThat(wrong.isMiscounted()).isTrue();
        assertThat(wrong.executed()).isEqualTo(1000);
    }

    @Test
    void windowsAndPowerGiveEnergyOfACall() throws IOException {
        PowerSeries power = new PowerSeries(
                "gpu0", new long[] {0, 2_000_000_000L, 4_000_000_000L}, new double[] {90, 90, 90}, new double[0]);
        PartsEnergy energy = PartsEnergy.of(isolated(), List.of(power), 30);
        // 60 W over 2 s in 30 executions; 8 calls.
        assertThat(energy.joules()).isCloseTo(32, within(1e-9));
        assertThat(energy.unmeasured()).isEqualTo(1);
        assertThat(energy.uncertainty()).isZero();
    }
}
