// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep.merge;

import dev.lockstep.merge.Alignment;
import dev.lockstep.merge.MergeOptions;
import dev.lockstep.merge.MergeSummary;
import dev.lockstep.merge.MergeSummary.Part;
import dev.lockstep.merge.TimelineMerge;
import dev.lockstep.model.Trace;
import dev.lockstep.timeline.TimelineOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** One file as the program itself merges. */
final class PlainRankMerge implements RankMerge {
    private final Path target;
    private final TimelineOutput file;
    private final TimelineMerge merge;

    PlainRankMerge(Path target, TimelineOutput file, MergeOptions options, Alignment alignment) {
        this.target = target;
        this.file = file;
        this.merge = new TimelineMerge(file, options, alignment);
    }

    @Override
    public void add(Trace trace) throws IOException {
        merge.add(trace);
    }

    @Override
    public List<Merged> finish() throws IOException {
        MergeSummary summary = merge.finish();
        long events = 0;
        for (Part part : summary.ranks()) {
            events += part.slices() + part.marks() + part.flowEnds();
        }
        return List.of(
                new Merged(target, summary.ranks().stream().map(Part::rank).toList(), events));
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
