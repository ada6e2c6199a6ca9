// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.runs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.runs.Coverage.Part;
import dev.lockstep.runs.Coverage.State;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class CoverageTest {
    private static final Coverage GAPS = new Coverage(List.of(
            new Part("a", 0, State.COMPLETE, "rank0.json", ""),
            new Part("a", 1, State.MISSING, "", "no file"),
            new Part("a", 2, State.PARTIAL, "rank2.json", "cut"),
            new Part("a", -1, State.SET_ASIDE, "x.json", "no trace"),
            new Part("b", -1, State.MISSING, "b", "no traces")));

    @Test
    void whatIsMissingIsNamed() {
        assertThat(GAPS.isComplete()).isFalse();
        assertThat(GAPS.isEmpty()).isFalse();
        assertThat(GAPS.gaps()).extracting(Part::rank).containsExactly(1, 2, -1);
    }

    @Test
    void aFileThatBelongsToNoRankIsNoGap() {
        Coverage coverage = new Coverage(List.of(
                new Part("a", 0, State.COMPLETE, "rank0.json", ""),
                new Part("a", -1, State.SET_ASIDE, "x.json", "no trace")));
        assertThat(coverage.isComplete()).isTrue();
    }

    @Test
    void configurationsAreCounted() {
        Table table = GAPS.byConfiguration();
        assertThat(table.rows()).isEqualTo(2);
        assertThat(table.longs(1).get(0)).isEqualTo(3);
        assertThat(table.longs(2).get(0)).isEqualTo(2);
        assertThat(table.longs(3).get(0)).isEqualTo(1);
        assertThat(table.longs(4).get(0)).isEqualTo(1);
        assertThat(table.strings(5).get(0)).isEqualTo("rank 1 missing, rank 2 partial");
        assertThat(table.strings(5).get(1)).isEqualTo("all missing");
        assertThat(table.longs(1).get(1)).as("as many as the other has").isEqualTo(3);
        assertThat(table.longs(3).get(1)).isEqualTo(3);
    }

    /** By the number of configurations, not by its square: each would look at all the others. */
    @Test
    @Timeout(20)
    void veryManyConfigurationsAreCountedInTime() {
        List<Part> parts = new ArrayList<>();
        List<String> labels = new ArrayList<>();
        for (int i = 0; i < 30_000; i++) {
            labels.add("c" + i);
            parts.add(new Part("c" + i, i % 2 == 0 ? 0 : -1, State.MISSING, "", "no trace"));
        }
        Coverage coverage = new Coverage(parts).withRanksOfOthers(labels);

        assertThat(coverage.byConfiguration().rows()).isEqualTo(labels.size());
        assertThat(coverage.expected()).hasSize(labels.size()).containsEntry("c1", 1);
    }

    @Test
    void aConfigurationOfUnknownSizeLacksTheRanksThatOthersHave() {
        Coverage coverage = new Coverage(List.of(
                        new Part("a", 0, State.COMPLETE, "a/rank0.json", ""),
                        new Part("b", 0, State.COMPLETE, "b/rank0.json", ""),
                        new Part("b", 1, State.COMPLETE, "b/rank1.json", "")))
                .withRanksOfOthers(List.of("a"));

        assertThat(coverage.gaps())
                .containsExactly(new Part("a", 1, State.MISSING, "", "no file for this rank, which others have"));
        assertThat(coverage.labels()).containsExactly("a", "b");
    }
}
