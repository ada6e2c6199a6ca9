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
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Of jobs that are made by another program, the culprit and what it did are named, and nobody else. */
class HangsTest {
    private static final int SEEDS = Integer.getInteger("hangs.seeds", 1);
    private static final long FIRST = Long.getLong("hangs.first", 1);
    private static final int HEALTHY = SEEDS > 1 ? 3 : 1;
    private static final int[] RANKS = SEEDS > 1
            ? new int[] {8, 16, 24, 64, 256, 40, 12, 1024, 8, 48, 128, 32, 96, 512, 4096, 20, 64, 8, 16, 192}
            : new int[] {8, 24, 16};

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource
    void theCulpritIsNamedAndNobodyElse(HangFault fault) throws IOException {
        try (Session session = new Session(2)) {
            int seeds = fault == HangFault.NONE ? HEALTHY * SEEDS : SEEDS;
            for (long seed = FIRST; seed < FIRST + seeds; seed++) {
                double missing = seed % 3 == 0 ? 0.1 : 0;
                int ranks = RANKS[(int) (seed % RANKS.length)];
                HangRecipe recipe = new HangRecipe(fault, ranks, 300, missing, seed % 2 == 0, seed);
                Path job = folder.resolve(fault.word() + seed);
                HangRun.Truth truth = HangRun.write(job, recipe, Workers.none());
                List<Path> files = Hangs.files(List.of(job.toString()));
                demand(truth, Hangs.of(files, List.of(), "", true, session, read -> {}));
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
        assertThat(first.code().replaceFirst("hang_", "")).as(said).isEqualTo(truth.kind());
        assertThat(first.subject()).as(said).isInstanceOf(Subject.OfRanks.class);
        List<Integer> named = ((Subject.OfRanks) first.subject()).ranks();
        if (truth.kind().equals("no_dump")) {
            List<Integer> undumped = new ArrayList<>(truth.culprits());
            undumped.addAll(truth.missing());
            assertThat(named).as(said).containsAnyElementsOf(truth.culprits()).isSubsetOf(undumped);
        } else {
            assertThat(named).as(said).isEqualTo(truth.culprits());
        }
        assertThat(found.report().findings().stream().filter(f -> f.severity() == Finding.Severity.NOTICE))
                .as(said)
                .isEmpty();
    }
}
