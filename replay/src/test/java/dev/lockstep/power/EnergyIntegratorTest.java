// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.power;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.power.Energy.Method;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class EnergyIntegratorTest {
    private static final long S = 1_000_000_000L;

    /** Power that rises by 10 W in each second. */
    private static PowerSeries ramp(int seconds) {
        long[] ns = new long[seconds + 1];
        double[] watts = new double[seconds + 1];
        for (int i = 0; i <= seconds; i++) {
            ns[i] = i * S;
            watts[i] = 10.0 * i;
        }
        return new PowerSeries("gpu0", ns, watts, new double[0]);
    }

    @Test
    void endsOfWindowsAreInterpolated() {
        Energy energy = new EnergyIntegrator(ramp(10)).of(S / 2, 5 * S / 2);
        // From 5 W to 25 W in two seconds.
        assertThat(energy.joules()).isCloseTo(30, within(1e-9));
        assertThat(energy.samples()).isEqualTo(2);
        assertThat(energy.method()).isEqualTo(Method.TRAPEZOID);
        // Power from 0 to 30 W around the window, samples a second apart at both ends.
        assertThat(energy.uncertainty()).isCloseTo(30, within(1e-9));
        assertThat(energy.without(3).joules()).isCloseTo(24, within(1e-9));
    }

    @Test
    void aWindowBetweenSamplesIsALine() {
        Energy energy = new EnergyIntegrator(ramp(10)).of(S / 4, 3 * S / 4);
        assertThat(energy.joules()).isCloseTo(2.5, within(1e-9));
        assertThat(energy.method()).isEqualTo(Method.INTERPOLATED);
    }

    @Test
    void partsOfAWindowAddUp() {
        EnergyIntegrator integrator = new EnergyIntegrator(ramp(10));
        double whole = integrator.of(S / 3, 9 * S).joules();
        double parts = integrator.of(S / 3, 4 * S).joules()
                + integrator.of(4 * S, 9 * S).joules();
        assertThat(parts).isCloseTo(whole, within(1e-6));
    }

    @Test
    void nothingIsMadeUpFarFromSamples() {
        assertThat(new EnergyIntegrator(ramp(10)).of(100 * S, 101 * S).joules()).isNaN();
    }

    @Test
    void aGapInTheWindowAddsToTheUncertainty() {
        long[] ns = {0, S, 2 * S, 3 * S, 13 * S, 14 * S, 15 * S, 16 * S};
        double[] watts = {50, 50, 50, 50, 70, 70, 70, 70};
        Energy energy = new EnergyIntegrator(new PowerSeries("gpu0", ns, watts, new double[0])).of(S, 15 * S);
        assertThat(energy.joules()).isCloseTo(50 * 2 + 60 * 10 + 70 * 2, within(1e-9));
        // 20 W either way, over the ten seconds of the gap and one second at each end.
        assertThat(energy.uncertainty()).isCloseTo(20 * 12 / 2.0, within(1e-9));
    }

    @Test
    void devicesAreAddedUp() {
        Energy one = new EnergyIntegrator(ramp(10)).of(0, 2 * S);
        Energy both = one.plus(one).without(5);
        assertThat(both.joules()).isCloseTo(2 * 20 - 5 * 2, within(1e-9));
        assertThat(both.uncertainty()).isCloseTo(2 * one.uncertainty(), within(1e-9));
        assertThat(both.watts()).isCloseTo(15, within(1e-9));
    }

    @Test
    void aCounterIsPreferredWhenItWasUpdatedOftenEnough() {
        long[] ns = new long[101];
        double[] watts = new double[101];
        double[] joules = new double[101];
        for (int i = 0; i <= 100; i++) {
            ns[i] = i * S / 10;
            watts[i] = 50;
            joules[i] = 1000 + i * 10;
        }
        EnergyIntegrator integrator = new EnergyIntegrator(new PowerSeries("gpu0", ns, watts, joules));
        Energy counted = integrator.of(S, 5 * S);
        assertThat(counted.method()).isEqualTo(Method.COUNTER);
        assertThat(counted.joules()).isCloseTo(400, within(1e-9));
        Energy sampled = integrator.of(S, 2 * S);
        assertThat(sampled.method()).isEqualTo(Method.TRAPEZOID);
        assertThat(sampled.joules()).isCloseTo(50, within(1e-9));
    }

    /** The counter is read until 3 s, 30 times in the window: what it counted until then is not all of the window. */
    @Test
    void aCounterThatEndsBeforeTheWindowDoesNotTellItsEnergy() {
        long[] ns = new long[31];
        double[] joules = new double[31];
        for (int i = 0; i <= 30; i++) {
            ns[i] = i * S / 10;
            joules[i] = 10 * i;
        }
        double[] watts = joules.clone();
        Arrays.fill(watts, 100);
        EnergyIntegrator integrator = new EnergyIntegrator(new PowerSeries("gpu0", ns, watts, joules));

        assertThat(integrator.of(S / 10, 10 * S).joules()).isNaN();
        assertThat(integrator.of(-5 * S, 3 * S).joules()).isNaN();
        assertThat(integrator.of(S / 10, 3 * S + S / 5).joules()).isCloseTo(290, within(1e-9));
    }
}
