// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.clocks.ClockRun;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.model.Rank;
import dev.lockstep.model.TraceInfo;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CollectiveAlignmentTest {
    private static final long SECOND = 1_000_000_000;

    @Test
    void whenTheFirstRankSharesNothingAnotherIsTheReference() {
        ClockRun run = new ClockRun(7, 4, SECOND / 2).clocks(1, 5_000_000, 0).collectives(60, 1_000, 0, -1, 1, 2, 3);
        run.record();
        CollectiveAlignment alignment = new CollectiveAlignment(run.ranks, 0);
        assertThat(alignment.isComplete()).isFalse();
        assertThat(alignment.json()).contains("\"reference\":1").contains("{\"rank\":0,\"aligned\":false}");
        assertThat(alignment.sentences().getFirst()).contains("rank 1");
    }

    @Test
    void aRankThatSharesNoCollectiveIsSaidToBeUnaligned() {
        ClockRun run = new ClockRun(9, 3, SECOND / 100);
        run.clocks[1] = new ClockRun.True(5_000, 0);
        run.collectives(40, 50, 0, -1, 0, 1);
        run.record();
        CollectiveAlignment alignment = new CollectiveAlignment(run.ranks, 0);
        assertThat(alignment.isComplete()).isFalse();
        assertThat(alignment.json()).contains("{\"rank\":2,\"aligned\":false}");
        assertThat(alignment.sentences().getLast()).contains("nothing ties it to rank 0");
    }

    @Test
    void ranksThatShareNoCollectiveAtAllAreSaidToBeUnaligned() {
        ClockRun run = new ClockRun(11, 3, SECOND / 100);
        run.record();
        CollectiveAlignment alignment = new CollectiveAlignment(run.ranks, 0);
        assertThat(alignment.sentences()).singleElement().asString().startsWith("clocks are not aligned");
        assertThat(alignment.json()).contains("\"note\":\"Between ranks that are not aligned");
    }

    @Test
    void oneRankIsSaidToHaveNothingToBeAlignedWith() {
        ClockRun run = new ClockRun(12, 1, SECOND / 100);
        run.record();
        CollectiveAlignment alignment = new CollectiveAlignment(run.ranks, 0);
        assertThat(alignment.sentences()).singleElement().asString().startsWith("there is one rank");
        assertThat(alignment.json()).doesNotContain("\"note\"");
    }

    @Test
    void theEarliestRankIsKnownBeforeTheRanksAreWritten() {
        ClockRun run = new ClockRun(13, 2, SECOND / 100);
        run.clocks[1] = new ClockRun.True(7_000_000, 0);
        run.collectives(40, 0, 0, -1, 0, 1);
        run.record();
        long first = run.first(0);
        assertThat(new CollectiveAlignment(run.ranks, 0).earliest()).isBetween(first - 40_000, first);
    }

    @Test
    void theManifestMovesTheFilesOntoTheReference() {
        ClockRun run = new ClockRun(10, 2, SECOND / 100);
        run.clocks[1] = new ClockRun.True(123_456, 0);
        run.collectives(40, 0, 0, -1, 0, 1);
        List<RankCollectives> ranks = run.record();
        for (int rank = 0; rank < 2; rank++) {
            ranks.set(rank, named(ranks.get(rank), "runs/rank" + rank + "/trace.json"));
        }
        String manifest = new CollectiveAlignment(ranks, 0).manifest();
        assertThat(manifest)
                .startsWith("{\"perfetto_manifest\":{\"version\":1,")
                .contains("{\"path\":\"rank0/trace.json\",\"machine\":{\"name\":\"rank 0\"}}")
                .contains("{\"path\":\"rank1/trace.json\",\"machine\":{\"name\":\"rank 1\"},\"clocks\":{\"sync_to\":"
                        + "{\"file\":\"rank0/trace.json\"},\"offset_ns\":-123456}}")
                .contains("\"lockstep.rank1.error_ns\":");
    }

    private static RankCollectives named(RankCollectives rank, String source) {
        Rank number = rank.info().rank();
        return rank.withInfo(new TraceInfo(source, "kineto-json", number, 2, List.of(), 0, Map.of()));
    }
}
