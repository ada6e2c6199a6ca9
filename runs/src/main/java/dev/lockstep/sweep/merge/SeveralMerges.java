// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep.merge;

import dev.lockstep.model.Trace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The same ranks in several formats. */
record SeveralMerges(List<RankMerge> merges) implements RankMerge {
    @Override
    public void add(Trace trace) throws IOException {
        for (RankMerge merge : merges) {
            merge.add(trace);
        }
    }

    @Override
    public List<Merged> finish() throws IOException {
        List<Merged> all = new ArrayList<>();
        for (RankMerge merge : merges) {
            all.addAll(merge.finish());
        }
        return all;
    }

    @Override
    public void close() throws IOException {
        IOException failure = null;
        for (RankMerge merge : merges) {
            try {
                merge.close();
            } catch (IOException e) {
                failure = first(failure, e);
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private static IOException first(@Nullable IOException before, IOException now) {
        return before == null ? now : before;
    }
}
