// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.comm.RankGains;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.ranks.KeptRank;
import dev.lockstep.ranks.MatchedRanks;
import dev.lockstep.session.RankSelection;
import dev.lockstep.session.RankSet;
import dev.lockstep.session.RankSet.Member;
import dev.lockstep.session.Session;
import dev.lockstep.session.TraceFiles;
import dev.lockstep.synth.Straggler;
import dev.lockstep.synth.Straggler.Kind;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run with a file for each node, in which no rank says its number. */
class RanksOfNodeFilesTest {
    private static final int NODES = 2;
    private static final int RANKS_OF_NODE = 2;

    @TempDir
    private Path folder;

    /** What is read again of a file is the rank that is meant, not the one that has its number inside of the file. */
    @Test
    void aSlowRankCostsTheSameWhereRanksAreReadAgain() throws IOException {
        Path run = run(SyntheticTraces.smallRecipe(NODES * RANKS_OF_NODE)
                .withSteps(5)
                .withHidden(2048)
                .withStraggler(new Straggler(2, Kind.DEVICE, 1.5)));
        try (Session session = new Session(1)) {
            RankGains kept = gains(run, session, rank -> rank);
            RankGains again = gains(run, session, rank -> new KeptRank(rank.collectives(), rank.steps(), null));
            assertThat(kept.rows()).extracting(RankGains.Row::rank).contains(2);
            assertThat(again).isEqualTo(kept);
        }
    }

    private static RankGains gains(Path run, Session session, UnaryOperator<KeptRank> keep) throws IOException {
        RankSet<KeptRank> ranks = RankSet.read(
                        session,
                        TraceFiles.of(List.of(run.toString())),
                        RankSelection.any(),
                        trace -> KeptRank.of(new DerivedCache(trace)),
                        bytes -> {})
                .withKept(member -> keep.apply(Objects.requireNonNull(member.kept())));
        assertThat(ranks.present()).extracting(Member::rank).containsExactly(0, 1, 2, 3);
        return new MatchedRanks(ranks, "run", CollectiveOptions.standard(), session).gains();
    }

    private Path run(TraceRecipe recipe) throws IOException {
        Path run = Files.createDirectories(folder.resolve("run"));
        Path parts = Files.createDirectories(folder.resolve("parts"));
        for (int node = 0; node < NODES; node++) {
            List<Object> words = new ArrayList<>(List.of("merge"));
            for (int inside = 0; inside < RANKS_OF_NODE; inside++) {
                String trace = new String(SyntheticRun.bytes(recipe, node * RANKS_OF_NODE + inside), UTF_8);
                words.add(Files.writeString(
                        parts.resolve("part" + (char) ('a' + inside) + ".json"),
                        trace.replace("\"distributedInfo\"", "\"otherInfo\"")));
            }
            words.addAll(List.of("-o", run.resolve("node" + (char) ('a' + node) + ".pftrace")));
            StringWriter err = new StringWriter();
            assertThat(TestProgram.run(new StringWriter(), err, words.toArray()))
                    .as(err.toString())
                    .isZero();
        }
        return run;
    }
}
