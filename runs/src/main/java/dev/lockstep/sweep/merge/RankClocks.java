// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep.merge;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.merge.CollectiveAlignment;
import dev.lockstep.session.RankSelection;
import dev.lockstep.session.RankSet;
import dev.lockstep.session.Session;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.LongConsumer;

/** Clocks of the ranks of one run, told by a reading of which only what tells them is kept. */
public final class RankClocks {
    private RankClocks() {}

    /**
     * Reads all ranks and compares their clocks.
     *
     * @param gpusPerNode ranks of a node, which read one clock; 0 to go by the names of hosts, where they are known
     */
    public static CollectiveAlignment read(
            Session session, List<Path> files, RankSelection selection, int gpusPerNode, LongConsumer progress)
            throws IOException {
        return of(
                RankSet.read(
                        session,
                        files,
                        selection,
                        trace -> new DerivedCache(trace).get(RankCollectives.Key.standard()),
                        progress),
                gpusPerNode);
    }

    /** Compares the clocks of ranks that were read. */
    public static CollectiveAlignment of(RankSet<RankCollectives> read, int gpusPerNode) {
        return new CollectiveAlignment(
                read.present().stream()
                        .map(member ->
                                Objects.requireNonNull(member.kept()).withInfo(Objects.requireNonNull(member.info())))
                        .toList(),
                gpusPerNode);
    }
}
