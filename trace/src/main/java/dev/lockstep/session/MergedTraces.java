// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.session;

import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceFormat;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.read.TraceInput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Timelines that were made of several ranks. Beside the files of those ranks they say nothing new. */
public final class MergedTraces {
    /** What merges say of themselves at the end of a file in JSON, and of a small one in its head. */
    static final String KEY = "lockstepMerge";

    /** Of traces that merged timelines are read as. */
    private static final Set<String> FORMATS = Set.of(TraceFormat.KINETO.id(), TraceFormat.PERFETTO.id());

    private MergedTraces() {}

    /**
     * {@return whether a file holds several ranks in a format in which merged timelines are written}
     *
     * @param session reads it
     * @param file a trace
     * @throws IOException when it cannot be read
     */
    public static boolean isOne(Session session, Path file) throws IOException {
        List<TraceInfo> inside = session.read(TraceInput.of(file), bytes -> {}).stream()
                .map(Trace::info)
                .toList();
        return areOf(inside, inside.stream().map(info -> info.rank().index()).collect(Collectors.toSet()));
    }

    /** Whether what a file holds is a merged timeline of ranks that are all there without it. */
    static boolean areOf(List<TraceInfo> inside, Set<Integer> ranks) {
        return inside.size() > 1
                && inside.stream()
                        .allMatch(info -> FORMATS.contains(info.format())
                                && ranks.contains(info.rank().index()));
    }

    static IOException leftOut() {
        return new IOException("left out: it was merged from ranks that are here themselves");
    }
}
