// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.kernels.ForwardPasses;
import dev.lockstep.power.PowerSeries;
import dev.lockstep.replay.reconcile.Part.Identity;
import dev.lockstep.replay.reconcile.Part.Window;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReconciliationFindingsTest {
    private static final long S = 1_000_000_000;

    /** A part that runs once a pass. */
    private static Part part(String name, double ns, long runs, @Nullable Window window) {
        return new Part(Identity.of(name, "lib"), 1, Double.NaN, ns, Double.NaN, runs, window, Double.NaN, null);
    }

    private static List<Finding> of(List<Part> parts, Whole whole) {
        return new ReconciliationFindings(new Reconciliation(MeasuredParts.of("x", parts), whole, null, null)).all();
    }

    private static Whole whole(double ns) {
        return new Whole("stated", ns, Double.NaN, Whole.Activity.UNKNOWN);
    }

    private static List<Finding> ofEnergy(Part part, double watts, double idle, Whole whole) {
        MeasuredParts parts = MeasuredParts.of("x", List.of(part));
        PowerSeries power = new PowerSeries(
                "gpu0", new long[] {0, S, 2 * S, 3 * S}, new double[] {watts, watts, watts, watts}, new double[0]);
        return new ReconciliationFindings(
                        new Reconciliation(parts, whole, null, PartsEnergy.of(parts, List.of(power), idle)))
                .ofEnergy();
    }

    @Test
    void sharesAreNoticedFromAQuarterOn() {
        assertThat(of(List.of(part("a", 75, -1, null)), whole(100)).getFirst().severity())
                .isEqualTo(Severity.INFO);
        assertThat(of(List.of(part("a", 74, -1, null)), whole(100)).getFirst().severity())
                .isEqualTo(Severity.NOTICE);
        assertThat(of(List.of(part("a", 126, -1, null)), whole(100)).getFirst().severity())
                .isEqualTo(Severity.NOTICE);
        assertThat(of(List.of(part("a", 126, -1, null)), Whole.UNKNOWN)).isEmpty();
    }

    @Test
    void aWholeThatTakesNoTimeOrLessIsNotKnown() {
        for (double ns : new double[] {0, -5, Double.POSITIVE_INFINITY}) {
            assertThat(of(List.of(part("a", 75, -1, null)), whole(ns))).isEmpty();
        }
    }

    /** Of 100, 60 are known from the recording; with 90 in recorded order, the device was idle for 40. */
    @Test
    void theLargestPartOfADifferenceDoesNotGoAgainstIt() {
        Part part = new Part(Identity.of("a", "lib"), 1, Double.NaN, 90, Double.NaN, -1, null, 35, null);
        Whole traced = new Whole("trace", 100, Double.NaN, new Whole.Activity(60, 60));

        assertThat(of(List.of(part), traced).getFirst().text())
                .contains("The largest part of the difference is launch gaps");
        assertThat(of(List.of(part("a", 100, -1, null)), whole(100)).getFirst().text())
                .doesNotContain("largest part");
    }

    /** The log ends long before the window of the part begins. */
    @Test
    void whereNoEnergyIsKnownThereIsNoShare() {
        Whole stated = new Whole("stated", 100, 2, Whole.Activity.UNKNOWN);

        assertThat(ofEnergy(part("a", 1e6, 1000, new Window(100 * S, 101 * S)), 100, 0, stated))
                .extracting(Finding::code)
                .containsExactly("energy_missing");
    }

    @Test
    void wholesWithLittleInKernelsLookBoundByTheHost() {
        assertThat(of(List.of(part("a", 49, -1, null)), whole(100)).getFirst().text())
                .isEqualTo(
                        "The parts make up 49 % of a pass: 0.000 ms of 0.000 ms. The largest part of the difference is"
                                + " launch gaps, overlap and host, not told apart, 0.000 ms. With so little of it in kernels, the"
                                + " pass looks CPU-bound or launch-bound, if both ran the same work. Check that lengths, batch and"
                                + " caches are alike.");
        assertThat(of(List.of(part("a", 50, -1, null)), whole(100)).getFirst().text())
                .doesNotContain("CPU-bound");
        Whole traced = new Whole("trace", 100, Double.NaN, new Whole.Activity(80, 80));
        assertThat(of(List.of(part("a", 49, -1, null)), traced).getFirst().text())
                .contains("device time that the parts do not reach")
                .doesNotContain("CPU-bound");
    }

    @Test
    void sumsOfSeveralPassesAreNotComparedWithOne() {
        Part part = new Part(Identity.of("a", "lib"), 6, Double.NaN, 1e6, Double.NaN, -1, null, Double.NaN, null);
        Reconciliation three = new Reconciliation(
                MeasuredParts.of("x", List.of(part)),
                whole(3e6),
                new ForwardPasses(3, ForwardPasses.Source.GIVEN, Double.NaN),
                null);

        assertThat(new ReconciliationFindings(three).all().getFirst().text())
                .startsWith("The trace holds 3 passes (from ")
                .endsWith(
                        "Its sum of 6.000 ms is that of 3 passes. Compared with one pass it would look 100 % off. One pass"
                                + " takes 2.000 ms.");
        Reconciliation one = new Reconciliation(
                three.isolated(), whole(3e6), new ForwardPasses(1, ForwardPasses.Source.GIVEN, Double.NaN), null);
        assertThat(new ReconciliationFindings(one).all())
                .extracting(Finding::code)
                .containsExactly("explained_share");
    }

    @Test
    void countsThatCannotBeAreNamed() {
        Window second = new Window(0, S);
        List<Part> parts =
                List.of(part("a", 1e6, 50_000, second), part("b", 1e6, 2_000, second), part("c", 1e6, 10_000, second));

        Finding finding = of(parts, Whole.UNKNOWN).getFirst();

        assertThat(finding.severity()).isEqualTo(Severity.PROBLEM);
        assertThat(finding.text())
                .isEqualTo(
                        "3 parts cannot have run as often as stated: their window holds 10 times fewer runs. The first"
                                + " states 50,000, but 1,000 are possible. The possible count is used, as the stated one makes the"
                                + " energy too small.");
    }

    @Test
    void manyPartsWithFewTimesLookLikeOneOperation() {
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < 21; i++) {
            parts.add(part("kernel" + i, 1_000 + 200 * (i % 7), -1, null));
        }
        assertThat(of(parts, Whole.UNKNOWN)).singleElement().satisfies(finding -> {
            assertThat(finding.code()).isEqualTo("few_times");
            assertThat(finding.text())
                    .startsWith("21 different parts of kind 'lib' take only 7 different times (to 0.2 µs). They look");
        });
        assertThat(of(parts.subList(0, 20), Whole.UNKNOWN)).isEmpty(); // three names for a time, 20 are fewer
        for (int i = 0; i < 20; i++) {
            parts.set(i, part("kernel" + i, 1_000, -1, null));
        }
        assertThat(of(parts.subList(0, 20), Whole.UNKNOWN)).hasSize(1);
        assertThat(of(parts.subList(0, 19), Whole.UNKNOWN)).isEmpty();
    }

    @Test
    void energyFindingsSayWhatLacks() {
        Part noWindow = part("a", 1e6, 10, null);
        assertThat(ofEnergy(noWindow, 50, 0, Whole.UNKNOWN)).singleElement().satisfies(finding -> {
            assertThat(finding.code()).isEqualTo("energy_missing");
            assertThat(finding.text())
                    .isEqualTo("The energy of 1 of 1 parts is unknown: no window, or no power in it.");
        });
        Part part = part("a", 2e8, 5, new Window(S, 2 * S)); // busy all the time
        assertThat(ofEnergy(part, 50, 0, Whole.UNKNOWN))
                .singleElement()
                .satisfies(finding -> assertThat(finding.text())
                        .isEqualTo(
                                "The windows of 1 of 1 parts hold fewer than 20 samples of power. Longer ones hold more:"
                                        + " lockstep replay run --window 25200."));
        assertThat(ofEnergy(part("a", 2e8, 2, new Window(S, 2 * S)), 50, 0, Whole.UNKNOWN))
                .extracting(Finding::text)
                .contains(
                        "1 of 1 parts ran in less than half of their window. Their energy includes what the device takes"
                                + " between executions. --idle subtracts idle power.");
        assertThat(ofEnergy(part, 50, 60, Whole.UNKNOWN).getFirst().text())
                .isEqualTo(
                        "Some parts take less than the subtracted 60.00 W of idle power. The device was not at rest when"
                                + " that was measured.");
    }

    @Test
    void energyOfThePartsIsSetAgainstThatOfTheWhole() {
        Part part = part("a", 2e8, 5, new Window(S, 2 * S));
        Whole whole = new Whole("", Double.NaN, 40, Whole.Activity.UNKNOWN);

        // 50 W for a second in 5 executions, one of them in a pass
        assertThat(ofEnergy(part, 50, 0, whole).getLast().text())
                .isEqualTo("The parts make up 25 % of the energy of a pass: 10.00 J ± 0.000 J of 40.00 J. It includes"
                        + " idle power. --idle subtracts that.");
        assertThat(ofEnergy(part, 50, 10, whole).getLast().text())
                .isEqualTo(
                        "The parts make up 20 % of the energy of a pass: 8.000 J ± 0.000 J of 40.00 J. 10.00 W of idle"
                                + " power are subtracted.");
    }
}
