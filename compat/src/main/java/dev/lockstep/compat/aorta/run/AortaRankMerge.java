// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.run;

import dev.lockstep.compat.aorta.AortaMerge;
import dev.lockstep.model.Trace;
import dev.lockstep.read.RankNames;
import dev.lockstep.sweep.merge.RankMerge;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** One file as AORTA's script merges: ranks go by their folders, and a number of them is announced in any case. */
final class AortaRankMerge implements RankMerge {
    private final Path target;
    private final AortaMerge merge;
    private final List<Integer> ranks = new ArrayList<>();
    private int announced;
    private long events;

    AortaRankMerge(Path target, Path staged, int announced) throws IOException {
        this.target = target;
        this.merge = new AortaMerge(Files.newOutputStream(staged));
        this.announced = announced;
    }

    @Override
    public void add(Trace trace) throws IOException {
        int rank = RankNames.rankOf(Path.of(trace.info().source()))
                .orElse(trace.info().rank().index());
        AortaMerge.Added added = merge.add(trace, rank);
        events += added.gpu() + added.cpu();
        ranks.add(rank);
        announced = Math.max(announced, rank + 1);
    }

    @Override
    public List<Merged> finish() throws IOException {
        events += merge.finish(announced);
        return List.of(new Merged(target, ranks, events));
    }

    @Override
    public void close() throws IOException {
        merge.close();
    }
}
