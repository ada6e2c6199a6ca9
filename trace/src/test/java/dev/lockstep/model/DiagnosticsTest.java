// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.Diagnostics.Entry;
import dev.lockstep.model.Diagnostics.Weight;
import org.junit.jupiter.api.Test;

class DiagnosticsTest {
    private final Diagnostics diagnostics = new Diagnostics();

    @Test
    void namesOfAnyLengthMakeNoEndlessMessage() {
        Diagnostics odd = new Diagnostics();
        odd.add(Diagnostics.Weight.REPAIRED, "a", "first: " + "x".repeat(1_000_000), -1);
        odd.add(Diagnostics.Weight.LOSS, "a", "first:" + "\ud83d\ude00".repeat(1_000_000), -1);

        assertThat(odd.problems())
                .singleElement()
                .extracting(Diagnostics.Entry::message)
                .asString()
                .hasSizeLessThan(3_000)
                .endsWith("\ude00…");
    }

    @Test
    void countsByCodeAndKeepsTheFirstExample() {
        diagnostics.add(Weight.REPAIRED, "ts_invalid", "first", 10);
        diagnostics.add(Weight.REPAIRED, "ts_invalid", "second", 20);
        diagnostics.add(Weight.OBSERVATION, "no_rank", "none", -1, 3);
        assertThat(diagnostics.problems()).containsExactly(new Entry(Weight.REPAIRED, "ts_invalid", 2, "first", 10));
        assertThat(diagnostics.observations()).containsExactly(new Entry(Weight.OBSERVATION, "no_rank", 3, "none", -1));
        assertThat(diagnostics.hasLoss()).isFalse();
    }

    @Test
    void lossesComeFirst() {
        diagnostics.add(Weight.REPAIRED, "a", "", 1);
        diagnostics.add(Weight.LOSS, "z", "", 2);
        assertThat(diagnostics.problems().stream().map(Entry::code)).containsExactly("z", "a");
        assertThat(diagnostics.hasLoss()).isTrue();
    }

    @Test
    void aLossIsNotHiddenByARepairOfTheSameCode() {
        diagnostics.add(Weight.REPAIRED, "syntax", "a comma too many", 1);
        diagnostics.add(Weight.LOSS, "syntax", "an event was skipped", 2);
        assertThat(diagnostics.hasLoss()).isTrue();
        Diagnostics other = new Diagnostics();
        other.addAll(diagnostics);
        assertThat(other.hasLoss()).isTrue();
        assertThat(other.problems()).isEqualTo(diagnostics.problems());
        assertThat(other.problems().stream().mapToLong(Entry::count).sum()).isEqualTo(2);
    }

    @Test
    void laterPartsAreAdded() {
        Diagnostics later = new Diagnostics();
        later.add(Weight.LOSS, "truncated", "there", 99);
        later.add(Weight.REPAIRED, "x", "later", 50, 4);
        diagnostics.add(Weight.REPAIRED, "x", "first", 5);
        diagnostics.addAll(later);
        assertThat(diagnostics.problems())
                .containsExactly(
                        new Entry(Weight.LOSS, "truncated", 1, "there", 99),
                        new Entry(Weight.REPAIRED, "x", 5, "first", 5));
    }
}
