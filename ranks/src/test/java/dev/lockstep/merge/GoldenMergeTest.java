// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.model.Trace;
import dev.lockstep.read.ReadOptions.Keep;
import dev.lockstep.session.Session;
import dev.lockstep.testkit.Golden;
import dev.lockstep.testkit.TestTraces;
import dev.lockstep.timeline.ChromeJsonWriter;
import dev.lockstep.timeline.TimelineOutput;
import dev.lockstep.timeline.TraceWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A merge small enough to work out by hand; the README of the golden cases says how. */
class GoldenMergeTest {
    private static final Path CASE = Golden.folder("merge", "two-ranks");

    @TempDir
    Path written;

    private static Trace rank(int number) throws IOException {
        byte[] content = Files.readAllBytes(CASE.resolve("ranks/rank" + number + ".json"));
        return TestTraces.read(content, 1, Keep.EVERYTHING);
    }

    private static RankCollectives kernels(int number) throws IOException {
        return new DerivedCache(rank(number)).get(RankCollectives.Key.standard());
    }

    private MergeSummary merge(Alignment alignment) throws IOException {
        Path file = written.resolve("merged.json");
        try (Session session = new Session(1);
                TimelineOutput output =
                        new ChromeJsonWriter().open(file, new TraceWriter.Options(false, session.pool(), 1))) {
            TimelineMerge merge = new TimelineMerge(output, MergeOptions.standard(), alignment);
            merge.add(rank(0));
            merge.add(rank(1));
            return merge.finish();
        }
    }

    @Test
    void ranksOnOneClockAreAsReviewed() throws IOException {
        List<RankCollectives> evidence = List.of(kernels(0), kernels(1));
        MergeSummary summary = merge(new CollectiveAlignment(evidence, -1));
        assertThat(summary.slices()).isEqualTo(22);
        Files.write(written.resolve("said.txt"), summary.clocks());
        Golden.check(written, CASE.resolve("expected"));
    }
}
