// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.hangs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.report.Finding;
import dev.lockstep.report.Subject;
import dev.lockstep.session.Session;
import dev.lockstep.synth.HangFault;
import dev.lockstep.synth.HangRecipe;
import dev.lockstep.synth.HangRun;
import dev.lockstep.synth.Workers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Of jobs that are made by another program, the culprit and what it did are named, and nobody else. */
class HangsTest {
    private static final int SEEDS = Integer.getInteger("hangs.seeds", 1);
    private static final long FIRST = Long.getLong("hangs.first", 1);
    private static final int[] RANKS = SEEDS > 1 ? new int[] {8, 16, 24, 64, 256, 40, 12, 1024} : new int[] {8, 24, 16};

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource
    void theCulpritIsNamedAndNobodyElse(HangFault fault) throws IOException {
        try (Session session = new Session(2)) {
            for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
                double missing = seed % 3 == 0 ? 0.1 : 0;
                int ranks = RANKS[(int) (seed % RANKS.length)];
                HangRecipe recipe = new HangRecipe(fault, ranks, 300, missing, seed % 2 == 0, seed);
                Path job = folder.resolve(fault.word() + seed);
                HangRun.Truth truth = HangRun.write(job, recipe, Workers.none());
                List<Path> files = Hangs.files(List.of(job.toString()));
                demand(truth, Hangs.of(files, "", true, session, read -> {}));
            }
        }
    }

    private static void demand(HangRun.Truth truth, Hangs found) {
        Finding first = found.report().findings().getFirst();
        String said = truth.recipe() + " truth " + truth + ": "
                + found.report().findings().stream().map(Finding::text).toList();
        boolean hangs = truth.recipe().fault() != HangFault.NONE;
        assertThat(found.hang()).as(said).isEqualTo(hangs);
        assertThat(found.problems()).isEmpty();
        if (!hangs) {
            assertThat(first.code()).as(said).isEqualTo("hang_none");
            return;
        }
        assertThat(first.code().replaceFirst("hang_", "")).as(said).isIn(truth.kinds());
        assertThat(first.subject()).as(said).isInstanceOf(Subject.OfRanks.class);
        List<Integer> named = ((Subject.OfRanks) first.subject()).ranks();
        if (truth.kinds().contains("no_dump")) {
            assertThat(named).as(said).containsAnyElementsOf(truth.culprits());
        } else {
            assertThat(named).as(said).isEqualTo(truth.culprits());
        }
        assertThat(found.report().findings().stream().filter(f -> f.severity() == Finding.Severity.NOTICE))
                .as(said)
                .isEmpty();
    }
}
