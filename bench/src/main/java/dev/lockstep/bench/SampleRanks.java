// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.bench;

import dev.lockstep.merge.Alignment;
import dev.lockstep.merge.MergeOptions;
import dev.lockstep.merge.MergeSummary;
import dev.lockstep.merge.TimelineMerge;
import dev.lockstep.model.Trace;
import dev.lockstep.read.ReadOptions.Keep;
import dev.lockstep.session.RankSelection;
import dev.lockstep.session.RankSet;
import dev.lockstep.session.Session;
import dev.lockstep.synth.Layout;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.TraceRecipe;
import dev.lockstep.timeline.TimelineOutput;
import dev.lockstep.timeline.TraceWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Four ranks of a synthetic run, as plain JSON.
 *
 * @param files one for each rank
 * @param bytes size of all
 */
record SampleRanks(List<Path> files, long bytes) {
    static final int COUNT = 4;

    private static final long BYTES_PER_MEGABYTE = 1_000_000;

    /**
     * Makes them.
     *
     * @param scratch takes the files
     * @param megabytes size of each
     */
    static SampleRanks write(Path scratch, int megabytes) throws IOException {
        TraceRecipe recipe = TraceRecipe.standard().withRanks(COUNT).withBytesPerRank(megabytes * BYTES_PER_MEGABYTE);
        SyntheticRun.write(scratch, recipe, Layout.flat());
        List<Path> files = IntStream.range(0, COUNT)
                .mapToObj(rank -> scratch.resolve("rank" + rank + "_trace.json"))
                .toList();
        long bytes = 0;
        for (Path file : files) {
            bytes += Files.size(file);
        }
        return new SampleRanks(files, bytes);
    }

    /** Puts them on one timeline, in the format that the name of the output asks for. */
    MergeSummary merge(Session session, Path into) throws IOException {
        TraceWriter writer = session.registry().traceWriterFor(into);
        boolean packed = into.toString().endsWith(".gz");
        try (TimelineOutput output =
                writer.open(into, new TraceWriter.Options(packed, session.pool(), session.jobs()))) {
            TimelineMerge merge = new TimelineMerge(output, MergeOptions.standard(), Alignment.none());
            RankSet.readInOrder(
                    session, files, RankSelection.any(), Keep.RECORDING, trace -> add(merge, trace), read -> {});
            return merge.finish();
        }
    }

    private static boolean add(TimelineMerge merge, Trace trace) {
        try {
            merge.add(trace);
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
