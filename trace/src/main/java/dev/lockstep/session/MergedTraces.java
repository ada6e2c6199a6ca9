// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.session;

import dev.lockstep.model.Rank;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceFormat;
import dev.lockstep.read.TraceInput;
import dev.lockstep.session.RankSet.Loaded;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Timelines that were made of several ranks. Beside the files of those ranks they say nothing new. */
public final class MergedTraces {
    /** What merges say of themselves at the end of a file in JSON, and of a small one in its head. */
    static final String KEY = "lockstepMerge";

    private MergedTraces() {}

    /**
     * {@return whether a file holds several ranks in a format in which merged timelines are written}
     *
     * @param session reads it
     * @param file a trace
     * @throws IOException when it cannot be read
     */
    public static boolean isOne(Session session, Path file) throws IOException {
        List<Trace> inside = session.read(TraceInput.of(file), bytes -> {});
        return inside.size() > 1
                && inside.stream().allMatch(trace -> isWritten(trace.info().format()));
    }

    /** Whether merged timelines are read as traces of this format. */
    private static boolean isWritten(String format) {
        return TraceFormat.isEventList(format) || format.equals(TraceFormat.PERFETTO.id());
    }

    /**
     * {@return whether ranks of one file seem to have been merged: it says so itself, or each of them says which rank it is}
     *
     * @param inside the ranks, as they were read
     */
    public static boolean seem(List<Trace> inside) {
        return inside.size() > 1
                && inside.stream()
                        .map(Trace::info)
                        .allMatch(info -> isWritten(info.format())
                                && (info.rank().origin() == Rank.Origin.TRACE
                                        || info.metadata().containsKey(KEY)));
    }

    /** Whether what a file holds is a merged timeline of ranks that are all there without it. */
    static boolean areOf(List<? extends Loaded<?>> inside, Set<Integer> ranks) {
        return areMerged(inside)
                && inside.stream()
                        .allMatch(one -> ranks.contains(
                                Objects.requireNonNull(one.info()).rank().index()));
    }

    static boolean areMerged(List<? extends Loaded<?>> inside) {
        return inside.stream().allMatch(Loaded::merged);
    }

    static IOException leftOut() {
        return new IOException("left out: it was merged from ranks that are here themselves");
    }
}
