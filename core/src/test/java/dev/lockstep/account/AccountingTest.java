// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.account.Accounting.Contribution;
import dev.lockstep.account.Part.Identity;
import dev.lockstep.account.Part.Window;
import dev.lockstep.codec.Json;
import dev.lockstep.codec.Json.Members;
import dev.lockstep.power.PowerSeries;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class AccountingTest {
    private static final String RESULT = """
            {"format": "lockstep-replay-result", "version": 1, "steps": 2,
             "operators": [
              {"id": 0, "name": "aten::mm", "status": "ran", "executed": 30, "host": {"median_ns": 900},
               "device": {"median_ns": 100}, "window": {"start_ns": 1000000000, "end_ns": 3000000000},
               "calls": 8, "calls_per_step": 4, "recorded_cpu_ns": 9000, "recorded_device_ns": 960},
              {"id": 1, "name": "c10d::allreduce_", "status": "not-run", "reason": "collective", "calls": 2,
               "calls_per_step": 1, "recorded_device_ns": 200}]}
            """;

    private static Isolated isolated() throws IOException {
        return ReplayResultFile.read((Members) Json.parse(RESULT), "result.json");
    }

    @Test
    void contributionsLeadFromThePartsToTheWhole() throws IOException {
        Whole whole = new Whole("trace", 1000, Double.NaN, new Whole.Activity(650, 700));
        Accounting account = new Accounting(isolated(), whole, isolated().forwards(0), null);
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

    @Test
    void withoutATraceTheRestIsNotToldApart() throws IOException {
        Whole whole = new Whole("stated", 1000, Double.NaN, Whole.Activity.UNKNOWN);
        List<Contribution> found = new Accounting(isolated(), whole, isolated().forwards(0), null).contributions();
        assertThat(found.getLast().ns()).isCloseTo(420, within(1e-9));
    }

    @Test
    void statedRunsThatCannotBeAreNotBelieved() {
        Part sound = new Part(Identity.of("a", ""), 1, Double.NaN, 1e6, Double.NaN, 1000, new Window(0, 1_000_000_000), Double.NaN, null);
        Part wrong = new Part(Identity.of("a", ""), 1, Double.NaN, 1e6, Double.NaN, 50_000, new Window(0, 1_000_000_000), Double.NaN, null);
        assertThat(sound.isMiscounted()).isFalse();
        assertThat(wrong.isMiscounted()).isTrue();
        assertThat(wrong.executed()).isEqualTo(1000);
    }

    @Test
    void windowsAndPowerGiveEnergyOfACall() throws IOException {
        PowerSeries power = new PowerSeries(
                "gpu0", new long[] {0, 2_000_000_000L, 4_000_000_000L}, new double[] {90, 90, 90}, new double[0]);
        EnergyAccount energy = EnergyAccount.of(isolated(), List.of(power), 30);
        // 60 W over 2 s in 30 executions; 8 calls.
        assertThat(energy.joules()).isCloseTo(32, within(1e-9));
        assertThat(energy.unmeasured()).isEqualTo(1);
        assertThat(energy.uncertainty()).isZero();
    }
}
