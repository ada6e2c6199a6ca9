// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.comm.Collectives;
import dev.lockstep.dataset.BatchSink;
import dev.lockstep.dataset.DatasetContent;
import dev.lockstep.dataset.DatasetTables;
import dev.lockstep.dataset.RunRows;
import dev.lockstep.dataset.TraceRows;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.Trace;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.ranks.KeptRank;
import dev.lockstep.ranks.MatchedRanks;
import dev.lockstep.ranks.PartRoom;
import dev.lockstep.report.Report;
import dev.lockstep.session.RankSet;
import dev.lockstep.session.Session;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;

/**
 * A run on its way into tables: takes one rank after the other, then what needs all of them. The rows of a rank are handed on
 * while it is in memory. Confined to one thread.
 */
public final class RunDataset {
    private final BatchSink sink;
    private final DatasetContent content;
    private final FindingQueries queries;
    private final PartRoom room;
    private boolean begun;
    private long origin;

    /**
     * A run of which nothing was taken yet.
     *
     * @param run its name
     * @param content how much of it is wanted
     * @param ranks how many it has, about
     */
    public RunDataset(BatchSink sink, String run, DatasetContent content, int ranks) {
        room = new PartRoom(ranks);
        this.sink = sink;
        queries = new FindingQueries(run, content.level());
        this.content = content;
    }

    /** Time 0 of the run in ns, on the scale of {@link dev.lockstep.model.TraceInfo#originNs}: that of the first rank. */
    public long origin() {
        return origin;
    }

    /**
     * Hands on the rows of a rank.
     *
     * @param trace with its final rank; ranks come in ascending order
     * @return what outlives it
     * @throws UncheckedIOException when the sink cannot store them
     */
    public RunRows.Kept take(Trace trace) {
        if (!begun) {
            begun = true;
            origin = trace.info().originNs();
        }
        DerivedCache cache = DerivedCache.believing(trace);
        try {
            TraceRows.write(cache, content, origin, sink);
            if (content.findings()) {
                Report report = PerformanceReport.of(cache, ReportOptions.standard());
                long shift = trace.info().originNs() - origin;
                int rank = trace.info().rank().index();
                RunRows.findings(rank, report.findings(), one -> queries.of(one, rank, shift), sink);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        boolean priced = sink.wants(DatasetTables.SLOW_RANKS) || sink.wants(DatasetTables.FINDINGS);
        return RunRows.Kept.of(trace, priced ? room.keep(cache) : KeptRank.withoutPart(cache));
    }

    /**
     * Hands on what needs all ranks.
     *
     * @param ranks what was kept of them, those that are missing included
     * @param source what they were read from, as the user named it
     * @param session reads ranks again to price slow ones
     */
    public void finish(RankSet<RunRows.Kept> ranks, String source, Session session) throws IOException {
        MatchedRanks matched = new MatchedRanks(
                ranks.withKept(member -> Objects.requireNonNull(member.kept()).rank()),
                source,
                CollectiveOptions.standard(),
                session);
        Collectives collectives = matched.collectives();
        RunRows run = new RunRows(collectives, origin);
        run.collectives(sink);
        run.ranks(ranks.members(), sink);
        if (sink.wants(DatasetTables.TRUST)) {
            RunRows.trust(matched, sink);
        }
        if (sink.wants(DatasetTables.SLOW_RANKS)) {
            RunRows.slowRanks(matched, sink);
        }
        if (sink.wants(DatasetTables.FINDINGS) && collectives.all().stream().anyMatch(c -> c.present() > 1)) {
            RunRows.findings(-1, CollectiveReport.unanswered(matched).findings(), one -> queries.of(one, -1, 0), sink);
        }
    }
}
