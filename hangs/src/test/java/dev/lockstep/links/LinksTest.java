// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.links;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.report.Subject;
import dev.lockstep.synth.InspectorFault;
import dev.lockstep.synth.InspectorRecipe;
import dev.lockstep.synth.InspectorRun;
import dev.lockstep.synth.Workers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Of jobs that another program makes, the place that lacks a tenth of its bandwidth is named, and nobody else; of sound ones none.
 * {@code -Dlinks.seeds=400} makes the rows of docs/concepts/chance.md.
 */
class LinksTest {
    private static final int SEEDS = Integer.getInteger("links.seeds", 1);
    private static final int RANKS = Integer.getInteger("links.ranks", 64);
    private static final int STEPS = Integer.getInteger("links.steps", 120);
    private static final String ONLY = System.getProperty("links.only", "");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource
    void theSlowPlaceIsNamedAndNothingElse(InspectorFault fault) throws IOException {
        int right = 0;
        StringBuilder wrong = new StringBuilder();
        int seeds = ONLY.isEmpty() || ONLY.equals(fault.word()) ? SEEDS : 0;
        for (long seed = 1; seed <= seeds; seed++) {
            double lost = seed % 3 == 0 ? 0.02 : 0;
            InspectorRecipe recipe = new InspectorRecipe(fault, RANKS, STEPS, 0.1, lost, seed);
            Path logs = folder.resolve(fault.word());
            InspectorRun.Truth truth = InspectorRun.write(logs, recipe, Workers.none());
            List<Finding> found = Links.of(Links.files(List.of(logs.toString())), "").report().findings().stream()
                    .filter(one -> one.severity() != Severity.INFO)
                    .toList();
            boolean isRight = fault == InspectorFault.NONE
                    ? found.isEmpty()
                    : found.size() == 1
                            && found.getFirst().code().equals("link_" + truth.kind())
                            && found.getFirst().subject() instanceof Subject.OfRanks named
                            && named.ranks().equals(truth.ranks());
            right += isRight ? 1 : 0;
            if (!isRight) {
                wrong.append(truth)
                        .append(found.stream().map(Finding::text).toList())
                        .append('\n');
            }
        }
        if (SEEDS > 1) {
            System.out.println(fault + ": " + right + " of " + seeds);
        }
        int least = fault == InspectorFault.NONE ? (int) Math.floor(0.95 * seeds) : seeds;
        assertThat(right).as(wrong.toString()).isGreaterThanOrEqualTo(least);
    }
}
