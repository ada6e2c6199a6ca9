// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep.merge;

import dev.lockstep.merge.Alignment;
import dev.lockstep.merge.MergeOptions;
import dev.lockstep.model.TraceFormat;
import dev.lockstep.read.ReadOptions.Keep;
import dev.lockstep.session.Session;
import dev.lockstep.timeline.TraceWriter;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * Merges that lose nothing, in one or several formats.
 *
 * @param formats files to write, at least one
 * @param options what to keep
 */
public record WholeMergePlan(List<MergedFormat> formats, MergeOptions options) implements MergePlan {
    public WholeMergePlan {
        formats = List.copyOf(formats);
    }

    /** Everything in Perfetto's format. */
    public static WholeMergePlan standard() {
        return new WholeMergePlan(List.of(MergedFormat.STANDARD), MergeOptions.standard());
    }

    @Override
    public Keep keep() {
        return options.filter().needsDetails() ? Keep.EVERYTHING : Keep.RECORDING;
    }

    @Override
    public List<Path> targets(Path json) {
        String name = String.valueOf(json.getFileName());
        String stem = TraceFormat.CHROME.withoutEnding(name);
        return formats.stream()
                .map(format -> json.resolveSibling(stem + format.ending()))
                .toList();
    }

    @Override
    public RankMerge open(
            Session session, Path json, Output output, Alignment alignment, Executor executor, int parallelism)
            throws IOException {
        List<Path> targets = targets(json);
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
