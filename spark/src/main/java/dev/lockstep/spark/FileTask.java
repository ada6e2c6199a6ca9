// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.spark;

import dev.lockstep.analyze.trust.TraceTrust;
import dev.lockstep.dataset.DatasetContent;
import dev.lockstep.dataset.DatasetTable.Level;
import dev.lockstep.dataset.TraceRows;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.model.Trace;
import dev.lockstep.read.TraceInput;
import dev.lockstep.report.Trust;
import dev.lockstep.session.MergedTraces;
import dev.lockstep.session.RankSet;
import dev.lockstep.session.Session;
import dev.lockstep.session.UnreadFile;
import dev.lockstep.spark.RankShare.Communication;
import dev.lockstep.spark.RankShare.Head;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads one file of a run on an executor, and keeps of each rank in it what outlives the task. */
final class FileTask {
    private FileTask() {}

    /**
     * A file of a run.
     *
     * @param place among the files of the run
     * @param name as the user named it, a path or a URI
     * @param where the same for executors, which run in folders of their own
     */
    record Source(int place, String name, String where) implements Serializable {
        static Source of(int place, String name) {
            boolean remote = RemoteFiles.isRemote(name);
            return new Source(
                    place, name, remote ? name : Path.of(name).toAbsolutePath().toString());
        }
    }

    /**
     * The ranks of a file; of one that cannot be read, the reason.
     *
     * @param isLast whether nobody tries again if this fails
     * @throws IOException when the file could not be fetched, and somebody tries again
     */
    static List<RankShare> read(Source source, RemoteFiles remote, boolean isLast) throws IOException {
        try (Session session = new Session(1);
                RemoteFiles.Local local = fetched(source, remote, isLast)) {
            TraceInput input = new TraceInput(source.name(), local.path());
            List<RankShare> shares = new ArrayList<>();
            try {
                List<Trace> inside = RankSet.ofRanks(input, session.readAlone(input));
                for (Trace trace : inside) {
                    shares.add(share(source, shares.size(), MergedTraces.seem(inside), trace));
                }
            } catch (IOException e) {
                return List.of(unread(source, UnreadFile.of(input, e)));
            }
            return shares;
        } catch (FetchException e) {
            return List.of(unread(source, UnreadFile.lost(e)));
        }
    }

    /** The file could not be fetched, and nobody tries again. */
    private static final class FetchException extends IOException {
        private static final long serialVersionUID = 1;

        FetchException(String message) {
            super(message);
        }
    }

    private static RemoteFiles.Local fetched(Source source, RemoteFiles remote, boolean isLast) throws IOException {
        try {
            return remote.local(source.where());
        } catch (IOException e) {
            if (isLast) {
                throw new FetchException(source.name() + ": cannot be fetched: " + e.getMessage());
            }
            throw e;
        }
    }

    private static RankShare unread(Source source, UnreadFile why) {
        Head head = new Head(source.place(), 0, false, null, List.of(), true, why, List.of(), 0, 0, 0, Trust.SOUND);
        return new RankShare(head, Map.of(), Map.of(), Map.of(), Communication.NONE);
    }

    private static RankShare share(Source source, int inside, boolean merged, Trace trace) throws IOException {
        DerivedCache cache = DerivedCache.believing(trace);
        ShareSink sink = new ShareSink();
        TraceRows.write(cache, DatasetContent.of(Level.SKETCH), trace.info().originNs(), sink);
        RankCollectives kernels = cache.get(RankCollectives.Key.standard());
        Communication communication = communication(kernels);
        Head head = new Head(
                source.place(),
                inside,
                merged,
                kernels.info(),
                new ArrayList<>(trace.diagnostics().problems()),
                trace.diagnostics().hasLoss(),
                null,
                sink.steps(),
                communication.ts().length,
                kernels.recordedFrom(),
                kernels.recordedTo(),
                TraceTrust.of(cache));
        return new RankShare(head, sink.kernels(), sink.names(), sink.called(), communication);
    }

    private static Communication communication(RankCollectives kernels) {
        int n = kernels.size();
        int[] call = new int[n];
        long[] ts = new long[n];
        long[] dur = new long[n];
        long[] sequence = new long[n];
        int[] order = kernels.inOrderOfIssue();
        for (int i = 0; i < n; i++) {
            call[i] = kernels.callIndex(order[i]);
            ts[i] = kernels.ts(order[i]);
            dur[i] = kernels.dur(order[i]);
            sequence[i] = kernels.sequence(order[i]);
        }
        return new Communication(new ArrayList<>(kernels.calls()), call, ts, dur, sequence);
    }
}
