// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.pipeline.merge;

import dev.lockstep.engine.Session;
import dev.lockstep.merge.Alignment;
import dev.lockstep.merge.MergeOptions;
import dev.lockstep.read.ReadOptions.Keep;
import dev.lockstep.write.Output;
import dev.lockstep.write.TraceWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * How the ranks of configurations are merged.
 *
 * @param formats files to write, at least one
 * @param options what to keep
 * @param aorta whether to write what AORTA's script writes instead, as JSON
 */
public record MergePlan(List<MergedFormat> formats, MergeOptions options, boolean aorta) {
    /** Names how many ranks the older script announces, whether or not they exist. */
    private static final int RANKS_OF_AORTA = 8;

    public MergePlan {
        formats = List.copyOf(formats);
    }

    /** Everything in Perfetto's format. */
    public static MergePlan standard() {
        return new MergePlan(List.of(MergedFormat.PERFETTO), MergeOptions.standard(), false);
    }

    /** What AORTA's script writes. */
    public static MergePlan asAorta() {
        return new MergePlan(List.of(MergedFormat.JSON), MergeOptions.standard(), true);
    }

    /** What the traces must hold for it. */
    public Keep keep() {
        return options.filter().needsDetails() ? Keep.EVERYTHING : Keep.RECORDING;
    }

    /** The files of a configuration, given where the one in JSON would lie. */
    public List<Path> targets(Path json) {
        String name = String.valueOf(json.getFileName());
        String stem = name.endsWith(".json") ? name.substring(0, name.length() - ".json".length()) : name;
        return formats.stream()
                .map(format -> json.resolveSibling(stem + format.ending()))
                .toList();
    }

    /**
     * Begins the files of a configuration.
     *
     * @param json where the one in JSON would lie
     * @param output stages them
     * @param alignment what the clocks of the ranks have to do with one another
     * @param executor runs parts of the work; may run them at once on the calling thread
     * @param parallelism how many parts may be in work at a time
     */
    public RankMerge open(
            Session session, Path json, Output output, Alignment alignment, Executor executor, int parallelism)
            throws IOException {
        List<Path> targets = targets(json);
        if (aorta) {
            return new AortaRankMerge(targets.getFirst(), output.file(targets.getFirst()), RANKS_OF_AORTA);
        }
        List<RankMerge> merges = new ArrayList<>();
        for (int i = 0; i < targets.size(); i++) {
            Path target = targets.get(i);
            TraceWriter writer = session.registry().traceWriterFor(target);
            TraceWriter.Options how = new TraceWriter.Options(formats.get(i).isPacked(), executor, parallelism);
            merges.add(new PlainRankMerge(target, writer.open(output.file(target), how), options, alignment));
        }
        return merges.size() == 1 ? merges.getFirst() : new SeveralMerges(merges);
    }
}
